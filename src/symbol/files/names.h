// SPDX-License-Identifier: MIT
// What recordings call objects that are no files, and what symbols tell of a place in an object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hm::symbol {

inline constexpr std::string_view kVdsoPath = "[vdso]";
inline constexpr std::string_view kKernelPrefix = "[kernel.kallsyms]";
// What a just-in-time compiler wrote, where it gave no names.
inline constexpr const char* kJitCode = "[JIT code]";
// In place of a build-id: what is called so on this machine is not what was recorded.
inline constexpr const char* kNotHere = "not here";

struct Function {
  std::string name;  // demangled; "[libfoo.so+0x1234]", by where it begins, where no symbol covers the place
  uint64_t start = 0;  // address in the object: the ELF file's own, or as in the text table
  uint64_t size = 0;  // 0 where neither a symbol nor the unwind tables tell: then `start` is the place itself
  bool named = false;  // by a symbol
};

struct DataObject {
  std::string name;    // of the variable, demangled; of the section (".bss") where no symbol covers the place
  uint64_t start = 0;  // address in the object
  uint64_t size = 0;   // 0 where no symbol covers the place
  [[nodiscard]] bool known() const { return size != 0; }
};

}  // namespace hm::symbol
