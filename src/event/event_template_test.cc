// SPDX-License-Identifier: MIT
#include "event/event_template.h"

#include <gtest/gtest.h>

namespace hm::event {
namespace {

TEST(EventTemplate, HistoricAndRightSpellingsNameOneEvent) {
  EXPECT_EQ(find_event("dtlb_stor_miss"), find_event("dtlb_store_miss"));
  EXPECT_EQ(find_event("scaler_dp_retired"), find_event("scalar_dp_retired"));
  EXPECT_EQ(find_event(""), nullptr);
}

TEST(EventTemplate, ParsesAListInItsOrder) {
  auto ids = parse_event_list("l2_cache_miss,l1_cache_miss");
  ASSERT_TRUE(ids);
  EXPECT_EQ(*ids, (std::vector{EventId::kL2CacheMiss, EventId::kL1CacheMiss}));
}

TEST(EventTemplate, AnUnknownNameIsAnsweredWithTheNearest) {
  auto ids = parse_event_list("l1_cache_mis");
  ASSERT_FALSE(ids);
  EXPECT_EQ(ids.error().message,
            "unknown event 'l1_cache_mis'; the nearest is 'l1_cache_miss' (`hardmeter list` shows all)");
  EXPECT_FALSE(parse_event_list(""));
  EXPECT_FALSE(parse_event_list("l1_cache_miss,"));
  EXPECT_FALSE(parse_event_list("l1_cache_miss,l1_cache_miss"));
}

TEST(EventTemplate, EveryEventSaysWhatItIs) {
  for (const EventTemplate& each : all_events()) {
    EXPECT_FALSE(each.description.empty()) << each.name;
    if (each.soft != SoftSupport::kExact) {
      EXPECT_FALSE(each.soft_note.empty()) << each.name;
    }
  }
}

}  // namespace
}  // namespace hm::event
