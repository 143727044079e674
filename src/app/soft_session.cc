// SPDX-License-Identifier: MIT
#include "app/soft_session.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "app/host_features.h"
#include "pmu/soft/events/sample_record.h"
#include "record/mmap.h"
#include "record/writer.h"
#include "symbol/build_id.h"

namespace hm::app {
namespace {

using event::EventId;
using event::index_of;

// Counted in every session: the models run anyway.
constexpr EventId kAlwaysCounted[] = {
    EventId::kInstrRetired, EventId::kMemoryLoads,   EventId::kMemoryStores, EventId::kMemoryMoves,
    EventId::kL1CacheMiss,  EventId::kL2CacheMiss,   EventId::kL3CacheMiss,  EventId::kL1StoreMiss,
    EventId::kDtlbLoadMiss, EventId::kDtlbStoreMiss, EventId::kDtlbAllMiss,  EventId::kSplitLoadRetired,
    EventId::kICacheMiss,   EventId::kItlbMiss,
};

Status check_events(const std::vector<EventId>& events, const model::MachineGeometry& geometry) {
  for (EventId id : events) {
    const event::EventTemplate& each = event::event_template(id);
    if (each.soft == event::SoftSupport::kNone) {
      return make_error(ErrorCode::kUnsupported, "the software PMU cannot deliver {}: {}", each.name,
                        each.soft_note);
    }
    if (id == EventId::kL3CacheMiss && !geometry.l3.present()) {
      return make_error(ErrorCode::kInvalidArgument,
                        "the modelled machine has no third level of cache, so l3_cache_miss does not happen; "
                        "l2_cache_miss is its last level");
    }
  }
  return {};
}

struct Plan {
  soft::ValgrindEngine engine;
  soft::RunOptions run;
  SoftResult result;
};

Result<Plan> make_plan(const SoftOptions& options, bool sampling) {
  auto engine = soft::find_valgrind_engine();
  if (!engine) return engine.error();
  auto geometry = soft::choose_geometry(options.geometry);
  if (!geometry) return geometry.error();
  if (Status status = check_events(options.events, *geometry); !status) return status.error();

  Plan plan{*engine, {}, {}};
  soft::Session& session = plan.run.session;
  session.geometry = *geometry;
  session.jitter = options.jitter ? 1 : 0;
  session.branch_filter = options.branch_filter;
  session.call_chain_depth = options.call_chain_depth;
  for (EventId id : kAlwaysCounted) session.events[index_of(id)].counted = 1;
  if (!geometry->l3.present()) session.events[index_of(EventId::kL3CacheMiss)].counted = 0;
  uint64_t next_id = 1;
  for (EventId id : options.events) {
    session.events[index_of(id)] = {1, sampling ? 1u : 0u, sampling ? next_id++ : 0, options.period};
  }
  for (unsigned i = 0; i < event::kEventCount; ++i) {
    if (session.events[i].counted != 0) plan.result.counted.push_back(static_cast<EventId>(i));
  }
  plan.run.command = options.command;
  plan.run.progress = options.progress;
  plan.run.interrupts = options.interrupts;
  plan.result.geometry = *geometry;
  return plan;
}

std::vector<record::EventDescription> describe_events(const SoftOptions& options,
                                                      const soft::Session& session) {
  std::vector<record::EventDescription> events;
  for (EventId id : options.events) {
    record::EventDescription event;
    event.name = event::event_template(id).name;
    event.ids = {session.events[index_of(id)].id};
    perf_event_attr& attr = event.attr;
    attr.type = PERF_TYPE_RAW;
    attr.size = sizeof(attr);
    attr.config = index_of(id);
    attr.sample_period = options.period;
    attr.sample_type = soft::sample_type(session);
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.inherit = 1;
    attr.mmap = attr.mmap2 = attr.mmap_data = 1;
    attr.comm = attr.comm_exec = attr.task = 1;
    attr.sample_id_all = 1;
    attr.precise_ip = 3;
    attr.sample_regs_intr = soft::kRegisterMask;
    if (session.branch_filter != 0) {
      attr.branch_sample_type =
          PERF_SAMPLE_BRANCH_USER |
          ((session.branch_filter & soft::kBranchAny) != 0 ? uint64_t{PERF_SAMPLE_BRANCH_ANY} : 0) |
          ((session.branch_filter & soft::kBranchCall) != 0 ? uint64_t{PERF_SAMPLE_BRANCH_ANY_CALL} : 0) |
          ((session.branch_filter & soft::kBranchReturn) != 0 ? uint64_t{PERF_SAMPLE_BRANCH_ANY_RETURN} : 0);
    }
    events.push_back(std::move(event));
  }
  return events;
}

// What passes into the file, as far as its header tells of it: the files mapped, the first and last moment.
class PassingRecords {
 public:
  void see(Bytes record) {
    perf_event_header header;
    std::memcpy(&header, record.data(), sizeof(header));
    if (header.type == PERF_RECORD_MMAP2) {
      auto mmap = record::decode_mmap({header.type, header.misc, false, record.subspan(sizeof(header)), 0});
      if (mmap && mmap->executable && mmap->path.starts_with('/') && !mmap->path.starts_with("//")) {
        paths_.emplace(mmap->path);
      }
    } else if (header.type == PERF_RECORD_SAMPLE) {
      constexpr size_t kTimeOffset = 32;  // header, identifier, ip, pid and tid: events/sample_record.h
      uint64_t time_ns = 0;
      std::memcpy(&time_ns, record.data() + kTimeOffset, sizeof(time_ns));
      span_.first_ns = span_.first_ns == 0 ? time_ns : std::min(span_.first_ns, time_ns);
      span_.last_ns = std::max(span_.last_ns, time_ns);
    }
  }

  void describe(record::Features& features) const {
    if (span_.last_ns != 0) features.sample_time = span_;
    for (const std::string& path : paths_) {
      auto hex = symbol::build_id_of(path);
      if (!hex) continue;
      record::BuildId build_id{.misc = PERF_RECORD_MISC_USER, .path = path};
      for (size_t i = 0; i + 1 < hex->size() && build_id.id.size() < record::kMaxBuildIdBytes; i += 2) {
        build_id.id.push_back(static_cast<std::byte>(std::stoul(hex->substr(i, 2), nullptr, 16)));
      }
      features.build_ids.push_back(std::move(build_id));
    }
  }

 private:
  std::set<std::string, std::less<>> paths_;
  record::TimeSpan span_;
};

std::vector<record::CacheInfo> describe_caches(const model::MachineGeometry& g) {
  std::vector<record::CacheInfo> caches;
  auto add = [&](uint32_t level, std::string type, model::SetGeometry shape) {
    if (!shape.present()) return;
    uint64_t bytes = shape.entries() * g.line_bytes;
    caches.push_back({level, g.line_bytes, shape.sets, shape.ways, std::move(type),
                      fmt::format("{}K", bytes / 1024), "0"});
  };
  add(1, "Data", g.l1d);
  add(1, "Instruction", g.l1i);
  add(2, "Unified", g.l2);
  add(3, "Unified", g.l3);
  return caches;
}

std::string describe_run(const SoftResult& result) {
  nlohmann::json json;
  json["pmu"] = "software";
  json["engine"] = "valgrind " + soft::built_valgrind_version();
  json["machine"] = soft::describe(result.geometry);
  const model::Latencies& cost = result.geometry.latency;
  json["cost_model_cycles"] = {{"instruction", 1},
                               {"memory_access", 1},
                               {"l1", cost.l1},
                               {"l2", cost.l2},
                               {"l3", cost.l3},
                               {"memory", cost.memory},
                               {"second_tlb", cost.second_tlb},
                               {"page_walk", cost.page_walk},
                               {"mispredict", cost.mispredict}};
  for (EventId id : result.counted) {
    json["totals"][event::event_template(id).name] = result.run.totals.counts[index_of(id)];
  }
  json["cycles"] = result.run.totals.cycles;
  json["elapsed_ns"] = result.run.elapsed_ns;
  json["processes"] = result.run.totals.processes;
  json["threads"] = result.run.totals.threads;
  json["unrecorded_processes"] = result.run.totals.unrecorded;
  json["interrupted"] = result.run.interrupted;
  return json.dump();
}

}  // namespace

Result<SoftResult> count_with_soft_pmu(const SoftOptions& options) {
  auto plan = make_plan(options, false);
  if (!plan) return plan.error();
  auto run = soft::run_command(plan->engine, plan->run, [](Bytes) { return Status{}; });
  if (!run) return run.error();
  plan->result.run = *std::move(run);
  return plan->result;
}

Result<SoftResult> record_with_soft_pmu(const SoftOptions& options, const std::string& path,
                                        const std::vector<std::string>& command_line) {
  auto plan = make_plan(options, true);
  if (!plan) return plan.error();
  auto writer = record::Writer::create(path, describe_events(options, plan->run.session));
  if (!writer) return writer.error();
  PassingRecords passing;
  auto run = soft::run_command(plan->engine, plan->run, [&](Bytes record) {
    passing.see(record);
    return writer->append(record);
  });
  record::Features features = host_features(command_line);
  passing.describe(features);
  features.caches = describe_caches(plan->result.geometry);
  features.pmus = {{PERF_TYPE_RAW, "hardmeter_soft"}};
  if (run) {
    plan->result.run = *run;
    features.hardmeter = describe_run(plan->result);
  }
  Status finished = writer->finish(features);
  if (!run) return run.error();
  if (!finished) return finished.error();
  plan->result.file_bytes = writer->data_bytes();
  return plan->result;
}

}  // namespace hm::app
