// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "record/event.h"
#include "record/record.h"

namespace hm::record {

// Finds the event that a record belongs to without decoding the record: the id stands at one place, which all
// events of a recording must share for perf to be able to read it.
class EventIndex {
 public:
  EventIndex() = default;
  explicit EventIndex(const std::vector<EventDescription>& events);

  [[nodiscard]] std::optional<size_t> of_id(uint64_t id) const;
  // The first event where there is only one, where records have no id, and for id 0, which perf gives to
  // records that it makes up. Nothing where the id is unknown or the record too short for it.
  [[nodiscard]] std::optional<size_t> of_record(const Record& record) const;

 private:
  size_t event_count_ = 0;
  std::optional<size_t> from_start_;  // of a sample's id, in bytes from the start of the payload
  std::optional<size_t> from_end_;    // of another record's id, in bytes from the end of the payload
  std::unordered_map<uint64_t, size_t> event_of_id_;
};

}  // namespace hm::record
