// SPDX-License-Identifier: MIT
#include <linux/perf_event.h>

#include <algorithm>
#include <string_view>

#include "app/measure/linux/linux_source.h"
#include "app/measure/rows.h"
#include "app/measure/sampling_arguments.h"
#include "app/measure/source_choice.h"

namespace hm::measure {
namespace {

Error software_only(std::string_view option) {
  return make_error(ErrorCode::kUnsupported,
                    "the kernel's PMU does not support {}; the software PMU does (--pmu=soft)", option);
}

Status check_software_options(const MeasureOptions& options, const SamplingOptions* sampling) {
  if (std::string_view feature = software_feature(options, sampling); !feature.empty())
    return software_only(feature);
  if (!options.software.open_block_trace) return {};
  return make_error(
      ErrorCode::kUnsupported,
      "--trace-blocks prints the code that the copying engine generates, and the kernel's PMU uses no engine; use --pmu=soft --engine=direct");
}

Status check_clock_period(const std::vector<event::Selection>& events, const SamplingOptions& sampling) {
  if (sampling.period.empty() || !parse_period(sampling.period)->is_time) return {};
  for (const event::Selection& each : events) {
    if (!event::is_clock(each))
      return make_error(ErrorCode::kInvalidArgument,
                        "-c {} is a time, but {} is not counted by time; give a number", sampling.period,
                        each.name);
  }
  return {};
}

uint64_t more_fields(const SamplingOptions& options) {
  uint64_t fields = 0;
  if (options.addresses) fields |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
  if (options.physical_addresses) fields |= PERF_SAMPLE_ADDR | PERF_SAMPLE_PHYS_ADDR;
  if (options.page_sizes)
    fields |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;
  if (options.weights) fields |= PERF_SAMPLE_WEIGHT_STRUCT;
  if (options.registers) fields |= PERF_SAMPLE_REGS_INTR;
  return fields;
}

Result<linux_pmu::Sampling> kernels_sampling(const SamplingOptions& options) {
  linux_pmu::Sampling sampling;
  if (!options.period.empty()) sampling.period = parse_period(options.period)->events;
  if (options.frequency_hz && sampling.period)
    return make_error(ErrorCode::kInvalidArgument, "-c (period) and -F (frequency) exclude each other");
  sampling.frequency_hz = options.frequency_hz;
  if (!options.branches.empty()) sampling.branch_filter = *kernel_branches(options.branches);
  CallGraph graph = call_graph_of(options);
  sampling.call_chains = graph.how;
  if (graph.stack_bytes != 0) sampling.stack_bytes = graph.stack_bytes;
  sampling.more_fields = more_fields(options);
  // A compiler's dump uses this clock for the times of code replacement.
  sampling.monotonic_clock = occupancy_ms_of(options) != 0 || options.jit_names;
  return sampling;
}

Status take_sampling(const SamplingOptions& sampling, LinuxOptions& options) {
  if (!sampling.allocators.empty()) return software_only("--allocator");
  if (Status good = check_clock_period(options.events, sampling); !good) return good;
  Result<linux_pmu::Sampling> taken = kernels_sampling(sampling);
  if (!taken) return taken.error();
  options.sampling = *taken;
  options.ring_bytes = sampling.ring_kib * 1024;
  options.max_samples = sampling.max_samples;
  options.keep_symbols = keep_symbols_of(sampling);
  return {};
}

}  // namespace

Result<std::unique_ptr<pmu::Source>> open_kernels_pmu(const MeasureOptions& options,
                                                      const SamplingOptions* sampling) {
  if (Status good = check_software_options(options, sampling); !good) return good.error();
  if (options.source && options.software.budget != 0) return software_only("--budget");
  LinuxOptions wanted{.target = options.target,
                      .events = options.events,
                      .sampling = {},
                      .modes = options.modes,
                      .inherit = options.inherit};
  if (sampling != nullptr) {
    if (Status taken = take_sampling(*sampling, wanted); !taken) return taken.error();
  }
  Result<std::unique_ptr<pmu::Source>> source = open_linux_source(wanted);
  std::string advice = kernel_mode_advice(options.modes);
  bool would_help = !advice.empty() && std::ranges::any_of(options.events, in_table);
  if (source || !would_help || source.error().code != ErrorCode::kUnsupported) return source;
  return make_error(ErrorCode::kUnsupported, "{}{}", source.error().message, advice);
}

}  // namespace hm::measure
