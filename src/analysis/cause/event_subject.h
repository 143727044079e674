// SPDX-License-Identifier: MIT
// What an event is about, by its name (event/event_template.h).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace hm::cause {

[[nodiscard]] bool is_one_of(std::string_view event, std::initializer_list<std::string_view> names);

// That pages miss a TLB of data.
[[nodiscard]] bool is_about_data_tlb(std::string_view event);

// That code misses its cache or TLB.
[[nodiscard]] bool is_about_code(std::string_view event);

// That lines miss a level of cache, of code or data: its number. What another core has modified is of the
// second, as private caches end there. 0: none.
[[nodiscard]] uint32_t cache_level_of(std::string_view event);

}  // namespace hm::cause
