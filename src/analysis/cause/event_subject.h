// SPDX-License-Identifier: MIT
// What an event is about, by its name (event/event_template.h).
#pragma once

#include <cstdint>
#include <string_view>

namespace hm::cause {

// That pages miss a TLB of data.
[[nodiscard]] bool is_about_data_tlb(std::string_view event);

// That code misses its cache or TLB.
[[nodiscard]] bool is_about_code(std::string_view event);

// That loads or stores reach into a second line.
[[nodiscard]] bool is_about_split_accesses(std::string_view event);

// That lines miss a level of cache, of code or data: its number. What another core has modified is of the
// second, as private caches end there. 0: none.
[[nodiscard]] uint32_t cache_level_of(std::string_view event);

}  // namespace hm::cause
