// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hm::symbol {

// Returns the display name of a symbol: demangled for C++ (Itanium) and Rust, unchanged for others. Keeps
// suffixes such as ".cold" and "@plt".
[[nodiscard]] std::string demangle(std::string_view name);

}  // namespace hm::symbol
