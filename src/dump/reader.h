// SPDX-License-Identifier: MIT
// Reads dumps: those of this program, and those of the original with its 32-bit registers.
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
  // In file order.
  std::vector<std::variant<Mapping, Fork, Exec, Name, HeapSite, Counted, Sample>> lines;
  std::vector<record::BuildId> build_ids;
  std::string run;  // JSON; empty if the dump does not contain it
  uint64_t damaged_lines = 0;
  uint64_t first_damaged_line = 0;  // line number from 1; 0: none
};

// Returns true if a file with this beginning is meant to be a dump.
[[nodiscard]] bool is_dump(std::string_view beginning);

// Counts lines that are neither # lines nor samples as damaged. Fails with kDamaged if no line names the
// columns.
Result<Dump> read(std::string_view text);

// Returns the dump as a recording in perf's pipe format, for record::Reader. Samples without a known thread
// get thread ID 0.
[[nodiscard]] std::vector<std::byte> as_recording(const Dump& dump);

}  // namespace hm::dump
