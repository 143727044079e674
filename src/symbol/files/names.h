// SPDX-License-Identifier: MIT
// Names of objects that are not files, and symbol information about code and data in an object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hm::symbol {

inline constexpr std::string_view kVdsoPath = "[vdso]";
inline constexpr std::string_view kKernelPrefix = "[kernel.kallsyms]";
// Begins the paths of code that the kernel compiled or generated while it ran, which is in no file: BPF
// programs and trampolines (kernel_code_path()).
inline constexpr std::string_view kKernelCodePrefix = "[bpf]";
// Name for a just-in-time compiler's code without names.
inline constexpr const char* kJitCode = "[JIT code]";
// Replaces a build ID if the file of that name on this machine is not the recorded one.
inline constexpr const char* kNotHere = "not here";
// Replaces a missing build ID if the file was changed after the recording.
inline constexpr const char* kChanged = "changed";

struct Function {
  std::string name;    // demangled; "[libfoo.so+0x1234]", by its start, if no symbol covers the place
  uint64_t start = 0;  // address in the object: the ELF file's own, or as in the text table
  uint64_t size = 0;   // 0 without symbol and unwind table; `start` is then the place itself
  bool named = false;  // true if the name comes from a symbol
};

struct DataObject {
  std::string name;    // demangled variable name; the section (".bss") if no symbol covers the place
  uint64_t start = 0;  // address in the object
  uint64_t size = 0;   // 0 if no symbol covers the place
  [[nodiscard]] bool known() const { return size != 0; }
};

// Code that a just-in-time compiler loaded into a process.
struct CodeLoad {
  uint64_t time_ns = 0;
  uint64_t start = 0;  // in the process
  uint64_t size = 0;
  uint64_t address = 0;  // address in the object that corresponds to `start`
};

// The loads in order of time.
struct CodeLoads {
  std::vector<CodeLoad> loads;
  bool is_monotonic = false;  // the times are CLOCK_MONOTONIC times
};

// Returns the path of an object that consists of one function of the kernel.
[[nodiscard]] inline std::string kernel_code_path(std::string_view function, uint64_t bytes) {
  return std::string(kKernelCodePrefix) + std::to_string(bytes) + ':' + std::string(function);
}

}  // namespace hm::symbol
