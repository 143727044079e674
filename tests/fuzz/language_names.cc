// SPDX-License-Identifier: MIT
// Demangles any bytes. The name is not much longer than the symbol.
#include "symbol/files/language_names.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  std::string_view symbol(reinterpret_cast<const char*>(data), size);
  fuzz::require(symbol::without_lto_suffixes(symbol).size() <= size);
  std::optional<std::string> name = symbol::language_name(symbol);
  constexpr size_t kMaxRepeated = 4096;  // by back references
  if (name) fuzz::require(name->size() <= size + kMaxRepeated);
  return 0;
}
