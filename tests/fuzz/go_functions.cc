// SPDX-License-Identifier: MIT
// Reads any bytes as Go's table of functions. Names lie in the table.
#include "symbol/files/go_functions.h"

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
  return 0;
}
