// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace hm::measure {

// Returns a general register's name, such as "rax", for its number in instruction encodings; empty if there
// is none.
[[nodiscard]] std::string_view register_name(unsigned number);

// Returns the name of the data at an offset from GS in copied code: a field of direct::Core, or the presence
// words of code lines after it. Empty if there is none.
[[nodiscard]] std::string_view core_field(uint64_t offset);

}  // namespace hm::measure
