// SPDX-License-Identifier: MIT
// Copies of files that recordings need and that this machine does not have at their paths: programs of `go
// run`, rebuilt programs, files of containers, symbol maps of just-in-time compilers. They are stored in
// perf's cache, by build ID: FOLDER/.build-id/xx/yyyy/elf. FOLDER is PERF_BUILDID_DIR or ~/.debug
// (perf-buildid-cache(1)). docs/decisions/39-files-that-are-gone-are-kept.md.
#pragma once

#include <string>

#include "base/result.h"

namespace hm::symbol {

// Returns the path of the copy; empty if there is none. `build_id` is untrusted. perf names the copy of the
// kernel's symbols "kallsyms", and that of the vDSO "vdso".
[[nodiscard]] std::string kept_file(const std::string& build_id, const char* name = "elf");

// Copies the open file to the cache unless it is already there. Returns its build ID, or, if it has none, a
// key of the same length computed from its contents.
[[nodiscard]] Result<std::string> keep_file(int fd);

// The names of the files that keep_kernel() makes.
inline constexpr const char* kKeptKallsyms = "kallsyms";
inline constexpr const char* kKeptModules = "modules";
inline constexpr const char* kKeptCode = "kcore";

// Contents of files in /proc.
struct KernelTexts {
  std::string kallsyms, modules;
  std::string code;  // an ELF file with the kernel's code as its first segment, and that of its modules
};

// Writes the files of a kernel to the cache, in place of those of an earlier start of the same build.
Status keep_kernel(const std::string& build_id, const KernelTexts& texts);

}  // namespace hm::symbol
