// SPDX-License-Identifier: MIT
// Tells the source files of languages' libraries from those of programs.
#pragma once

#include <string_view>

namespace hm::symbol {

// True for a header of the system or of a compiler, and for the sources of the libraries of Rust and Go, by
// the paths that debug information has for them: "/usr/include/c++/12/bits/stl_vector.h",
// "/rustc/HASH/library/core/src/cmp.rs".
[[nodiscard]] bool is_of_library(std::string_view file);

}  // namespace hm::symbol
