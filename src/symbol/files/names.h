// SPDX-License-Identifier: MIT
// What recordings call objects that are no files, and what symbols tell of a place in an object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

// Code that a just-in-time compiler put somewhere in a process.
struct CodeLoad {
  uint64_t time_ns = 0;
  uint64_t start = 0;  // in the process
  uint64_t size = 0;
  uint64_t address = 0;  // in the object, of `start`
};

// In the order in which the compiler put it there.
struct CodeLoads {
  std::vector<CodeLoad> loads;
  bool is_monotonic = false;  // the times are CLOCK_MONOTONIC's
};

}  // namespace hm::symbol
