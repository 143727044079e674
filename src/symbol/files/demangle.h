// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hm::symbol {

// What a person calls the symbol: C++ (Itanium) and Rust names demangled, others as they are. A suffix such
// as
// ".cold" or "@plt" is kept.
[[nodiscard]] std::string demangle(std::string_view name);

}  // namespace hm::symbol
