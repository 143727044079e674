// SPDX-License-Identifier: MIT
#include "analysis/cause/event_subject.h"

#include <algorithm>
#include <initializer_list>

#include "event/event_template.h"

namespace hm::cause {

bool is_one_of(std::string_view event, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, event) != names.end();
}

bool is_about_data_tlb(std::string_view event) {
  return is_one_of(event, {"dtlb_load_miss", "dtlb_stor_miss", "dtlb_all_miss", "tlb_wait"});
}

bool is_about_code(std::string_view event) {
  return is_one_of(event, {"icache_miss", "split_fetch_miss", "itlb_miss", "fetch_wait"});
}

bool is_wait(std::string_view event) {
  const event::EventTemplate* known = event::find_event(event);
  return known != nullptr && known->group == event::EventGroup::kWait;
}

bool is_about_data_caches(std::string_view event) {
  return is_one_of(event, {"l1_cache_miss", "l1_store_miss", "l2_cache_miss", "l3_cache_miss", "memory_wait",
                           "l2_wait", "l3_wait", "dram_wait", "peer_wait"});
}

uint32_t cache_level_of(std::string_view event) {
  if (is_one_of(event, {"l1_cache_miss", "l1_store_miss", "split_load_miss", "split_store_miss",
                        "icache_miss", "split_fetch_miss", "memory_wait", "l2_wait", "fetch_wait"}))
    return 1;
  if (is_one_of(event, {"l2_cache_miss", "shared_line_hit", "l3_wait", "peer_wait"})) return 2;
  return is_one_of(event, {"l3_cache_miss", "dram_wait"}) ? 3 : 0;
}

}  // namespace hm::cause
