// SPDX-License-Identifier: MIT
// Input of the reading commands: a recording in perf's format, or a dump.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/reader.h"
#include "record/recording_source.h"

namespace hm::query {

class Input {
 public:
  // Opens a file as record::Reader::open() does; converts a dump to a recording.
  static Result<Input> open(const std::string& path);

  [[nodiscard]] record::Reader& reader() { return reader_; }
  [[nodiscard]] bool is_dump() const { return !converted_.empty(); }
  // Returns problems found outside of the reader, one sentence each.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  explicit Input(record::Reader reader) : reader_(std::move(reader)) {}
  static Result<Input> from_recording(record::Source source);
  static Result<Input> from_dump(std::string_view text);

  std::vector<std::byte> converted_;  // the reader refers to these bytes
  std::vector<std::string> problems_;
  record::Reader reader_;
};

}  // namespace hm::query
