// SPDX-License-Identifier: MIT
#include "analysis/check/check.h"

#include <fmt/format.h>

#include <array>

#include "record/lost.h"
#include "record/run_description.h"
#include "record/sample.h"

namespace hm::analysis {
namespace {

void add(std::optional<uint64_t>& total, uint64_t value) { total = total.value_or(0) + value; }

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
    report(unknown_event_, "{} samples have an id that belongs to no event");
    report(damaged_samples_, "{} samples are shorter than their fields");
    report(damaged_lost_, "{} records of losses are shorter than their fields");
    report(other_types_, "{} records are of types that no kernel and no perf is known to write");
    report(record::number_in(record::run_description(reader.features()), "cut_short_processes"),
           "processes cut short, as the engine that ran them could not go on: {}");
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
    if (sample->has(PERF_SAMPLE_PERIOD)) add(result_.period_sum, sample->period);
    if (sample->has(PERF_SAMPLE_BRANCH_STACK)) add(result_.branch_entries, sample->branches.size());
    if (sample->has(PERF_SAMPLE_CALLCHAIN)) add(result_.callchain_ips, sample->callchain.size());
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

CheckResult check(record::Reader& reader) {
  Checker checker(reader.events());
  while (std::optional<record::Record> record = reader.next()) {
    bool is_sample = record->type == PERF_RECORD_SAMPLE;
    checker.take(*record, is_sample ? reader.event_of(*record) : std::nullopt);
  }
  return std::move(checker).finish(reader);
}

}  // namespace hm::analysis
