// SPDX-License-Identifier: MIT
#include "analysis/check/recording_check.h"

#include <fmt/format.h>

#include <array>

#include "record/lost.h"
#include "record/run_description.h"
#include "record/sample.h"

namespace hm::analysis {
namespace {

constexpr std::array<SumName, kSumCount> kSumNames{{
    {Sum::kPeriod, "period_sum", "period"},
    {Sum::kAddresses, "addresses", "data addresses"},
    {Sum::kWeight, "weight_sum", "weight (latency)"},
    {Sum::kDataSources, "data_sources", "data sources"},
    {Sum::kBranchEntries, "branch_entries", "branch entries"},
    {Sum::kCallchainIps, "callchain_ips", "call chain entries"},
    {Sum::kUserRegisters, "user_registers", "registers in user mode"},
    {Sum::kStackBytes, "stack_bytes", "bytes of stacks"},
    {Sum::kInterruptRegisters, "interrupt_registers", "registers at the interrupt"},
    {Sum::kRawBytes, "raw_bytes", "raw bytes"},
    {Sum::kAuxBytes, "aux_bytes", "bytes of AUX data"},
}};

// Returns false for "not available", which a PMU writes if it has no information (perf_event_open(2),
// PERF_SAMPLE_DATA_SRC).
bool is_informative(uint64_t data_source) {
  perf_mem_data_src source{};
  source.val = data_source;
  return data_source != 0 && (source.mem_op & ~uint64_t{PERF_MEM_OP_NA}) != 0;
}

class Checker {
 public:
  explicit Checker(const std::vector<record::EventDescription>& events) : events_(events) {
    result_.samples_per_event.resize(events.size());
  }

  void take(const record::Record& record, std::optional<size_t> event) {
    count_kind(record.type);
    if (record.type == PERF_RECORD_SAMPLE) take_sample(record, event);
    if (record.type == PERF_RECORD_LOST || record.type == PERF_RECORD_LOST_SAMPLES) take_lost(record);
  }

  CheckResult finish(const record::Reader& reader) && {
    for (size_t type = 0; type < by_type_.size(); ++type) {
      if (by_type_[type] > 0)
        result_.records[record::record_name(static_cast<uint32_t>(type))] = by_type_[type];
    }
    result_.problems = reader.problems();
    result_.notes = reader.notes();
    if (result_.records.empty()) result_.problems.emplace_back("it has no readable record");
    if (events_.empty()) result_.problems.emplace_back("it describes no event");
    if (std::optional<uint64_t> traced = result_.sum(Sum::kAuxBytes); traced && *traced != 0)
      result_.notes.push_back(fmt::format("{} bytes of hardware traces in the samples are skipped", *traced));
    report(unknown_event_, "{} samples have an event ID that belongs to no event");
    report(damaged_samples_, "{} samples are shorter than their fields");
    report(damaged_lost_, "{} LOST records are shorter than their fields");
    report(other_types_, "{} records have unknown types, which no known kernel or perf writes");
    report(record::number_in(record::run_description(reader.features()), "cut_short_processes"),
           "processes whose measurement ended early because the engine could not continue: {}");
    report(result_.lost,
           "{} records or samples were lost while recording: record fewer events, or use a larger buffer");
    return std::move(result_);
  }

 private:
  void count_kind(uint32_t type) {
    if (type < by_type_.size()) {
      ++by_type_[type];
    } else {
      ++other_types_;
    }
  }

  void take_sample(const record::Record& record, std::optional<size_t> event) {
    ++result_.samples;
    if (!event.has_value()) {
      ++unknown_event_;
      return;
    }
    ++result_.samples_per_event[*event];
    Result<record::Sample> sample = record::decode_sample(events_[*event].attr, record.payload, record.swap);
    if (!sample.ok()) {
      ++damaged_samples_;
      return;
    }
    add_fields(*sample);
  }

  void add_fields(const record::Sample& sample) {
    auto add = [&](Sum which, uint64_t field, uint64_t value) {
      std::optional<uint64_t>& sum = result_.sums[static_cast<size_t>(which)];
      if (sample.has(field)) sum = sum.value_or(0) + value;
    };
    add(Sum::kPeriod, PERF_SAMPLE_PERIOD, sample.period);
    add(Sum::kAddresses, PERF_SAMPLE_ADDR, sample.addr != 0 ? 1 : 0);
    add(Sum::kWeight, PERF_SAMPLE_WEIGHT_TYPE, sample.latency_cycles());
    add(Sum::kDataSources, PERF_SAMPLE_DATA_SRC, is_informative(sample.data_source) ? 1 : 0);
    add(Sum::kBranchEntries, PERF_SAMPLE_BRANCH_STACK, sample.branches.size());
    add(Sum::kCallchainIps, PERF_SAMPLE_CALLCHAIN, sample.callchain.size());
    add(Sum::kUserRegisters, PERF_SAMPLE_REGS_USER, sample.user_regs.values.size());
    add(Sum::kStackBytes, PERF_SAMPLE_STACK_USER, sample.user_stack.used_bytes);
    add(Sum::kInterruptRegisters, PERF_SAMPLE_REGS_INTR, sample.intr_regs.values.size());
    add(Sum::kRawBytes, PERF_SAMPLE_RAW, sample.raw.size());
    add(Sum::kAuxBytes, PERF_SAMPLE_AUX, sample.aux.size());
  }

  void take_lost(const record::Record& record) {
    Result<record::Lost> lost = record::decode_lost(record);
    if (lost.ok()) {
      result_.lost += lost->count;
    } else {
      ++damaged_lost_;
    }
  }

  void report(uint64_t count, fmt::format_string<uint64_t&> sentence) {
    if (count > 0) result_.problems.push_back(fmt::format(sentence, count));
  }

  const std::vector<record::EventDescription>& events_;
  CheckResult result_;
  std::array<uint64_t, 256> by_type_{};
  uint64_t other_types_ = 0;
  uint64_t unknown_event_ = 0;
  uint64_t damaged_samples_ = 0;
  uint64_t damaged_lost_ = 0;
};

}  // namespace

const std::array<SumName, kSumCount>& sum_names() { return kSumNames; }

CheckResult check(record::Reader& reader) {
  Checker checker(reader.events());
  while (std::optional<record::Record> record = reader.next()) {
    bool is_sample = record->type == PERF_RECORD_SAMPLE;
    checker.take(*record, is_sample ? reader.event_of(*record) : std::nullopt);
  }
  return std::move(checker).finish(reader);
}

}  // namespace hm::analysis
