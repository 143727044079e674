// SPDX-License-Identifier: MIT
#include "pmu/linux/attr.h"

#include <cerrno>
#include <ctime>

namespace hm::linux_pmu {
namespace {

constexpr uint64_t kEverySample = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                                  PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;

constexpr uint64_t kPageSizeFields = PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;

// arch/x86/events/perf_event.h: LARGE_PEBS_FLAGS.
constexpr uint64_t kBatchedFields = kEverySample | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
                                    PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR |
                                    PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_WEIGHT_TYPE |
                                    kPageSizeFields;

void set_call_chains(const Sampling& sampling, perf_event_attr& attr) {
  if (sampling.call_chains == CallChains::kNone) return;
  attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
  if (sampling.call_chains == CallChains::kDwarf) {
    attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    attr.sample_regs_user = kIntegerRegisters;
    attr.sample_stack_user = sampling.stack_bytes;
    attr.exclude_callchain_user = 1;
  }
  if (sampling.call_chains == CallChains::kLastBranch) {
    attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
    attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
                              PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES;
  }
}

uint64_t up_to_multiple(uint64_t value, uint64_t of) { return (value + of - 1) / of * of; }

void set_sampling(const Event& event, const Sampling& sampling, perf_event_attr& attr) {
  attr.sample_type = kEverySample | event.sample_fields | sampling.more_fields;
  attr.use_clockid = sampling.monotonic_clock ? 1 : 0;
  attr.clockid = sampling.monotonic_clock ? CLOCK_MONOTONIC : 0;
  if (sampling.frequency_hz) {
    attr.freq = 1;
    attr.sample_freq = *sampling.frequency_hz;
  } else {
    attr.sample_period = up_to_multiple(sampling.period.value_or(event.usual_period), event.period_multiple);
  }
  attr.precise_ip = event.max_precise & 3;
  if ((attr.sample_type & PERF_SAMPLE_REGS_INTR) != 0) attr.sample_regs_intr = kIntegerRegisters;
  if (sampling.branch_filter != 0) {
    attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
    attr.branch_sample_type = sampling.branch_filter;
  }
  set_call_chains(sampling, attr);
}

void set_modes(const Event& event, const Modes& modes, perf_event_attr& attr) {
  if (!event.filters_modes) return;
  attr.exclude_user = event.user.value_or(modes.user) ? 0 : 1;
  attr.exclude_kernel = event.kernel.value_or(modes.kernel) ? 0 : 1;
  attr.exclude_hv = attr.exclude_kernel;
  if (attr.exclude_user == 0 && attr.exclude_kernel == 0) return;
  attr.config |= event.filter_config;
  attr.config2 |= event.filter_config2;
}

}  // namespace

perf_event_attr make_attr(const Event& event, const Intent& intent) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = event.programming.type;
  attr.config = event.programming.config;
  attr.config1 = event.programming.config1;
  attr.config2 = event.programming.config2;
  attr.bp_type = event.programming.breakpoint_type;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
  attr.disabled = 1;
  attr.inherit = intent.inherit && !intent.target.by_cpu() ? 1 : 0;
  attr.enable_on_exec = intent.target.only_a_command() ? 1 : 0;
  set_modes(event, intent.modes, attr);
  if (!intent.sampling || event.helper) return attr;
  set_sampling(event, *intent.sampling, attr);
  attr.sample_id_all = 1;
  return attr;
}

void add_side_band(perf_event_attr& attr) {
  attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task = 1;
  attr.ksymbol = attr.exclude_kernel == 0 ? 1 : 0;
  // perf needs data mappings to find the unwind tables of a program.
  attr.mmap_data = (attr.sample_type & (PERF_SAMPLE_ADDR | PERF_SAMPLE_STACK_USER)) != 0 ? 1 : 0;
}

Batching batching_of(const perf_event_attr& attr) {
  if (attr.precise_ip == 0) return {false, "the event is not precise"};
  if (attr.freq != 0) return {false, "the period is derived from a frequency; -c sets a fixed period"};
  if ((attr.sample_type & PERF_SAMPLE_CALLCHAIN) != 0)
    return {false, "call chains need an interrupt for each sample"};
  if ((attr.sample_type & PERF_SAMPLE_BRANCH_STACK) != 0)
    return {
        false,
        "branch records need an interrupt for each sample, except on CPUs that include them in the sample (Ice Lake and later)"};
  if ((attr.sample_type & ~kBatchedFields) != 0)
    return {false, "a field of the samples needs an interrupt for each sample"};
  return {true, ""};
}

std::string_view describe(Fallback fallback) {
  switch (fallback) {
    case Fallback::kPrecision:
      return "less precise than the event is on other machines";
    case Fallback::kKernelMode:
      return "user mode only: measuring the kernel is not permitted";
    case Fallback::kWeightStruct:
      return "latency in one number: the kernel is older than 5.12";
    case Fallback::kPageSizes:
      return "without page sizes: the kernel is older than 5.11";
  }
  return "";
}

bool only_in_kernel(const perf_event_attr& attr) {
  return attr.type == PERF_TYPE_SOFTWARE &&
         (attr.config == PERF_COUNT_SW_CONTEXT_SWITCHES || attr.config == PERF_COUNT_SW_CPU_MIGRATIONS ||
          attr.config == PERF_COUNT_SW_CGROUP_SWITCHES);
}

std::optional<Fallback> fall_back(perf_event_attr& attr, int error, bool modes_chosen) {
  bool forbidden = error == EACCES || error == EPERM;
  bool both_modes = attr.exclude_kernel == 0 && attr.exclude_user == 0;
  if (forbidden && both_modes && !modes_chosen && !only_in_kernel(attr)) {
    attr.exclude_kernel = attr.exclude_hv = 1;
    return Fallback::kKernelMode;
  }
  if (error == EINVAL && (attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT) != 0) {
    attr.sample_type = (attr.sample_type & ~uint64_t{PERF_SAMPLE_WEIGHT_STRUCT}) | PERF_SAMPLE_WEIGHT;
    return Fallback::kWeightStruct;
  }
  if (error == EINVAL && (attr.sample_type & kPageSizeFields) != 0) {
    attr.sample_type &= ~kPageSizeFields;
    return Fallback::kPageSizes;
  }
  if ((error == EINVAL || error == EOPNOTSUPP) && attr.precise_ip > 0) {
    attr.precise_ip = (attr.precise_ip - 1u) & 3;
    return Fallback::kPrecision;
  }
  return std::nullopt;
}

}  // namespace hm::linux_pmu
