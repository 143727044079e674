// SPDX-License-Identifier: MIT
// Loads the profile for a query on a recording.
#pragma once

#include <string>

#include "base/result.h"
#include "profile/needs.h"
#include "profile/profile.h"
#include "symbol/file_resolver.h"
#include "symbol/files/debug_files.h"
#include "symbol/resolver.h"
#include "symbol/source_files.h"

namespace hm::query {

struct Reading {
  // Leave samples of the clock event at their recorded instruction, instead of moving them to the instruction
  // that waited.
  bool raw_ip = false;
  // Accept this machine's files in place of the recorded ones even without evidence that the files are
  // identical.
  bool trust_files = false;
  // Further folders with the recorded files and their debug files.
  symbol::DebugFiles::Options files{};
  // For the resolver: where the source files are (symbol/source_files.h).
  symbol::SourceRules source_rules{};
};

// Returns the resolver that uses the folders and source rules of `reading`.
[[nodiscard]] symbol::FileResolver resolver_for(const Reading& reading);

// Loads a recording or a dump; "-" is standard input. For a dump, this machine's files are always accepted.
// `resolver` looks up the functions.
[[nodiscard]] Result<profile::Profile> load_profile(const std::string& path, const symbol::Resolver& resolver,
                                                    const profile::Needs& needs, const Reading& reading);

// Data accesses of the samples, and the accessed objects.
inline constexpr profile::Needs kDataObjects{
    .chains = false, .branches = profile::Branches::kNone, .details = true, .objects = true};
// kDataObjects with call chains.
inline constexpr profile::Needs kCauses{
    .chains = true, .branches = profile::Branches::kNone, .details = true, .objects = true};

}  // namespace hm::query
