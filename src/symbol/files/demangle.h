// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hm::symbol {

// Returns the display name of a symbol: demangled for C++ (Itanium) and Rust, unchanged for others. Keeps
// suffixes such as ".cold" and "@plt".
[[nodiscard]] std::string demangle(std::string_view name);

// Returns the name that demangle() returned for a symbol of a Nim program as its programmer writes it. C has
// names of the form that Nim 1 gives to symbols, so the program's language must be known.
[[nodiscard]] std::string nim_display_name(std::string name);

}  // namespace hm::symbol
