// SPDX-License-Identifier: MIT
// For tests: builds recordings in memory and collects everything that a Reader finds in them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "record/event_records.h"
#include "record/example_recording.h"
#include "record/file_header.h"
#include "record/reader.h"

namespace hm::record::example {

struct Found {
  std::vector<std::string> kinds;
  std::vector<std::string> problems;
  std::vector<std::string> notes;
  uint64_t samples = 0;
};

inline Found read_all(Reader& reader) {
  Found found;
  while (auto record = reader.next()) {
    found.kinds.push_back(record_name(record->type));
    found.samples += record->type == PERF_RECORD_SAMPLE ? 1 : 0;
  }
  found.problems = reader.problems();
  found.notes = reader.notes();
  return found;
}

inline Found read_all(Bytes recording) {
  auto reader = Reader::over(recording);
  EXPECT_TRUE(reader.ok()) << reader.error().message;
  return reader.ok() ? read_all(*reader) : Found{};
}

// Returns a pipe with the events of the example, followed by `records`.
inline std::vector<std::byte> pipe_with(Bytes records) {
  ByteWriter out;
  encode_file_header({.is_pipe = true}, out);
  for (const EventDescription& event : events()) EXPECT_TRUE(encode_header_attr(event, out).ok());
  out.append(records);
  return std::move(out).take();
}

}  // namespace hm::record::example
