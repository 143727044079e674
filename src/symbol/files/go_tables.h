// SPDX-License-Identifier: MIT
// The parts of the section .gopclntab: src/runtime/symtab.go and src/cmd/link/internal/ld/pcln.go in Go's
// sources.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/bytes.h"

namespace hm::symbol {

struct GoTables {
  enum class Version : uint8_t { k1_16, k1_18, k1_20 };  // the first Go with this format

  Version version = Version::k1_20;
  uint64_t functions = 0;         // number of entries of the function table; 0 for an unknown format
  uint64_t text_start = 0;        // added to their addresses
  uint8_t instruction_bytes = 1;  // size of the smallest instruction, the unit of address differences
  Bytes names;
  Bytes units;            // for each compilation unit, the offsets of its files' names
  Bytes files;            // names of files
  Bytes values;           // tables of values by address
  Bytes entries;          // the function table, with the descriptions of functions behind it
  size_t word_bytes = 0;  // size of each of the two numbers in an entry, and of the address in a description
};

// Returns the bytes from an offset on; empty behind the end.
[[nodiscard]] inline Bytes bytes_from(Bytes table, uint64_t offset) {
  return table.subspan(static_cast<size_t>(std::min<uint64_t>(offset, table.size())));
}

// Reads the table of Go 1.16 or later for a 64-bit little-endian machine; has no functions for all others.
// `text_start` is as for read_go_functions().
[[nodiscard]] GoTables read_go_tables(Bytes table, uint64_t text_start);

}  // namespace hm::symbol
