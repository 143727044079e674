// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace hm {

// Returns the identity of an x86 CPU in perf's format, for example "AuthenticAMD,25,17,1": vendor, family,
// model and stepping (/proc/cpuinfo). Returns nullopt on other processors.
[[nodiscard]] std::optional<std::string> cpu_identity();

// Returns the processor's name, for example "AMD EPYC 9R14".
[[nodiscard]] std::optional<std::string> cpu_name();

}  // namespace hm
