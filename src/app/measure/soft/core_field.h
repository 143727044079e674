// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace hm::measure {

// "rax" of a general register's number in instructions; empty where there is none.
[[nodiscard]] std::string_view register_name(unsigned number);

// What copied code of the copying engine means by an address behind GS: a field of direct::Core, or the words
// of code lines behind it. Empty where nobody would look.
[[nodiscard]] std::string_view core_field(uint64_t offset);

}  // namespace hm::measure
