// SPDX-License-Identifier: MIT
// Finds the ELF file of a recorded object on this machine, in this order: in an archive; in the folders of
// --symfs; at its path, or through the process that maps it (base/process_files.h); by its build ID in the
// folders of --debug-dir, in perf's cache (symbol/files/kept_files.h), and on the servers in DEBUGINFOD_URLS.
#pragma once

#include <optional>
#include <string>

#include "base/process_files.h"
#include "base/result.h"
#include "symbol/files/debug_files.h"
#include "symbol/files/elf_module.h"

namespace hm::symbol {

struct RecordedFile {
  std::optional<ElfModule> module;
  std::optional<Error> problem;  // if there is no module
  bool was_built_again = false;  // true if the file at the path is another build than the recorded one
};

// `build_id` is empty if it is not known; `process.pid` is 0 if the path is valid in this process's root.
// `debug_files` must outlive the result.
[[nodiscard]] RecordedFile find_recorded_file(const std::string& path, const std::string& build_id,
                                              const ProcessMapping& process, DebugFiles& debug_files);

// Opens the file that the process maps, as a copy that its owner cannot change.
[[nodiscard]] UniqueFd open_file_of_process(const ProcessMapping& process);

}  // namespace hm::symbol
