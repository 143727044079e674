// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace hm::symbol {

// Returns the position behind the arguments of a template's instance in a symbol of D, which begin at `at`
// and end with a Z (https://dlang.org/spec/abi.html, "Template Instance Name Mangling"). Returns npos if they
// have arguments of unknown forms.
[[nodiscard]] size_t end_of_d_arguments(std::string_view symbol, size_t at);

}  // namespace hm::symbol
