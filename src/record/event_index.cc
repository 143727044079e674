// SPDX-License-Identifier: MIT
#include "record/event_index.h"

#include <bit>

#include "record/u64_view.h"

namespace hm::record {
namespace {

constexpr size_t kWord = sizeof(uint64_t);

size_t words_of(uint64_t sample_type, uint64_t fields) {
  return static_cast<size_t>(std::popcount(sample_type & fields));
}

std::optional<size_t> id_from_start(uint64_t sample_type) {
  if ((sample_type & PERF_SAMPLE_IDENTIFIER) != 0) return 0;
  if ((sample_type & PERF_SAMPLE_ID) == 0) return std::nullopt;
  return kWord *
         words_of(sample_type, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR);
}

std::optional<size_t> id_from_end(const perf_event_attr& attr) {
  if (attr.sample_id_all == 0) return std::nullopt;
  if ((attr.sample_type & PERF_SAMPLE_IDENTIFIER) != 0) return kWord;
  if ((attr.sample_type & PERF_SAMPLE_ID) == 0) return std::nullopt;
  return kWord * (1 + words_of(attr.sample_type, PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU));
}

}  // namespace

EventIndex::EventIndex(const std::vector<EventDescription>& events) : event_count_(events.size()) {
  if (events.empty()) return;
  from_start_ = id_from_start(events.front().attr.sample_type);
  from_end_ = id_from_end(events.front().attr);
  for (size_t event = 0; event < events.size(); ++event) {
    for (uint64_t id : events[event].ids) event_of_id_.emplace(id, event);
  }
}

std::optional<size_t> EventIndex::of_id(uint64_t id) const {
  auto found = event_of_id_.find(id);
  if (found != event_of_id_.end()) return found->second;
  return id == 0 && event_count_ > 0 ? std::optional<size_t>(0) : std::nullopt;
}

std::optional<size_t> EventIndex::of_record(const Record& record) const {
  if (event_count_ == 0) return std::nullopt;
  bool is_sample = record.type == PERF_RECORD_SAMPLE;
  const std::optional<size_t>& place = is_sample ? from_start_ : from_end_;
  if (event_count_ == 1 || !place.has_value() || record.type >= kHeaderAttr) return 0;
  size_t size = record.payload.size();
  size_t needed = is_sample ? *place + kWord : *place;
  if (size < needed) return std::nullopt;
  return of_id(U64View(record.payload.subspan(is_sample ? *place : size - *place, kWord), record.swap)[0]);
}

}  // namespace hm::record
