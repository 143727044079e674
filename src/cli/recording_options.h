// SPDX-License-Identifier: MIT
// The options that the commands which read a recording share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "profile/filter.h"
#include "profile/needs.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::cli {

// -i FILE
void add_input_option(CLI::App& app, std::string& path);
// --json, and --stdio, which changes nothing: plain text is what there is.
void add_format_options(CLI::App& app, bool& json);
// --raw-ip
void add_raw_ip_option(CLI::App& app, bool& raw_ip);
// -e, --comm, --pid, --tid, --dso
void add_filter_options(CLI::App& app, profile::FilterOptions& filter);

// `resolver` finds the functions.
Result<profile::Profile> load_profile(const std::string& path, const symbol::Resolver& resolver,
                                      const profile::Needs& needs = {}, bool raw_ip = false);

}  // namespace hm::cli
