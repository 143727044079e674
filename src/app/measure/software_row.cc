// SPDX-License-Identifier: MIT
#include <unistd.h>

#include "app/measure/rows.h"
#include "app/measure/sampling_arguments.h"
#include "app/measure/soft/soft_source.h"
#include "app/measure/source_choice.h"
#include "base/cgroup.h"
#include "base/process_tree.h"
#include "pmu/shell_status.h"
#include "pmu/soft/launcher/target.h"

namespace hm::measure {
namespace {

constexpr uint64_t kUsualPeriod = 1000, kUsualFrequentPeriod = 10'000;
// Stack copies may be larger than the kernel's, because they are not recorded.
constexpr uint32_t kUsualStackBytes = 32768;

Error hardware_only(const char* option) {
  return make_error(ErrorCode::kUnsupported,
                    "the software PMU does not support {}; the kernel's PMU does (--pmu=linux)", option);
}

Status take_heap(const SamplingOptions& sampling, soft::HeapOptions& heap) {
  heap.observed = !sampling.no_heap_blocks;
  if (!heap.observed && !sampling.allocators.empty())
    return make_error(ErrorCode::kInvalidArgument, "--allocator and --no-heap-blocks exclude each other");
  for (const std::string& each : sampling.allocators) {
    Result<soft::AllocatorName> allocator = soft::parse_allocator(each);
    if (!allocator) return allocator.error();
    heap.allocators.push_back(*std::move(allocator));
  }
  return {};
}

// Within a budget, bursts cover only a small part of the run. Every event in a burst is therefore sampled,
// except frequent events.
uint64_t usual_period(const SoftOptions& options) {
  return options.running.budget == 0 || !options.bursts ? kUsualPeriod : soft::scale_of(*options.bursts);
}

Status take_sampling_options(const SamplingOptions& sampling, SoftOptions& options) {
  if (sampling.frequency_hz) return hardware_only("-F");
  Period period =
      sampling.period.empty() ? Period{usual_period(options), false} : *parse_period(sampling.period);
  if (period.is_time) return hardware_only("a period of time");
  std::optional<uint32_t> branches = soft_branches(sampling.branches);
  if (!sampling.branches.empty() && !branches) return hardware_only("this branch filter");
  options.period = period.events;
  bool is_rare = sampling.period.empty() && period.events < kUsualPeriod;
  options.frequent_period = is_rare ? kUsualFrequentPeriod : period.events;
  options.periods_grow = sampling.periods_may_grow && sampling.period.empty();
  options.jitter = !sampling.no_jitter;
  options.occupancy_ms = occupancy_ms_of(sampling);
  options.max_samples = sampling.max_samples;
  options.keep_symbols = keep_symbols_of(sampling);
  CallGraph graph = call_graph_of(sampling);
  options.callers_wanted = graph.how != linux_pmu::CallChains::kNone;
  if (sampling.call_graph.empty() && sampling.software_call_chains) graph.how = linux_pmu::CallChains::kDwarf;
  if (graph.how == linux_pmu::CallChains::kLastBranch) return hardware_only("--call-graph lbr");
  options.call_chains = graph.how != linux_pmu::CallChains::kNone;
  if (graph.how == linux_pmu::CallChains::kDwarf)
    options.stack_bytes = graph.stack_bytes != 0 ? graph.stack_bytes : kUsualStackBytes;
  options.branch_filter = sampling.branches.empty() ? 0 : *branches;
  return take_heap(sampling, options.heap);
}

// Within a budget, plans short and dense bursts, because an episode is short: half of its time is spent in
// bursts.
soft::BurstPlan usual_bursts(double budget) {
  soft::BurstPlan plan;
  if (budget != 0) {
    plan.slots = uint64_t{1} << 13;
    plan.gap_slots = uint64_t{1} << 18;
    plan.bursts_per_doubling = 0;
  }
  return plan;
}

Status take_processes(const pmu::Target& target, SoftOptions& options) {
  options.running.processes = target.pids;
  if (!target.roots.empty())
    options.running.find_more = [roots = target.roots] { return with_descendants(roots); };
  if (target.cgroup.empty()) return {};
  Result<std::vector<pid_t>> found = processes_in_cgroup(target.cgroup);
  if (!found) return found.error();
  std::erase(*found, ::getpid());
  if (found->empty())
    return make_error(ErrorCode::kNotFound, "the cgroup '{}' has no process", target.cgroup);
  options.running.processes = *std::move(found);
  options.running.find_more = [cgroup = target.cgroup] {
    Result<std::vector<pid_t>> now = processes_in_cgroup(cgroup);
    return now ? *std::move(now) : std::vector<pid_t>();
  };
  return {};
}

Result<SoftOptions> soft_options(const MeasureOptions& options) {
  bool is_guest = options.software.engine == soft::EngineWish::kGuest;
  if (std::string advice = kernel_mode_advice(options.modes); !advice.empty() && !is_guest)
    return make_error(ErrorCode::kUnsupported,
                      "the software PMU models user mode only, so -k is not possible{}{}",
                      options.source ? "; omit --pmu=soft" : "", advice);
  if (!options.inherit) return hardware_only("-i");
  Result<std::vector<event::EventId>> events = event::only_table_events(options.events);
  if (!events) return events.error();
  const SoftwareOptions& software = options.software;
  SoftOptions wanted;
  wanted.command = options.target.command;
  wanted.output = options.target.output;
  wanted.output_file = options.target.output_file;
  if (Status taken = take_processes(options.target, wanted); !taken) return taken.error();
  wanted.events = *std::move(events);
  wanted.engine = software.engine;
  wanted.guest = software.guest;
  wanted.modes = options.modes;
  wanted.classes = software.classes;
  wanted.system_call_memory = software.system_call_memory;
  wanted.tlb_cycles = software.tlb_cycles;
  wanted.sizes = software.sizes;
  wanted.bursts = software.bursts;
  wanted.bursts_if_possible = software.bursts_if_possible;
  wanted.estimates_time = software.estimates_time;
  bool attaches = !wanted.running.processes.empty();
  bool names_bursts = software.bursts && software.bursts->exact_slots == 0;
  if (attaches && !software.exact && !names_bursts) wanted.bursts = usual_bursts(software.budget);
  wanted.running.budget = software.budget;
  wanted.copies_only = software.copies_only;
  wanted.absent = software.absent;
  wanted.reproducible = software.reproducible;
  wanted.layout = software.layout;
  wanted.geometry = software.geometry;
  wanted.limits = software.limits;
  wanted.traced_function = software.traced_function;
  if (!software.open_block_trace) return wanted;
  auto trace = software.open_block_trace();
  if (!trace) return trace.error();
  wanted.block_trace = *std::move(trace);
  return wanted;
}

}  // namespace

std::optional<pmu::Refusal> refuse_for_software_pmu(const std::string& program) {
  auto target = soft::resolve_target(program);
  if (target) return std::nullopt;
  return pmu::Refusal{pmu::shell_status_of(target.error()), target.error().message};
}

Result<std::unique_ptr<pmu::Source>> open_software_pmu(const MeasureOptions& options,
                                                       const SamplingOptions* sampling) {
  Result<SoftOptions> wanted = soft_options(options);
  if (!wanted) return wanted.error();
  wanted->sampling = sampling != nullptr;
  if (sampling != nullptr) {
    if (Status taken = take_sampling_options(*sampling, *wanted); !taken) return taken.error();
    if (options.adds_waits) wanted->events.insert(wanted->events.begin(), event::EventId::kMemoryWait);
  } else {
    wanted->classes = false;
    if (options.usual_events) wanted->events.clear();  // events without extra cost are counted anyway
  }
  return open_soft_source(*wanted);
}

}  // namespace hm::measure
