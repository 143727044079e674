// SPDX-License-Identifier: MIT
#include "view/json/counting_json.h"

#include <gtest/gtest.h>

namespace hm::json {
namespace {

TEST(CountingJson, HasWhatWasCountedAndNoMore) {
  totals::Counting counting;
  counting.modelled = totals::Modelled{};
  counting.modelled->cycles = 2000;
  counting.totals.elapsed_ns = 500'000'000;
  for (auto [name, value] : {std::pair{"instr_retired", 1000u}, {"l1_cache_miss", 20u}}) {
    totals::EventTotal event{name, {}, {}, {}};
    event.count.exact = totals::Exact{value, 0, 0};
    counting.totals.events.push_back(event);
  }
  counting.totals.events.push_back({"not_counted", {}, {}, {}});
  totals::add_rates(counting.totals);
  Json json = Json::parse(counting_json(counting));
  EXPECT_EQ(json["totals"], (Json{{"instr_retired", 1000}, {"l1_cache_miss", 20}}));
  EXPECT_EQ(json["per_thousand_instructions"], (Json{{"l1_cache_miss", 20.0}}));
  EXPECT_EQ(json["per_second"]["l1_cache_miss"], 40.0);
  EXPECT_EQ(json["instructions_per_cycle"], 0.5);
}

}  // namespace
}  // namespace hm::json
