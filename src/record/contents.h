// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "record/event.h"
#include "record/event_index.h"
#include "record/features.h"
#include "record/id_index.h"

namespace hm::record {

// A recording with its head taken off: what it says of itself, and where its records are.
struct Contents {
  bool swap = false;
  bool is_pipe = false;
  std::vector<EventDescription> events;
  EventIndex index;  // of `events`
  std::vector<IdPlace> id_places;
  Features features;
  Bytes records;
  uint64_t records_offset = 0;
  std::vector<std::string> problems;
};

// Of a pipe, all its records are passed over to find what belongs to the head; of a file, those before the
// first sample. kDamaged, kUnsupported: the header cannot be used. Lesser damage is among the problems.
Result<Contents> read_contents(Bytes file);

}  // namespace hm::record
