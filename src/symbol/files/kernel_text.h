// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

namespace hm::symbol {

inline constexpr const char* kKallsymsPath = "/proc/kallsyms";
inline constexpr const char* kModulesPath = "/proc/modules";

// Returns the contents of a file in /proc that describes the running kernel; nullptr if it cannot be read.
// Reads the file again only after 10 seconds, because the modules of a recording are looked up one by one.
// Thread-safe.
[[nodiscard]] std::shared_ptr<const std::string> kernel_text(const std::string& path);

}  // namespace hm::symbol
