// SPDX-License-Identifier: MIT
#include "app/measure/soft/soft_description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <iterator>

#include "analysis/sizes/sampled_misses.h"
#include "app/measure/soft/burst_description.h"
#include "app/measure/soft/burst_errors.h"
#include "app/measure/soft/collection_description.h"
#include "base/json.h"
#include "event/event_template.h"
#include "model/directory.h"
#include "pmu/soft/geometry/geometry.h"
#include "pmu/soft/sampling/heap_site_record.h"
#include "pmu/soft/sampling/sample_record.h"
#include "record/run_description.h"
#include "view/text/format.h"

namespace hm::measure {
namespace {

// Records of this event describe allocation sites; they are not samples of a counted event
// (record/extension.h).
record::EventDescription heap_site_event(const soft::Session& session) {
  record::EventDescription event;
  event.name = record::kHeapSiteEvent;
  event.ids = {session.heap_site_id};
  perf_event_attr& attr = event.attr;
  attr.type = PERF_TYPE_RAW;
  attr.size = sizeof(attr);
  attr.config = record::kHeapSiteConfig;
  attr.sample_period = 1;
  attr.sample_type = soft::kHeapSiteSampleType;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
  attr.exclude_kernel = attr.exclude_hv = attr.inherit = 1;
  attr.sample_id_all = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  attr.precise_ip = 3;
  attr.sample_regs_user = soft::kRegisterMask;
  attr.sample_stack_user = soft::kSiteStackBytes;
  return event;
}

}  // namespace

using event::EventId;
using event::index_of;

std::vector<record::EventDescription> describe_events(const std::vector<event::EventId>& ids,
                                                      const soft::Session& session) {
  std::vector<record::EventDescription> events;
  for (EventId id : ids) {
    record::EventDescription event;
    event.name = event::event_template(id).name;
    event.ids = {session.events[index_of(id)].id};
    perf_event_attr& attr = event.attr;
    attr.type = PERF_TYPE_RAW;
    attr.size = sizeof(attr);
    attr.config = index_of(id);
    attr.sample_period = session.events[index_of(id)].period;
    attr.sample_type = soft::sample_type(session);
    if (session.stack_bytes != 0) attr.sample_type |= PERF_SAMPLE_CALLCHAIN;  // computed by the recorder
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
    attr.exclude_kernel = (session.guest_modes & 2) != 0 ? 0 : 1;
    attr.exclude_user = session.guest_modes == 2 ? 1 : 0;
    attr.exclude_hv = 1;
    attr.inherit = 1;
    attr.mmap = attr.mmap2 = attr.mmap_data = 1;
    attr.comm = attr.comm_exec = attr.task = 1;
    attr.sample_id_all = 1;
    attr.use_clockid = 1;
    attr.clockid = CLOCK_MONOTONIC;
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
  if (session.heap_site_id != 0) events.push_back(heap_site_event(session));
  return events;
}

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

record::CostSource cost_source_of(const SoftResult& result) {
  if (!result.costs) return record::CostSource::kStated;
  return result.costs->built_in ? record::CostSource::kTypical : record::CostSource::kCalibrated;
}

std::string describe_cost_model(const SoftResult& result) {
  if (result.costs) return result.costs->description;
  const model::Latencies& l = result.geometry.latency;
  return fmt::format(
      "one cycle for each instruction and each memory access; an access beyond L1 ({}) adds the cycles of its level: L2 {}, L3 {}, memory {}, second TLB +{}, page walk +{}; a mispredicted branch costs {} if branches are modelled; no misses overlap",
      l.l1, l.l2, l.l3, l.memory, l.second_tlb, l.page_walk, l.mispredict);
}

namespace {

// Returns the data known before the program runs.
nlohmann::json machine_json(const SoftResult& result, const std::vector<std::string>& command) {
  nlohmann::json json;
  json["pmu"] = "software";
  json["command"] = command;
  if (was_in_bursts(result)) json["bursts"] = bursts_json(result);
  json["engine"] = result.engine;
  json["machine"] = soft::describe(result.geometry);
  if (!result.reproducible.empty()) json["reproducible"] = result.reproducible;
  if (result.layout != 0) json["layout"] = result.layout;
  if (result.random_addresses) json["random_addresses"] = true;
  if (result.costs) json["costs"] = result.costs->description;
  json["cost_source"] = record::name_of(cost_source_of(result));
  model::Latencies cost = result.geometry.latency;
  if (result.costs) {
    const model::Costs& costs = result.costs->costs;
    cost.second_tlb = costs.second_tlb / model::Costs::kPerCycle;
    cost.page_walk = costs.page_walk / model::Costs::kPerCycle;
    cost.mispredict = costs.mispredict / model::Costs::kPerCycle;
  }
  json["cost_model_cycles"] = {{"instruction", 1},
                               {"memory_access", 1},
                               {"l1", cost.l1},
                               {"l2", cost.l2},
                               {"l3", cost.l3},
                               {"memory", cost.memory},
                               {"second_tlb", cost.second_tlb},
                               {"page_walk", cost.page_walk},
                               {"mispredict", cost.mispredict}};
  return json;
}

nlohmann::json totals_json(const SoftResult& result) {
  nlohmann::json json = nlohmann::json::object();
  for (EventId id : result.counted) json[event::event_template(id).name] = total_of(result, id);
  return json;
}

// Returns the non-zero reuse counts, each with its time class, set count index and depth.
nlohmann::json reuses_json(const model::SizeRange& range, const std::vector<uint64_t>& reuses) {
  nlohmann::json rows = nlohmann::json::array();
  size_t depths = range.ways + 1, of_class = depths * range.set_counts;
  for (size_t i = 0; i < reuses.size(); ++i) {
    if (reuses[i] != 0) rows.push_back({i / of_class, i % of_class / depths, i % depths, reuses[i]});
  }
  return rows;
}

// Adds estimated misses and the half-widths of their intervals, by number of sets and then by number of ways.
template <typename Estimate>
void add_estimates(const model::SizeRange& range, nlohmann::json& json, Estimate&& estimate) {
  json["misses"] = json["errors"] = nlohmann::json::array();
  for (uint32_t i = 0; i < range.set_counts; ++i) {
    nlohmann::json misses = nlohmann::json::array(), errors = nlohmann::json::array();
    for (uint32_t ways = 1; ways <= range.ways; ++ways) {
      sizes::SampledMisses sampled = estimate(i, ways);
      misses.push_back(sampled.misses);
      errors.push_back(sampled.error);
    }
    json["misses"].push_back(std::move(misses));
    json["errors"].push_back(std::move(errors));
  }
}

// Returns the misses by number of sets and then by number of ways.
nlohmann::json range_json(const model::SizeRange& range, const model::SizeCounts& counts,
                          uint64_t block_bytes) {
  nlohmann::json json{{"least_sets", range.min_sets},
                      {"set_counts", range.set_counts},
                      {"ways", range.ways},
                      {"line_bytes", block_bytes},
                      {"accesses", counts.accesses},
                      {"unplaced_accesses", counts.unplaced},
                      {"misses", nlohmann::json::array()}};
  for (uint32_t i = 0; i < range.set_counts; ++i) {
    nlohmann::json misses = nlohmann::json::array();
    for (uint32_t ways = 1; ways <= range.ways; ++ways) misses.push_back(counts.misses(i, ways));
    json["misses"].push_back(std::move(misses));
  }
  return json;
}

nlohmann::json sizes_json(const SoftResult& result) {
  const soft::Totals& totals = result.run.totals;
  const model::SizeRange& range = result.sizes.lines;
  nlohmann::json json = range_json(range, totals.sizes, result.geometry.line_bytes);
  if (result.bursts.slots != 0) {
    uint64_t accesses = scaled(result, totals.sizes.accesses);
    json["accesses"] = accesses;
    json["unplaced_accesses"] = scaled(result, totals.sizes.unplaced);
    add_estimates(range, json, [&](uint32_t i, uint32_t ways) {
      return burst_misses(totals.size_batches, accesses, i, ways);
    });
  } else if (range.sampled_shift != 0) {
    json["one_set_in"] = 1u << range.sampled_shift;
    add_estimates(range, json, [&](uint32_t i, uint32_t ways) {
      return sizes::sampled_misses(totals.size_batches, totals.sizes.accesses, range, i, ways);
    });
  } else {
    json["reuses"] = reuses_json(range, totals.reuses);
  }
  for (uint32_t i = 0; i < model::SizeRanges::kMaxFurther; ++i) {
    const model::SizeRange& further = result.sizes.further[i];
    if (further.set_counts != 0)
      json["further"].push_back(
          range_json(further, totals.further_sizes[i], uint64_t{1} << further.block_shift));
  }
  return json;
}

}  // namespace

std::string describe_machine(const SoftResult& result, const std::vector<std::string>& command) {
  return json_line(machine_json(result, command));
}

std::string describe_counted_so_far(const SoftResult& result, const std::vector<std::string>& command) {
  nlohmann::json json = machine_json(result, command);
  nlohmann::json& so_far = json["so_far"];
  so_far["totals"] = totals_json(result);
  if (auto cycles = cycles_of(result)) so_far["cycles"] = *cycles;
  return json_line(json);
}

std::string describe_recorded(const SoftResult& result, const pmu::Outcome& outcome,
                              const std::vector<std::string>& command) {
  nlohmann::json json = machine_json(result, command);
  json["totals"] = totals_json(result);
  if (auto cycles = cycles_of(result)) json["cycles"] = *cycles;
  json["elapsed_ns"] = outcome.elapsed_ns;
  json[record::kEndedNs] = record::now_ns();
  json["processes"] = result.run.totals.processes;
  json["threads"] = result.run.totals.threads;
  if (result.run.totals.threads > 1) json["cores"] = result.cores;
  json["unrecorded_processes"] = result.run.totals.unrecorded;
  json["cut_short_processes"] = result.run.totals.cut_short;
  json["shortfalls"] = describe_shortfalls(result.run.totals);
  json["interrupted"] = outcome.interrupted;
  if (result.sizes.lines.set_counts != 0) json["sizes"] = sizes_json(result);
  if (std::string collected = describe_collection(result); !collected.empty())
    json["delivery"].push_back({{"event", "collected"}, {"how", collected}});
  if (std::string models = describe_models(result); !models.empty())
    json["delivery"].push_back({{"event", "modelled"}, {"how", models}});
  if (std::string layout = describe_layout(result); !layout.empty())
    json["delivery"].push_back({{"event", "memory layout"}, {"how", layout}});
  if (std::string periods = describe_periods(result); !periods.empty())
    json["delivery"].push_back({{"event", "periods"}, {"how", periods}});
  if (std::string bursts = describe_bursts(result); !bursts.empty())
    json["delivery"].push_back({{"event", "bursts"}, {"how", bursts}});
  if (std::string budget = describe_budget(result); !budget.empty())
    json["delivery"].push_back({{"event", "budget"}, {"how", budget}});
  return json_line(json);
}

std::string describe_layout(const SoftResult& result) {
  if (result.random_addresses)
    return "random, so that counts vary from run to run: the kernel refuses to disable address randomization (personality(2)), as it does under Docker's default seccomp profile; docker run --security-opt seccomp=unconfined permits it";
  return result.layout == 0 ? "" : fmt::format("{}", result.layout);
}

std::string describe_periods(const SoftResult& result) {
  std::vector<std::string> grown;
  for (EventId id : result.counted) {
    unsigned doublings = result.run.doublings[index_of(id)];
    if (doublings != 0)
      grown.push_back(
          fmt::format("{}-fold for {}", uint64_t{1} << doublings, event::event_template(id).name));
  }
  if (grown.empty()) return {};
  return fmt::format("grew with the samples, {}; -c PERIOD sets a fixed period", fmt::join(grown, ", "));
}

std::vector<std::string> describe_shortfalls(const soft::Totals& totals) {
  std::vector<std::string> all;
  if (totals.cut_short != 0) all.push_back(describe_cut_short(totals));
  if (totals.lost_flags != 0) all.push_back(describe_lost_flags(totals));
  if (totals.unrecorded != 0)
    all.push_back(fmt::format("{} could not be recorded and ran unmeasured",
                              text::count_of(totals.unrecorded, "process", "processes")));
  if (totals.lost_records != 0) all.push_back(describe_lost_records(totals));
  if (totals.unread_rings != 0) all.push_back(describe_unread(totals));
  if (totals.unshared != 0) all.push_back(describe_unshared(totals));
  if (totals.lost_pages != 0) all.push_back(describe_lost_pages(totals));
  if (totals.without_frames != 0) all.push_back(describe_without_frames(totals));
  std::ranges::move(describe_left(totals), std::back_inserter(all));
  if (totals.outlived != 0) all.push_back(describe_outlived(totals));
  if (totals.damaged_rings != 0)
    all.push_back(
        fmt::format("{} overwrote the memory that holds its samples; the remaining samples are lost",
                    text::count_of(totals.damaged_rings, "process", "processes")));
  return all;
}

namespace {

std::string_view reason_text(soft::LeaveReason reason) {
  switch (reason) {
    case soft::LeaveReason::kSandbox:
      return "installed a system call filter (seccomp), which could refuse the engine's own calls";
    case soft::LeaveReason::kUserDispatch:
      return "diverted its system calls (PR_SET_SYSCALL_USER_DISPATCH), which would divert the engine's, too";
    case soft::LeaveReason::kGsBase:
      return "used the GS segment, which the engine needs";
    case soft::LeaveReason::kTooMuchCode:
      return "had more code than the engine can hold";
    case soft::LeaveReason::kNoMemory:
      return "left the engine no memory (see ulimit -v, ulimit -d)";
    case soft::LeaveReason::kNoTimeStamp:
      return "disabled reading the time-stamp counter (PR_SET_TSC), which the engine reads";
    case soft::LeaveReason::kTraced:
      return "was about to be traced by its parent (PTRACE_TRACEME), which would see the engine";
    case soft::LeaveReason::kDescriptors:
      return "needed all file descriptors that the hard limit allows (ulimit -Hn), of which the engine holds three";
    case soft::LeaveReason::kAddresses:
      return "mapped memory at an address that the engine's memory had (MAP_FIXED)";
    case soft::LeaveReason::kUnreadableCode:
      return "ran code that could not be read any more, such as that of a truncated file";
    case soft::LeaveReason::kNone:
      break;
  }
  return "left the engine";
}

}  // namespace

std::vector<std::string> describe_left(const soft::Totals& totals) {
  std::vector<std::string> sentences;
  for (const auto& [reason, count] : totals.left) {
    sentences.push_back(fmt::format("{} {}: from there on {} natively, unmeasured",
                                    text::count_of(count, "process", "processes"), reason_text(reason),
                                    count == 1 ? "it ran" : "they ran"));
  }
  return sentences;
}

std::string describe_outlived(const soft::Totals& totals) {
  return fmt::format(
      "{} still running after the program had ended: measured until then; -p measures running processes",
      text::count_of(totals.outlived, "process was", "processes were"));
}

std::string describe_checking(const soft::Totals& totals) {
  return fmt::format("the copying engine checked itself in {} (HARDMETER_CHECK=1), so the run took longer",
                     text::count_of(totals.checking, "program", "programs"));
}

std::string describe_cut_short(const soft::Totals& totals) {
  return fmt::format(
      "{} cut short: the engine could not continue, for the reason on standard error; the last events may be missing from the counts",
      text::count_of(totals.cut_short, "process was", "processes were"));
}

std::string describe_lost_flags(const soft::Totals& totals) {
  return fmt::format(
      "a function read status flags (carry, zero, ...) of its caller {}, which the engine had not preserved: if its result depends on them, the program behaved differently than natively",
      text::count_of(totals.lost_flags, "time", "times"));
}

std::string describe_without_frames(const soft::Totals& totals) {
  return fmt::format(
      "no physical addresses are available of {}, which another user runs: virtual addresses index its L2 and L3",
      text::count_of(totals.without_frames, "process was", "processes were"));
}

std::string describe_lost_records(const soft::Totals& totals) {
  return fmt::format(
      "{} lost: the recorder read none for seconds, because it was stopped or its output was blocked; the program does not wait that long",
      text::count_of(totals.lost_records, "record was", "records were"));
}

std::string describe_unread(const soft::Totals& totals) {
  return fmt::format("the samples and counts of {} are missing: the recorder could not open their files: {}",
                     text::count_of(totals.unread_rings, "process", "processes"), totals.unread_reason);
}

std::string describe_unshared(const soft::Totals& totals) {
  return fmt::format(
      "{} shared memory with others, but transfers of its lines between processes were not modelled: that needs 256 MiB of space in /dev/shm, a file size limit above that (ulimit -f), at most {} processes at a time, and at most 1,024 shared files or segments in all and 128 in a process",
      text::count_of(totals.unshared, "process", "processes"), model::kMaxHolders);
}

std::string describe_lost_pages(const soft::Totals& totals) {
  return fmt::format(
      "/dev/shm was full when {} of the memory that processes share with each other and the recorder was first used: the results that belong there are missing",
      text::count_of(totals.lost_pages, "page", "pages"));
}

}  // namespace hm::measure
