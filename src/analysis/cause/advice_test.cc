// SPDX-License-Identifier: MIT
#include "analysis/cause/advice.h"
#include "support/paths.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace hm::cause {
namespace {

Evidence conflicts(double share, Shape shape) {
  return {.event = "l1_cache_miss",
          .capacity = 1 - share,
          .conflict = share,
          .walk = {shape, 4096, 1},
          .access_bytes = 8};
}

TEST(Advice, ConflictsArePaddedAway) {
  std::optional<Advice> advice = advise(conflicts(0.9, Shape::kStrided));
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->pattern, Pattern::kPowerOfTwoStride);
  ASSERT_TRUE(advice->gain);
  EXPECT_DOUBLE_EQ(advice->gain->low, 0) << "nobody knows how many lines lie between";
  EXPECT_DOUBLE_EQ(advice->gain->high, 0.9);
}

TEST(Advice, PaddingIsNotWorseThanChance) {
  Evidence rows = conflicts(0.9, Shape::kStrided);
  rows.kept_by_chance = 0.5;
  EXPECT_DOUBLE_EQ(advise(rows)->gain->low, 0.45);
  EXPECT_DOUBLE_EQ(advise(rows)->gain->high, 0.9);
}

TEST(Advice, PaddingDoesNotMoveFrames) {
  Evidence rows = conflicts(0.9, Shape::kStrided);
  rows.physical = true;
  EXPECT_THAT(std::string(remedy_of(*advise(rows))), testing::HasSubstr("huge pages"));
  rows.physical = false;
  EXPECT_THAT(std::string(remedy_of(*advise(rows))), testing::Not(testing::HasSubstr("huge pages")));
}

TEST(Advice, AListHasNoRows) {
  EXPECT_EQ(advise(conflicts(0.9, Shape::kPointerChase))->pattern, Pattern::kPointerChase);
}

TEST(Advice, AStrideForCapacityIsAColumnWalk) {
  std::optional<Advice> advice = advise(conflicts(0.1, Shape::kStrided));
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->pattern, Pattern::kColumnWalk);
  ASSERT_TRUE(advice->gain);
  EXPECT_DOUBLE_EQ(advice->gain->high, 7.0 / 8);
}

TEST(Advice, AnotherOrderGainsWhatALineIsMissedForAgain) {
  Evidence column = conflicts(0, Shape::kStrided);
  column.one_element = profile::Share{0.25, 0.2, 0.3};
  ASSERT_TRUE(advise(column)->gain);
  EXPECT_DOUBLE_EQ(advise(column)->gain->low, 0.7);
  EXPECT_DOUBLE_EQ(advise(column)->gain->high, 0.8);
  column.one_element = profile::Share{0.125, 0.1, 0.15};
  EXPECT_DOUBLE_EQ(advise(column)->gain->high, 7.0 / 8);
  column.one_element = profile::Share{1, 0.96, 1};
  EXPECT_EQ(advise(column)->pattern, Pattern::kWorkingSetTooLarge) << "once a line in each pass";
}

TEST(Advice, WhereASetHoldsNoBlockRowsArePaddedToo) {
  Evidence column = conflicts(0, Shape::kStrided);
  column.lines_kept = 8;  // one set
  EXPECT_EQ(advise(column)->pattern, Pattern::kPowerOfTwoStride);
  EXPECT_EQ(remedy_of(*advise(column)), "interchange the loops, or pad the rows and work in blocks");
  EXPECT_DOUBLE_EQ(advise(column)->gain->high, 7.0 / 8);
  column.lines_kept = 64;
  EXPECT_EQ(advise(column)->pattern, Pattern::kColumnWalk);
}

TEST(Advice, InOrderAPageIsTranslatedOnce) {
  Evidence column{.event = "dtlb_load_miss", .walk = {Shape::kStrided, 8192, 1}, .access_bytes = 8};
  ASSERT_TRUE(advise(column)->gain);
  EXPECT_EQ(advise(column)->pattern, Pattern::kColumnWalk);
  EXPECT_DOUBLE_EQ(advise(column)->gain->low, 7.0 / 8);
  EXPECT_DOUBLE_EQ(advise(column)->gain->high, 1 - 1.0 / 512);
  column.walk.step_bytes = -1024;  // four rows to a page
  EXPECT_DOUBLE_EQ(advise(column)->gain->high, 1 - 1.0 / 128);
}

TEST(Advice, ASequentialWalkIsColdOrTooLarge) {
  Evidence cold{
      .event = "l1_cache_miss", .compulsory = 0.95, .capacity = 0.05, .walk = {Shape::kSequential, 64, 1}};
  EXPECT_EQ(advise(cold)->pattern, Pattern::kColdScan);
  ASSERT_TRUE(advise(cold)->gain);
  EXPECT_DOUBLE_EQ(advise(cold)->gain->low, 0);
  EXPECT_DOUBLE_EQ(advise(cold)->gain->high, 1) << "of all the bytes";
  Evidence again{
      .event = "l2_cache_miss", .compulsory = 0.05, .capacity = 0.95, .walk = {Shape::kSequential, 64, 1}};
  EXPECT_EQ(advise(again)->pattern, Pattern::kWorkingSetTooLarge);
  EXPECT_DOUBLE_EQ(advise(again)->gain->low, 0);
  EXPECT_DOUBLE_EQ(advise(again)->gain->high, 0.95);
}

TEST(Advice, RecordsOfWhichLittleIsUsedAreSplit) {
  Evidence records{.event = "l1_cache_miss",
                   .capacity = 1,
                   .walk = {Shape::kSequential, 64, 1},
                   .access_bytes = 4,
                   .element_bytes = 64,
                   .used_bytes = 8};
  std::optional<Advice> advice = advise(records);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->pattern, Pattern::kHotAndColdFields);
  ASSERT_TRUE(advice->gain);
  EXPECT_DOUBLE_EQ(advice->gain->high, 7.0 / 8);
  records.used_bytes = 48;
  EXPECT_EQ(advise(records)->pattern, Pattern::kWorkingSetTooLarge);
  records.used_bytes = 8;
  records.walk = {Shape::kStrided, 4096, 1};  // not consecutive elements
  EXPECT_EQ(advise(records)->pattern, Pattern::kColumnWalk);
}

TEST(Advice, OfRecordsWithoutATypeTheCodeSaysWhatIsUsed) {
  Evidence records{.event = "l1_cache_miss",
                   .capacity = 1,
                   .walk = {Shape::kStrided, 128, 1},
                   .access_bytes = 8,
                   .used_bytes = 8,
                   .one_element = profile::Share{1, 0.98, 1}};
  EXPECT_EQ(advise(records)->pattern, Pattern::kHotAndColdFields);
  EXPECT_DOUBLE_EQ(advise(records)->gain->low, 0) << "other code may use more";
  EXPECT_DOUBLE_EQ(advise(records)->gain->high, 7.0 / 8);
  records.used_bytes = 40;
  EXPECT_EQ(advise(records)->pattern, Pattern::kWorkingSetTooLarge);
  records.used_bytes = 8;
  records.one_element = profile::Share{0.125, 0.1, 0.15};
  EXPECT_EQ(advise(records)->pattern, Pattern::kColumnWalk) << "the others of a line come later";
}

TEST(Advice, ElementsLargerThanALineSaveLines) {
  Evidence records{.event = "l1_cache_miss",
                   .capacity = 1,
                   .walk = {Shape::kStrided, 136, 1},
                   .access_bytes = 4,
                   .element_bytes = 136,
                   .used_bytes = 4};
  ASSERT_TRUE(advise(records)->gain);
  EXPECT_DOUBLE_EQ(advise(records)->gain->high, 1 - 4.0 / 64) << "a line each, not 136 bytes";
  records.used_bytes = 68;
  EXPECT_FALSE(advise(records)->gain) << "a line each before and after";
}

TEST(Advice, NodesInOrderShareLines) {
  Evidence list{.event = "l2_cache_miss",
                .capacity = 1,
                .walk = {Shape::kPointerChase, std::nullopt, 0},
                .element_bytes = 32,
                .used_bytes = 16};
  ASSERT_TRUE(advise(list)->gain);
  EXPECT_DOUBLE_EQ(advise(list)->gain->low, 0.5);
  EXPECT_DOUBLE_EQ(advise(list)->gain->high, 7.0 / 8);
  list.element_bytes = 0;
  EXPECT_FALSE(advise(list)->gain) << "a node's size is not known";
  list.block_bytes = 32;
  list.separate_blocks = true;
  ASSERT_TRUE(advise(list)->gain) << "a block for each node";
  EXPECT_DOUBLE_EQ(advise(list)->gain->low, 0.5);
  list.separate_blocks = false;
  list.element_bytes = 32;
  list.used_bytes = 0;
  EXPECT_FALSE(advise(list)->gain);
}

TEST(Advice, EachPatternHasAPage) {
  for (auto pattern = Pattern::kPowerOfTwoStride; pattern <= Pattern::kNoisyNeighbour;
       pattern = static_cast<Pattern>(static_cast<int>(pattern) + 1)) {
    std::string page = fmt::format("{}/docs/patterns/{}.md", test_paths::kSource, name_of(pattern));
    EXPECT_TRUE(std::filesystem::exists(page)) << page;
    EXPECT_FALSE(remedy_of({pattern, {}}).empty());
  }
}

TEST(Advice, ListsAndTables) {
  Evidence list{.event = "l1_cache_miss", .capacity = 1, .walk = {Shape::kPointerChase, std::nullopt, 0}};
  EXPECT_EQ(advise(list)->pattern, Pattern::kPointerChase);
  Evidence table{.event = "dtlb_load_miss", .walk = {Shape::kComputed, std::nullopt, 0}};
  EXPECT_EQ(advise(table)->pattern, Pattern::kBigRandomTable);
}

TEST(Advice, WhatDoesNotWaitForWhatIsMissedCanBePrefetched) {
  Evidence table{.event = "l2_cache_miss", .capacity = 1, .walk = {Shape::kComputed, std::nullopt, 0}};
  ASSERT_TRUE(advise(table)->gain);
  EXPECT_DOUBLE_EQ(advise(table)->gain->low, 0);
  EXPECT_DOUBLE_EQ(advise(table)->gain->high, 1);
  table.walk.shape = Shape::kIrregular;
  EXPECT_FALSE(advise(table)->gain) << "nobody knows where the address comes from";
}

TEST(Advice, IndicesInOrderMissEachLineOnce) {
  Evidence table{.event = "l1_cache_miss",
                 .capacity = 1,
                 .walk = {Shape::kIndirect, std::nullopt, 0, symbol::AddressSource::kLoadedInOrder},
                 .access_bytes = 8,
                 .one_element = profile::Share{0.125, 0.1, 0.15}};
  ASSERT_TRUE(advise(table)->gain);
  EXPECT_EQ(remedy_of(*advise(table)), "sort the indices into bins, or prefetch the indexed data");
  EXPECT_DOUBLE_EQ(advise(table)->gain->low, 0);
  EXPECT_DOUBLE_EQ(advise(table)->gain->high, 7.0 / 8);
  table.walk.source = symbol::AddressSource::kLoaded;
  ASSERT_TRUE(advise(table)->gain);
  EXPECT_DOUBLE_EQ(advise(table)->gain->high, 1) << "there is nothing to sort: prefetched";
  table.walk.source = symbol::AddressSource::kBesideChase;
  EXPECT_EQ(advise(table)->pattern, Pattern::kPointerChase);
  EXPECT_FALSE(advise(table)->gain) << "it waits for the nodes";
  table.walk.source = symbol::AddressSource::kLoadedInOrder;
  table.one_element = profile::Share{1, 0.96, 1};
  EXPECT_DOUBLE_EQ(advise(table)->gain->high, 1) << "an element a line: prefetched";
}

TEST(Advice, CodeThatFitsIsNotMissed) {
  Evidence code{.event = "icache_miss", .compulsory = 0.1, .capacity = 0.7, .conflict = 0.2, .walk = {}};
  ASSERT_TRUE(advise(code)->gain);
  EXPECT_DOUBLE_EQ(advise(code)->gain->high, 0.7 + 0.2);
  EXPECT_FALSE(advise({.event = "itlb_miss", .walk = {}})->gain) << "it has no class";
}

TEST(Advice, HugePagesGainWhatTheModelSays) {
  Evidence table{.event = "dtlb_load_miss", .walk = {Shape::kComputed, std::nullopt, 0}};
  EXPECT_FALSE(advise(table)->gain);
  table.huge_pages = 0.75;
  EXPECT_DOUBLE_EQ(advise(table)->gain->low, 0.75);
  EXPECT_DOUBLE_EQ(advise(table)->gain->high, 0.75);
  table.walk.shape = Shape::kPointerChase;
  EXPECT_EQ(advise(table)->pattern, Pattern::kPointerChase);
  EXPECT_DOUBLE_EQ(advise(table)->gain->high, 0.75);
  table.walk.shape = Shape::kComputed;
  table.event = "dtlb_stor_miss";  // name in recordings
  ASSERT_TRUE(advise(table));
  EXPECT_EQ(advise(table)->pattern, Pattern::kBigRandomTable);
}

TEST(Advice, WhatFitsALineNeedsNotBeSplit) {
  Evidence split{.event = "split_load_retired", .walk = {}, .access_bytes = 8};
  EXPECT_EQ(advise(split)->pattern, Pattern::kSplitAccess);
  EXPECT_DOUBLE_EQ(advise(split)->gain->low, 1);
  split.copies_or_compares = true;
  EXPECT_DOUBLE_EQ(advise(split)->gain->low, 0);
  split.access_bytes = 512;
  EXPECT_FALSE(advise(split)->gain);
}

TEST(Advice, LoadsWaitForStoresToTheSameBytesOrElsewhere) {
  Evidence load{.event = "mob_load_replay_retired", .walk = {}};
  EXPECT_DOUBLE_EQ(advise(load)->gain->low, 0) << "it may be either";
  load.aliases = 0;
  EXPECT_DOUBLE_EQ(advise(load)->gain->low, 1);
  EXPECT_EQ(remedy_of(*advise(load)), "load with the width of the store");
  load.aliases = 0.9;
  EXPECT_DOUBLE_EQ(advise(load)->gain->low, 0) << "they may meet others";
  EXPECT_DOUBLE_EQ(advise(load)->gain->high, 0.9);
  EXPECT_EQ(remedy_of(*advise(load)), "move the loaded or the stored data by a few lines within its page");
}

TEST(Advice, SharingIsMendedByTheWayItIsShared) {
  Evidence shared{.event = "l1_cache_miss",
                  .conflict = 0.1,
                  .true_sharing = 0.1,
                  .false_sharing = 0.6,
                  .sharing = 0.2,
                  .walk = {Shape::kOnePlace, 0, 1}};
  std::optional<Advice> advice = advise(shared);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->pattern, Pattern::kFalseSharing);
  EXPECT_DOUBLE_EQ(advice->gain->low, 0.6);
  EXPECT_DOUBLE_EQ(advice->gain->high, 0.8);
  shared.line_is_exchanged = true;
  EXPECT_EQ(advise(shared)->pattern, Pattern::kSpinLock) << "its holder loses the line to those who wait";
  EXPECT_DOUBLE_EQ(advise(shared)->gain->low, 0);
  EXPECT_DOUBLE_EQ(advise(shared)->gain->high, 0.9);
  shared.exchanges = true;
  EXPECT_EQ(advise(shared)->pattern, Pattern::kSpinLock);
  EXPECT_DOUBLE_EQ(advise(shared)->gain->low, 0);
  EXPECT_DOUBLE_EQ(advise(shared)->gain->high, 1);
  Evidence wanted{.event = "shared_line_hit", .true_sharing = 0.9, .false_sharing = 0.1, .walk = {}};
  EXPECT_FALSE(advise(wanted)) << "what threads all need is not a matter of layout";
}

TEST(Advice, NothingIsSaidWhereNothingIsKnown) {
  EXPECT_FALSE(advise({.event = "l1_cache_miss", .walk = {}}));
  EXPECT_FALSE(advise({.event = "dtlb_load_miss", .walk = {}}));
  EXPECT_FALSE(advise({.event = "clock", .conflict = 1, .walk = {}}));
}

// Padding does not help against another program's lines.
TEST(Advice, LinesThatAnotherProgramEvicted) {
  Evidence evidence{
      .event = "l3_cache_miss", .conflict = 0.1, .other_program = 0.9, .walk = {}, .access_bytes = 8};
  evidence.walk.shape = Shape::kStrided;
  evidence.walk.step_bytes = 4096;
  std::optional<Advice> advice = advise(evidence);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->pattern, Pattern::kNoisyNeighbour);
  EXPECT_DOUBLE_EQ(advice->gain->low, 0.9);
  EXPECT_DOUBLE_EQ(advice->gain->high, 0.9);
}

}  // namespace
}  // namespace hm::cause
