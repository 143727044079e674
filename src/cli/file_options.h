// SPDX-License-Identifier: MIT
// How large the files of a recording get: --max-size, -z, --rotate.
#pragma once

#include <string>

#include "app/measure/record.h"
#include "cli/command_line.h"

namespace hm::cli {

struct FileWords {
  std::string max_size;     // "100M"; empty: no limit
  std::string compression;  // a level, or "true"; empty: none
  std::string rotate;       // "100M,5", "1h"; empty: one file
};

// --max-size and -z.
void add_file_options(CommandLine& line, FileWords& words);
// --rotate
void add_rotation_option(CommandLine& line, FileWords& words);

// Sets `file` and `rotation`. kInvalidArgument where options exclude each other.
[[nodiscard]] Status take_file_words(const FileWords& words, measure::RecordOptions& options);

}  // namespace hm::cli
