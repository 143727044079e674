// SPDX-License-Identifier: MIT
// The options that the commands which read a recording share.
#pragma once

#include <string>

#include "app/query/load.h"
#include "cli/command_line.h"
#include "profile/filter.h"

namespace hm::cli {

// -i FILE
void add_input_option(CommandLine& line, std::string& path);
// --json, and --stdio, which changes nothing: plain text is what there is.
void add_format_options(CommandLine& line, bool& json);
// --raw-ip, --trust-files
void add_reading_options(CommandLine& line, query::Reading& reading);
// --no-inline
void add_inline_option(CommandLine& line, bool& no_inline);
// --sizes, of commands that tell who crowded whom out of the last-level cache
void add_sizes_option(CommandLine& line, std::vector<std::string>& sizes);
// -e, --comm, --pid, --tid, --dso
void add_filter_options(CommandLine& line, profile::FilterOptions& filter);
// The same without -e.
void add_task_filter_options(CommandLine& line, profile::FilterOptions& filter);

}  // namespace hm::cli
