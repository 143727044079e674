// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace hm::measure {

// "rax" of a general register's number in instructions; empty where there is none.
[[nodiscard]] std::string_view register_name(unsigned number);

// The name of what copied code addresses at an offset from GS: a field of direct::Core, or the presence words
// of code lines behind it. Empty where there is nothing.
[[nodiscard]] std::string_view core_field(uint64_t offset);

}  // namespace hm::measure
