// SPDX-License-Identifier: MIT
// Options that limit the files of a recording: --max-size, -z, --rotate.
#pragma once

#include <string>

#include "app/measure/record_run.h"
#include "cli/command_line.h"

namespace hm::cli {

// The options about the recording's file, as typed.
struct FileFlags {
  std::string max_size;     // "100M"; empty: no limit
  std::string compression;  // a level, or "true" for the default; empty: none
  std::string rotate;       // "100M,5", "1h"; empty: one file
};

// Adds --max-size and -z.
void add_file_options(CommandLine& line, FileFlags& flags);
// Adds --rotate.
void add_rotation_option(CommandLine& line, FileFlags& flags);

// Sets `file` and `rotation`. Fails with kInvalidArgument if options exclude each other.
[[nodiscard]] Status take_file_flags(const FileFlags& flags, measure::RecordOptions& options);

}  // namespace hm::cli
