// SPDX-License-Identifier: MIT
// Reads any bytes as Go's table of functions. Names lie in the table.
#include "symbol/files/go_functions.h"
#include "symbol/files/go_lines.h"
#include "symbol/files/go_tables.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  Bytes table = fuzz::input(data, size);
  size_t name_bytes = 0;
  for (const symbol::RawSymbol& function : symbol::read_go_functions(table, 0x1000)) {
    fuzz::require(function.size != 0 && !function.name.empty());
    name_bytes += function.name.size();
  }
  fuzz::require(name_bytes <= table.size());
  // Any bytes as tables and as trees of inlined functions.
  symbol::GoTables tables = symbol::read_go_tables(table, 0x1000);
  symbol::GoLines lines(tables, table);
  for (uint64_t address : {uint64_t{0x1000}, uint64_t{0x1010}, tables.text_start + size, uint64_t{size}}) {
    std::vector<symbol::Frame> frames = lines.at(address);
    if (!frames.empty()) fuzz::require(!frames.back().inlined);
  }
  return 0;
}
