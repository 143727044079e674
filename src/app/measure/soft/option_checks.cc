// SPDX-License-Identifier: MIT
#include "app/measure/soft/option_checks.h"

#include <unistd.h>

#include <string_view>
#include <vector>

#include "base/pagemap.h"
#include "event/event_template.h"
#include "pmu/soft/sampling/demand.h"

namespace hm::measure {
namespace {

using event::EventId;

Status check_events(const std::vector<EventId>& events, const model::MachineGeometry& geometry,
                    const soft::Engine& engine) {
  for (EventId id : events) {
    const event::EventTemplate& each = event::event_template(id);
    if (!engine.knows_event(id))
      return make_error(ErrorCode::kUnsupported, "{} does not model {}; --engine=direct does, in user mode",
                        engine.name(), each.name);
    if (each.soft == event::SoftSupport::kNone) {
      return make_error(ErrorCode::kUnsupported, "the software PMU cannot deliver {}: {}", each.name,
                        each.soft_note);
    }
    if ((id == EventId::kSharedLineHit || id == EventId::kPeerWait) && !engine.has_many_cores()) {
      return make_error(
          ErrorCode::kUnsupported,
          "under {} all threads run on one modelled core, so {} does not happen; --engine=direct models a core for each thread",
          engine.name(), each.name);
    }
    if (soft::is_of_code(id) && !geometry.models_code()) {
      return make_error(
          ErrorCode::kInvalidArgument,
          "--l1i none disables the modelling of code, so {} cannot be counted; omit --l1i none or the event",
          each.name);
    }
    if ((id == EventId::kL3CacheMiss || id == EventId::kL3Wait) && !geometry.l3.present()) {
      return make_error(
          ErrorCode::kInvalidArgument,
          "the modelled machine has no third-level cache, so {} does not happen; L2 is its last level",
          each.name);
    }
  }
  return {};
}

Status check_engine(const soft::Engine& engine, const SoftOptions& options) {
  if (options.geometry.cores > 1 && !engine.has_many_cores())
    return make_error(
        ErrorCode::kUnsupported,
        "--cores needs the copying engine, and {} runs one thread at a time; use --engine=direct",
        engine.name());
  if (options.reproducible && !engine.defines_machine())
    return make_error(
        ErrorCode::kUnsupported,
        "--reproducible needs the copying engine, and {} is another engine; use --engine=direct",
        engine.name());
  if (options.layout != 0 && !engine.defines_machine())
    return make_error(ErrorCode::kUnsupported,
                      "--layout needs the copying engine, and {} is another engine; use --engine=direct",
                      engine.name());
  if (!options.running.processes.empty() && !engine.runs_here())
    return make_error(ErrorCode::kUnsupported,
                      "{} runs the program itself, and cannot measure running processes (-p)", engine.name());
  if (options.occupancy_ms != 0 && !engine.runs_here())
    return make_error(ErrorCode::kUnsupported, "{} does not measure the occupancy of a cache: omit --llc",
                      engine.name());
  if (options.sampling && options.call_chains && options.callers_wanted && !engine.finds_callers())
    return make_error(ErrorCode::kUnsupported, "{} does not find callers: omit -g and --call-graph",
                      engine.name());
  if (options.sampling && (options.branch_filter != 0 || options.tlb_cycles != 0) && !engine.runs_here())
    return make_error(ErrorCode::kUnsupported,
                      "{} records neither branches nor the contents of TLBs: omit -b and --tlb",
                      engine.name());
  if (!engine.measures_parts() && (options.limits.any() || options.sizes.lines.set_counts != 0))
    return make_error(ErrorCode::kUnsupported,
                      "{} counts the whole run with one machine: omit --function, --start-after and --sizes",
                      engine.name());
  if (!options.block_trace || engine.traces_blocks()) return {};
  return make_error(
      ErrorCode::kUnsupported,
      "--trace-blocks prints code of the copying engine, and {} is another engine; use --engine=direct",
      engine.name());
}

Status check_physical(const model::MachineGeometry& geometry) {
  if (!geometry.physical || Pagemap(::getpid()).physical(reinterpret_cast<uint64_t>(&geometry))) return {};
  return make_error(
      ErrorCode::kPermission,
      "cannot index the modelled caches by physical addresses: the kernel shows them only with CAP_SYS_ADMIN; omit --physical, or run as root");
}

// Rejects options that do not work for running processes.
Status check_attachment(const SoftOptions& options) {
  if (options.running.processes.empty()) return {};
  const auto refuse = [](std::string_view what) {
    return make_error(ErrorCode::kUnsupported,
                      "{} works for programs that hardmeter starts, not for running processes (-p)", what);
  };
  if (!options.bursts) return refuse("--detail exact");
  if (options.limits.any()) return refuse("limiting the collection (--function, --start-after)");
  if (options.copies_only) return refuse("--copies-only");
  if (options.reproducible) return refuse("--reproducible");
  if (options.layout != 0) return refuse("--layout");
  return {};
}

}  // namespace

Status check_bursts(const SoftOptions& options, const soft::Engine& engine) {
  if (!options.bursts) return {};
  const auto refuse = [](std::string_view what, std::string_view why) {
    return make_error(ErrorCode::kUnsupported, "--detail bursts cannot measure {}: {}; --detail exact can",
                      what, why);
  };
  if (!engine.measures_bursts())
    return make_error(
        ErrorCode::kUnsupported,
        "--detail bursts needs the copying engine, and {} is another engine; use --engine=direct",
        engine.name());
  if (options.geometry.cores > soft::BurstPlan::kMaxCores)
    return refuse("more than 8 cores", "each needs a table of its own");
  if (options.geometry.physical)
    return refuse("what physical addresses change", "frames are asked for at each access");
  if (options.bursts->exact_slots != 0 && options.sizes.lines.set_counts != 0)
    return make_error(
        ErrorCode::kUnsupported,
        "--detail auto cannot measure the misses of caches of all sizes; --detail exact and --detail bursts can");
  if (options.sizes.further[0].set_counts != 0)
    return refuse("the misses of caches with other lines, and of TLBs of all sizes",
                  "it has no intervals for these");
  if (options.sizes.lines.sampled_shift != 0)
    return make_error(
        ErrorCode::kInvalidArgument,
        "--detail bursts measures a part of the accesses, so --sizes cannot also simulate a part of the sets: omit the /N");
  if (options.occupancy_ms != 0) return refuse("the occupancy of the cache", "it has to see every access");
  for (EventId id : options.events) {
    if (id == EventId::kSharedLineHit || id == EventId::kPeerWait)
      return refuse(event::event_template(id).name, "another thread's bursts are at other times");
    if (id == EventId::kBranchMispredict)
      return refuse("branch_mispredict", "between bursts the predictor sees no branches");
  }
  return {};
}

Status check_options(const SoftOptions& options, const soft::Engine& engine) {
  if (Status suits = check_engine(engine, options); !suits) return suits;
  if (Status suits = check_bursts(options, engine); !suits) return suits;
  return check_attachment(options);
}

Status check_machine(const SoftOptions& options, const model::MachineGeometry& geometry,
                     const soft::Engine& engine) {
  if (Status status = check_physical(geometry); !status) return status;
  return check_events(options.events, geometry, engine);
}

}  // namespace hm::measure
