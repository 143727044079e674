// SPDX-License-Identifier: MIT
// Options of commands that query or feed a store.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command_line.h"
#include "store/open_store.h"
#include "store/queries.h"

namespace hm::cli {

struct StoreFlags {
  std::string address;      // empty: none was given
  std::string credentials;  // file with user name and password; empty: not needed
};
// Adds --store and --store-credentials.
void add_store_options(CommandLine& line, StoreFlags& flags);
[[nodiscard]] Result<store::Credentials> credentials_of(const StoreFlags& flags);
[[nodiscard]] Result<std::unique_ptr<store::Store>> open_store(const StoreFlags& flags);

// Fails with kInvalidArgument if the command line has an option that would be ignored: one of a store without
// --store, or another one with it, except `of_stores`, such as "--limit". Called after parse().
[[nodiscard]] Status check_store_use(const CommandLine& line, const StoreFlags& flags,
                                     const std::vector<std::string>& of_stores);

struct SelectionFlags {
  std::string service, host, source, build, from, to;
};
// Adds --service, --host, --source, --build, --from and --to, which select data of a store.
void add_selection_options(CommandLine& line, SelectionFlags& flags);
[[nodiscard]] Result<store::Selection> read_selection(const SelectionFlags& flags);

}  // namespace hm::cli
