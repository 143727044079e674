// SPDX-License-Identifier: MIT
#include "app/soft_session.h"

#include <algorithm>
#include <iterator>

#include "app/block_listing.h"
#include "app/collection_description.h"
#include "app/passing_records.h"
#include "app/soft_description.h"
#include "app/undecodable.h"
#include "pmu/linux/host_features.h"
#include "record/writer.h"

namespace hm::app {
namespace {

using event::EventId;
using event::index_of;

// Counted in every session: the models run anyway.
constexpr EventId kAlwaysCounted[] = {
    EventId::kInstrRetired,  EventId::kMemoryLoads,    EventId::kMemoryStores,   EventId::kMemoryMoves,
    EventId::kL1CacheMiss,   EventId::kL2CacheMiss,    EventId::kL3CacheMiss,    EventId::kL1StoreMiss,
    EventId::kDtlbLoadMiss,  EventId::kDtlbStoreMiss,  EventId::kDtlbAllMiss,    EventId::kSplitLoadRetired,
    EventId::kSplitLoadMiss, EventId::kSplitStoreMiss, EventId::kSplitFetchMiss, EventId::kICacheMiss,
    EventId::kItlbMiss,
};

Status check_events(const std::vector<EventId>& events, const model::MachineGeometry& geometry,
                    const soft::Engine& engine) {
  for (EventId id : events) {
    const event::EventTemplate& each = event::event_template(id);
    if (each.soft == event::SoftSupport::kNone) {
      return make_error(ErrorCode::kUnsupported, "the software PMU cannot deliver {}: {}", each.name,
                        each.soft_note);
    }
    if (id == EventId::kSharedLineHit && !engine.has_many_cores()) {
      return make_error(
          ErrorCode::kUnsupported,
          "under {} threads take turns on one modelled core, so {} does not happen; --engine=direct "
          "has a core for each",
          engine.name(), each.name);
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
  std::unique_ptr<soft::Engine> engine;
  soft::RunOptions run;
  SoftResult result;
};

Result<Plan> make_plan(const SoftOptions& options, bool sampling) {
  auto engine = soft::choose_engine(options.engine);
  if (!engine) return engine.error();
  if (options.block_trace && !(*engine)->traces_blocks()) {
    return make_error(
        ErrorCode::kUnsupported,
        "--trace-blocks shows what the copying engine makes of a program, and {} is another; use "
        "--engine=direct",
        (*engine)->name());
  }
  auto geometry = soft::choose_geometry(options.geometry);
  if (!geometry) return geometry.error();
  if (Status status = check_events(options.events, *geometry, **engine); !status) return status.error();

  Plan plan{*std::move(engine), {}, {}};
  plan.result.engine = plan.engine->name();
  soft::Session& session = plan.run.session;
  session.geometry = *geometry;
  session.copies_only = options.copies_only ? 1 : 0;
  session.absent_features = options.absent_features;
  session.classifies_misses = options.classes ? 1 : 0;
  session.trace_blocks = options.block_trace ? 1 : 0;
  session.jitter = options.jitter ? 1 : 0;
  session.branch_filter = options.branch_filter;
  session.call_chain_depth = options.call_chain_depth;
  for (EventId id : kAlwaysCounted) session.events[index_of(id)].counted = 1;
  if (!geometry->l3.present()) session.events[index_of(EventId::kL3CacheMiss)].counted = 0;
  uint64_t next_id = 1;
  for (EventId id : options.events) {
    session.events[index_of(id)] = {1, sampling ? 1u : 0u, sampling ? next_id++ : 0, options.period};
  }
  if (options.copies_only) std::ranges::fill(session.events, soft::EventConfig{});
  if (sampling && !options.copies_only) plan.run.heap = options.heap;
  if (plan.run.heap.observed) session.heap_site_id = next_id;
  for (unsigned i = 0; i < event::kEventCount; ++i) {
    if (session.events[i].counted != 0) plan.result.counted.push_back(static_cast<EventId>(i));
  }
  plan.run.command = options.command;
  plan.run.limits = plan.result.limits = options.limits;
  plan.run.most_samples = options.most_samples;
  plan.run.progress = options.progress;
  plan.run.interrupts = options.interrupts;
  plan.result.geometry = *geometry;
  return plan;
}

// What the copying engine makes of the program goes where the options say.
soft::Collector::BlockSink block_sink(const SoftOptions& options, const PassingRecords& places) {
  if (!options.block_trace) return nullptr;
  auto listing = std::make_shared<BlockListing>(places, options.traced_function);
  return [listing, &options](const soft::TracedBlock& block) { options.block_trace(listing->text(block)); };
}

SoftResult with_run(Plan plan, soft::RunResult run, const PassingRecords& passing) {
  SoftResult result = std::move(plan.result);
  result.run = std::move(run);
  result.obstacles = explain_undecodable(result.run.undecodable, passing, *plan.engine);
  std::ranges::move(explain_collection(result), std::back_inserter(result.obstacles));
  std::ranges::move(explain_allocators(result), std::back_inserter(result.obstacles));
  return result;
}

}  // namespace

Result<SoftResult> count_with_soft_pmu(const SoftOptions& options) {
  auto plan = make_plan(options, false);
  if (!plan) return plan.error();
  PassingRecords passing;
  plan->run.block_sink = block_sink(options, passing);
  auto run = soft::run_command(*plan->engine, plan->run, [&](Bytes record) {
    passing.see(record);
    return Status{};
  });
  if (!run) return run.error();
  return with_run(*std::move(plan), *std::move(run), passing);
}

Result<SoftResult> record_with_soft_pmu(const SoftOptions& options, record::RecordingSink& sink,
                                        const std::vector<std::string>& command_line) {
  auto plan = make_plan(options, true);
  if (!plan) return plan.error();
  record::Features features = linux_pmu::host_features(command_line);
  features.caches = describe_caches(plan->result.geometry);
  features.pmus = {{PERF_TYPE_RAW, "hardmeter_soft"}};
  features.hardmeter = describe_machine(plan->result, options.command);
  record::RecordingStart start{describe_events(options, plan->run.session), features, soft::kRingDataBytes};
  if (Status begun = sink.begin(start); !begun) return begun.error();
  PassingRecords passing;
  plan->run.block_sink = block_sink(options, passing);
  auto run = soft::run_command(*plan->engine, plan->run, [&](Bytes record) {
    passing.see(record);
    return sink.append(record);
  });
  passing.describe(features);
  if (!run) {
    (void)sink.finish(features);  // makes whole what could be written; the first error is the one to tell
    return run.error();
  }
  SoftResult result = with_run(*std::move(plan), *std::move(run), passing);
  features.hardmeter = describe_run(result, options.command);
  if (Status finished = sink.finish(features); !finished) return finished.error();
  result.recorded_bytes = sink.bytes();
  return result;
}

}  // namespace hm::app
