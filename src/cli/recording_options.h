// SPDX-License-Identifier: MIT
// The options that the commands which read a recording share.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "profile/filter.h"

namespace hm::cli {

// -i FILE
void add_input_option(CommandLine& line, std::string& path);
// --json, and --stdio, which changes nothing: plain text is what there is.
void add_format_options(CommandLine& line, bool& json);
// --raw-ip
void add_raw_ip_option(CommandLine& line, bool& raw_ip);
// -e, --comm, --pid, --tid, --dso
void add_filter_options(CommandLine& line, profile::FilterOptions& filter);

}  // namespace hm::cli
