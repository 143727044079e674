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

// A parsed recording: its metadata, and the position of its records.
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

// Parses the head of a recording. For a pipe, scans all records for metadata; for a file, only those before
// the first sample. Fails with kDamaged or kUnsupported if the header cannot be used. Lesser damage is added
// to `problems`.
Result<Contents> read_contents(Bytes file);

}  // namespace hm::record
