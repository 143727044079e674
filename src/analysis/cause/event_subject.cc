// SPDX-License-Identifier: MIT
#include "analysis/cause/event_subject.h"

#include <algorithm>
#include <initializer_list>

namespace hm::cause {

bool is_one_of(std::string_view event, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, event) != names.end();
}

bool is_about_data_tlb(std::string_view event) {
  return is_one_of(event, {"dtlb_load_miss", "dtlb_stor_miss", "dtlb_all_miss"});
}

bool is_about_code(std::string_view event) {
  return is_one_of(event, {"icache_miss", "split_fetch_miss", "itlb_miss"});
}

uint32_t cache_level_of(std::string_view event) {
  if (is_one_of(event, {"l1_cache_miss", "l1_store_miss", "split_load_miss", "split_store_miss",
                        "icache_miss", "split_fetch_miss"}))
    return 1;
  if (is_one_of(event, {"l2_cache_miss", "shared_line_hit"})) return 2;
  return event == "l3_cache_miss" ? 3 : 0;
}

}  // namespace hm::cause
