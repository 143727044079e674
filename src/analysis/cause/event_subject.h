// SPDX-License-Identifier: MIT
// Classifies events by their names (event/event_template.h).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace hm::cause {

[[nodiscard]] bool is_one_of(std::string_view event, std::initializer_list<std::string_view> names);

// Returns true if the event counts data TLB misses.
[[nodiscard]] bool is_about_data_tlb(std::string_view event);

// Returns true if the event counts instruction cache or instruction TLB misses.
[[nodiscard]] bool is_about_code(std::string_view event);

// Returns true if the event counts cycles that a core waits.
[[nodiscard]] bool is_wait(std::string_view event);

// Returns true if the event counts misses of caches of data, or waits for them.
[[nodiscard]] bool is_about_data_caches(std::string_view event);

// Returns the level of the cache, code or data, that the event counts misses of, or whose misses it waits
// for; 0 = none. Events about lines modified by another core map to level 2, because private caches end
// there. All that memory_wait counts has missed at level 1.
[[nodiscard]] uint32_t cache_level_of(std::string_view event);

}  // namespace hm::cause
