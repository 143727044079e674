// SPDX-License-Identifier: MIT
// Reads any bytes as a dump of a just-in-time compiler. An entry that covers an address has code, and may
// have a line there.
#include "symbol/files/jitdump.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  Result<symbol::JitDump> dump = symbol::JitDump::over(fuzz::input(data, size));
  if (!dump) return 0;
  symbol::SymbolTable symbols = dump->symbols();
  for (size_t i = 0; i < symbols.size(); ++i) {
    symbol::Symbol symbol = symbols.at(i);
    Bytes code = dump->code_at(symbol.start, symbol.size);
    fuzz::require(code.size() == symbol.size);
    for (uint64_t byte : {uint64_t{0}, symbol.size - 1}) (void)dump->line_at(symbol.start + byte);
  }
  return 0;
}
