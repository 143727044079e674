// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace hm::app {

// The name of what copied code addresses at an offset from GS: a field of direct::Core, or the presence words
// of code lines behind it. Empty where there is nothing.
[[nodiscard]] std::string_view core_field(uint64_t offset);

}  // namespace hm::app
