// SPDX-License-Identifier: MIT
// Options that the commands which read a recording share.
#pragma once

#include <string>

#include "app/query/load.h"
#include "cli/command_line.h"
#include "profile/filter.h"

namespace hm::cli {

// Adds -i FILE.
void add_input_option(CommandLine& line, std::string& path);
// Adds --json, and --stdio, which has no effect, because plain text is the default.
void add_format_options(CommandLine& line, bool& json);
// Adds --raw-ip and --trust-files.
void add_reading_options(CommandLine& line, query::Reading& reading);
// Adds --no-inline.
void add_inline_option(CommandLine& line, bool& no_inline);
void add_names_option(CommandLine& line, bool& full_names);
// Adds --sizes, for commands that report contention in the last-level cache.
void add_sizes_option(CommandLine& line, std::vector<std::string>& sizes);
// Adds -e, --comm, --pid, --tid and --dso.
void add_filter_options(CommandLine& line, profile::FilterOptions& filter);
// Adds the options of add_filter_options() except -e.
void add_task_filter_options(CommandLine& line, profile::FilterOptions& filter);

}  // namespace hm::cli
