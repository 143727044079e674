// SPDX-License-Identifier: MIT
// Reads a dump: ours, and those of the original, whose registers have 32 bits.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "dump/dump.h"

namespace hm::dump {

struct Name {
  Thread thread;
  std::string comm;
  bool operator==(const Name&) const = default;
};

struct Dump {
  Header header;
  bool is_32_bit = false;
  // In the order of the file.
  std::vector<std::variant<Mapping, Fork, Exec, Name, HeapSite, Counted, Sample>> lines;
  std::vector<record::BuildId> build_ids;
  std::string run;  // JSON; empty if the dump does not have it
  uint64_t damaged_lines = 0;
  uint64_t first_damaged_line = 0;  // from 1; 0: none
};

// Whether a file that begins so is meant to be a dump.
[[nodiscard]] bool is_dump(std::string_view beginning);

// Lines that are neither # lines nor samples are counted. kDamaged where no line names the columns.
Result<Dump> read(std::string_view text);

// The same as a recording in perf's pipe format, for record::Reader. Samples of threads that the dump does
// not tell are those of thread 0.
[[nodiscard]] std::vector<std::byte> as_recording(const Dump& dump);

}  // namespace hm::dump
