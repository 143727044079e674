// SPDX-License-Identifier: MIT
// The processors that --reproducible names: the levels of the x86-64 psABI (System V ABI, AMD64 supplement,
// "Micro-Architecture Levels"), and nothing beyond them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// Values of the options --reproducible, --seed and --env.
struct ReproducibleOptions {
  std::string cpu = "x86-64-v3";
  uint64_t seed = 0;
  std::vector<std::string> variables;  // added to the environment: "NAME=VALUE"
};

[[nodiscard]] const std::vector<std::string_view>& defined_cpus();

// Sets the session's machine. Fails with kInvalidArgument for an unknown name, with kUnsupported if this
// machine's processor lacks a feature of the named one.
[[nodiscard]] Status define_machine(const ReproducibleOptions& options, Session& session);

// Sets the limits of this process that decide where memory is and how many files may be open: 8 MiB of stack
// and 1,024 descriptors, or less if the hard limits are lower. Called between fork and exec.
void define_limits();

// Returns "x86-64-v3, seed 0".
[[nodiscard]] std::string describe(const ReproducibleOptions& options);

// Returns the program's environment: the variables of the user's that are named, and a few that many programs
// need.
[[nodiscard]] std::vector<std::string> defined_environment(const ReproducibleOptions& options);

}  // namespace hm::soft
