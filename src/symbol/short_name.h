// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace hm::symbol {

/// Returns true if `wanted` is the end of a function's name, from the start of a component on: "add" and
/// "Book::add" are short for "address::Book::add(int)". Parameters and template arguments are compared only
/// if `wanted` has them. Blanks, and the parts that source_name() removes, do not matter.
[[nodiscard]] bool is_short_name(std::string_view wanted, std::string_view function);

}  // namespace hm::symbol
