// SPDX-License-Identifier: MIT
#include "pmu/soft/sampling/function_names.h"

#include <stdint.h>

namespace hm::soft {
namespace {

bool starts_with(const char* text, const char* prefix) {
  for (; *prefix != '\0'; ++text, ++prefix) {
    if (*text != *prefix) return false;
  }
  return true;
}

bool contains(const char* text, const char* part) {
  for (; *text != '\0'; ++text) {
    if (starts_with(text, part)) return true;
  }
  return false;
}

// Compares up to the symbol's first dot, which no identifier contains.
bool same_identifier(const char* symbol, const char* wanted) {
  for (; *symbol != '\0' && *symbol != '.'; ++symbol, ++wanted) {
    if (*symbol != *wanted) return false;
  }
  return *wanted == '\0';
}

// Returns the length of the first of the names separated by "::".
uint32_t first_length(const char* names) {
  uint32_t length = 0;
  while (names[length] != '\0' && !starts_with(names + length, "::")) ++length;
  return length;
}

// Returns the text after "3bar" if that is the name of this length, else null.
const char* behind_name(const char* mangled, const char* name, uint32_t length) {
  constexpr uint32_t kLongest = 4096;
  if (*mangled == 'L') ++mangled;  // of internal linkage
  uint32_t bytes = 0;
  for (; *mangled >= '0' && *mangled <= '9' && bytes < kLongest; ++mangled)
    bytes = bytes * 10 + static_cast<uint32_t>(*mangled - '0');
  if (bytes != length || length == 0) return nullptr;
  for (uint32_t i = 0; i < length; ++i) {
    if (mangled[i] != name[i]) return nullptr;
  }
  return mangled + length;
}

bool is_mangled(const char* symbol, const char* wanted) {
  if (!starts_with(symbol, "_Z")) return false;
  const char* at = symbol + 2;
  bool nested = *at == 'N';
  if (nested != contains(wanted, "::")) return false;
  if (nested) ++at;
  while (nested && (*at == 'r' || *at == 'V' || *at == 'K' || *at == 'R' || *at == 'O')) ++at;  // qualifiers
  while (true) {
    uint32_t length = first_length(wanted);
    at = behind_name(at, wanted, length);
    if (at == nullptr) return false;
    wanted += length;
    if (*wanted == '\0') break;
    wanted += 2;
  }
  // The end of the name, template arguments, or an ABI tag.
  return !nested || *at == 'E' || *at == 'I' || *at == 'B';
}

}  // namespace

bool names_function(const char* symbol, const char* wanted) {
  if (starts_with(symbol, wanted) && starts_with(wanted, symbol)) return true;
  if (contains(symbol, ".cold") || contains(symbol, ".part.")) return false;
  return same_identifier(symbol, wanted) || is_mangled(symbol, wanted);
}

}  // namespace hm::soft
