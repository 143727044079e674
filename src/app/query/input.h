// SPDX-License-Identifier: MIT
// What the commands that read are given: a recording of perf's format, or a dump.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "record/reader.h"

namespace hm::query {

class Input {
 public:
  // As record::Reader::open; a dump is turned into a recording.
  static Result<Input> open(const std::string& path);

  [[nodiscard]] record::Reader& reader() { return reader_; }
  [[nodiscard]] bool is_dump() const { return !converted_.empty(); }
  // What was found wrong beside the reader's own problems, a sentence each.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  explicit Input(record::Reader reader) : reader_(std::move(reader)) {}
  static Result<Input> from_dump(const std::string& path);

  std::vector<std::byte> converted_;  // the reader is over it
  std::vector<std::string> problems_;
  record::Reader reader_;
};

}  // namespace hm::query
