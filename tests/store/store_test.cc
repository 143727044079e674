// SPDX-License-Identifier: MIT
// Guarantees of both stores about batches and queries.
#include <gmock/gmock.h>

#include "store/part_sums.h"
#include "store/stores.h"
#include "store/unnamed_places.h"

namespace hm::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_P(Stores, SayWhatIsMissingBeforeInit) {
  Status stored = store_->insert(batch_of("b", "h", kNoon, 1));
  ASSERT_FALSE(stored);
  EXPECT_THAT(stored.error().message, HasSubstr("hardmeter store init"));
}

TEST_P(Stores, AreMadeOnceOnly) {
  init();
  insert(batch_of("b", "h", kNoon, 1));
  init();
  EXPECT_EQ(rows(), 4);
}

TEST_P(Stores, TakeABatchOnce) {
  init();
  for (int i = 0; i < 3; ++i) insert(batch_of("b", "h", kNoon, 1));
  EXPECT_EQ(rows(), 4);
  insert(batch_of("c", "h", kNoon, 1));
  EXPECT_EQ(rows(), 8);
}

TEST_P(Stores, AddUpOverShardsHostsAndTime) {
  init();
  insert(batch_of("b", "one", kNoon, 1), 0);
  insert(batch_of("c", "two", kNoon + 60, 3), 1);
  std::vector<Group> groups =
      places({.service = "db", .event = "l1_cache_miss"}, {Key::kFunction, Key::kModule});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(groups[0].keys, ElementsAre("scan", "program"));
  EXPECT_EQ(groups[0].samples, 16u);
  EXPECT_EQ(groups[0].batches, 2u);
  EXPECT_DOUBLE_EQ(groups[0].count, 3200);
  // The batches have 800 and 2400, with a million instructions each.
  EXPECT_DOUBLE_EQ(groups[0].load, 2e6);
  EXPECT_DOUBLE_EQ(groups[0].count_squares, 800. * 800 + 2400. * 2400);
  EXPECT_DOUBLE_EQ(groups[0].load_squares, 2e12);
  EXPECT_DOUBLE_EQ(groups[0].products, 3200e6);
  EXPECT_THAT(groups[1].keys, ElementsAre("sort", "program"));
}

// The count of a place, and the total, are divided by the load of all selected measurements, even if only one
// release has the place.
TEST_P(Stores, TakeTheLoadOfAllThatABatchMeasured) {
  init();
  Batch batch = batch_of("b", "one", kNoon, 1);
  batch.rows.push_back(total("db", "bb22", 3, 300, 5e5));
  batch.rows.push_back(at("db", "bb22", "scan", 7, 3, 300, 5e5));
  batch.rows.push_back(total("web", "cc33", 4, 400, 25e4));
  batch.rows.push_back(at("web", "cc33", "scan", 7, 4, 400, 25e4));
  insert(batch);
  insert(batch_of("c", "two", kNoon + 60, 3), 1);
  const auto products = [&](const Selection& selection, const std::vector<Key>& keys) {
    std::vector<double> found;
    for (const Group& group : places(selection, keys)) found.push_back(group.products);
    return found;
  };
  EXPECT_THAT(products({.service = "db", .function = "scan"}, {Key::kFunction}),
              ElementsAre(1100 * 15e5 + 2400e6));
  EXPECT_THAT(products({.service = "db", .function = "sort"}, {Key::kLine}), ElementsAre(200 * 15e5 + 600e6));
  EXPECT_THAT(products({.function = "scan"}, {}), ElementsAre(1500 * 175e4 + 2400e6));
  EXPECT_THAT(products({.function = "scan"}, {Key::kService, Key::kFunction}),
              ElementsAre(1100 * 15e5 + 2400e6, 400 * 25e4));
  EXPECT_THAT(products({.host = "one", .function = "scan"}, {Key::kFunction, Key::kRelease}),
              ElementsAre(800e6, 400 * 25e4, 300 * 5e5));
  EXPECT_THAT(products({.release = "bb", .function = "scan"}, {}), ElementsAre(300 * 5e5));
}

TEST_P(Stores, Select) {
  init();
  insert(batch_of("b", "one", kNoon, 1));
  insert(batch_of("c", "two", kNoon + 60, 3));
  EXPECT_DOUBLE_EQ(places({.host = "two"}, {}).at(0).count, 3000);
  EXPECT_DOUBLE_EQ(places({.from_s = kNoon, .to_s = kNoon + 60}, {}).at(0).count, 1000);
  EXPECT_DOUBLE_EQ(places({.from_s = kNoon + 60, .to_s = kNoon + 61}, {}).at(0).count, 3000);
  EXPECT_EQ(places({.release = "aa"}, {Key::kFunction}).size(), 2u);
  EXPECT_EQ(places({.release = "ab"}, {Key::kFunction}).size(), 0u);
  EXPECT_EQ(places({.service = "web"}, {Key::kFunction}).size(), 0u);
  EXPECT_EQ(places({}, {Key::kFile, Key::kLine}, 2).size(), 2u);
  Result<std::vector<Group>> wrong = sum_places(*store_, {.release = "x' OR 1"}, {}, 0);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("no build-id"));
}

// Two unnamed places of one function in one batch are joined with the named rows into one row.
TEST_P(Stores, TakeNamesOfPlacesLater) {
  init();
  Batch batch = batch_of("b", "one", kNoon, 1);
  for (uint64_t offset : {0x2000, 0x2004}) {
    Row row = at("db", "aa11", "[program+0x2000]", 0, 1, 100, 1e6);
    row.place = {"feed", "program", offset, "[program+0x2000]", "", 0, "capacity", ""};
    batch.rows.push_back(row);
  }
  batch.rows.push_back(at("db", "aa11", "", 0, 1, 30, 1e6));
  batch.rows.back().place = {"feed", "program", 0, "", "", 0, "", ""};  // the remaining samples, without an
                                                                        // address
  insert(batch);
  insert(batch_of("c", "two", kNoon + 60, 3), 1);
  Selection selection{.service = "db", .function = "scan"};
  Result<std::vector<UnnamedPlace>> unnamed = unnamed_places(*store_, selection, 10);
  ASSERT_TRUE(unnamed) << unnamed.error().message;
  ASSERT_EQ(unnamed->size(), 2u);
  EXPECT_EQ(unnamed->at(0).build_id, "feed");
  EXPECT_EQ(unnamed->at(0).offset, 0x2000u);
  std::vector<LateName> names = {{"feed", 0x2000, "scan", "file.c", 7},
                                 {"feed", 0x2004, "scan", "file.c", 7},
                                 {"beef", 0x1009, "not asked for", "other.c", 1}};
  selection.names = std::make_shared<std::vector<LateName>>(names);
  std::vector<Group> groups = places(selection, {Key::kFunction, Key::kFile, Key::kLine});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(groups[0].keys, ElementsAre("scan", "file.c", "7"));
  EXPECT_EQ(groups[0].samples, 14u);
  EXPECT_EQ(groups[0].batches, 2u);
  // The batches have 600 + 100 + 100, and 1800.
  EXPECT_DOUBLE_EQ(groups[0].count, 2600);
  EXPECT_DOUBLE_EQ(groups[0].count_squares, 800. * 800 + 1800. * 1800);
  EXPECT_DOUBLE_EQ(groups[0].load, 2e6);
  selection.function.clear();
  EXPECT_EQ(places(selection, {Key::kFunction}).size(), 3u);  // also "sort" and the remaining samples
}

// The maximum number of names in a query, including hostile ones.
TEST_P(Stores, TakeThousandsOfNames) {
  init();
  Batch batch = batch_of("b", "one", kNoon, 1);
  std::vector<LateName> names;
  for (uint64_t i = 1; i <= 4000; ++i) {
    names.push_back(
        {"00112233445566778899aabbccddeeff00112233", i, kHostile + std::string(200, 'x'), "f", 1});
    batch.rows.push_back(at("db", "aa11", "", 0, 1, 1, 1e6));
    batch.rows.back().place = {names.back().build_id, "program", i, "", "", 0, "", ""};
  }
  insert(batch);
  Selection selection{.names = std::make_shared<std::vector<LateName>>(names)};
  std::vector<Group> groups = places(selection, {Key::kFunction, Key::kLine}, 1);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_THAT(groups[0].keys, ElementsAre(kHostile + std::string(200, 'x'), "1"));
  EXPECT_DOUBLE_EQ(groups[0].count_squares, 4000. * 4000);
}

TEST_P(Stores, AddUpParts) {
  init();
  for (auto [id, conflict] : {std::pair{"b", 100.}, std::pair{"c", 500.}}) {
    Batch batch = batch_of(id, "one", kNoon, 1);
    Row row = at("db", "aa11", "scan", 7, 1, conflict, 1e6);
    row.place.miss_class = "conflict";
    batch.rows.push_back(row);
    row.place.miss_class = "";
    row.place.object = "not known";
    batch.rows.push_back(row);
    insert(batch, *id == 'b' ? 0 : 1);
  }
  std::vector<Key> keys = {Key::kFunction, Key::kLine};
  Result<std::vector<PartSums>> sums = sum_parts(*store_, {.service = "db"}, keys, Key::kClass,
                                                 {"conflict", "capacity", "compulsory"}, {{"scan", "7"}});
  ASSERT_TRUE(sums) << sums.error().message;
  ASSERT_EQ(sums->size(), 1u);
  const PartSums& scan = sums->front();
  EXPECT_THAT(scan.keys, ElementsAre("scan", "7"));
  EXPECT_EQ(scan.known.samples, 14u);
  EXPECT_EQ(scan.known.batches, 2u);
  EXPECT_DOUBLE_EQ(scan.known.load, 700 + 1100);
  EXPECT_DOUBLE_EQ(scan.known.load_squares, 700. * 700 + 1100. * 1100);
  ASSERT_EQ(scan.parts.size(), 3u);
  EXPECT_EQ(scan.parts[0].samples, 2u);
  EXPECT_DOUBLE_EQ(scan.parts[0].count, 600);
  EXPECT_DOUBLE_EQ(scan.parts[0].count_squares, 100. * 100 + 500. * 500);
  EXPECT_DOUBLE_EQ(scan.parts[0].products, 100. * 700 + 500. * 1100);
  EXPECT_DOUBLE_EQ(scan.parts[1].count, 1200);
  EXPECT_DOUBLE_EQ(scan.parts[2].count, 0);
  sums = sum_parts(*store_, {}, keys, Key::kClass, {"capacity"}, {});
  ASSERT_TRUE(sums) << sums.error().message;
  EXPECT_EQ(sums->size(), 3u);
}

TEST_P(Stores, GiveTotalsByThemselves) {
  init();
  insert(batch_of("b", "one", kNoon, 1));
  insert(batch_of("c", "one", kNoon + 60, 3));
  Result<std::vector<Group>> totals = sum_totals(*store_, {}, {Key::kService, Key::kUnit}, 0);
  ASSERT_TRUE(totals) << totals.error().message;
  ASSERT_EQ(totals->size(), 1u);
  EXPECT_THAT(totals->front().keys, ElementsAre("db", "instructions"));
  EXPECT_DOUBLE_EQ(totals->front().count, 4000);
  EXPECT_DOUBLE_EQ(totals->front().load, 2e6);
  Result<std::vector<Group>> of_function = sum_totals(*store_, {.function = "scan"}, {}, 0);
  ASSERT_TRUE(of_function && of_function->size() == 1);
  EXPECT_DOUBLE_EQ(of_function->front().count, 4000);
}

TEST_P(Stores, GiveTotalsWhateverPlaceIsAskedFor) {
  init();
  insert(batch_of("b", "one", kNoon, 1));
  Selection place{.build_id = "be", .module = "program", .function = "scan", .file = "file.c", .line = 7};
  EXPECT_EQ(places(place, {}).at(0).samples, 6u);
  Result<std::vector<Group>> totals = sum_totals(*store_, place, {}, 0);
  ASSERT_TRUE(totals) << totals.error().message;
  EXPECT_EQ(totals->at(0).samples, 10u);
  place.line = 9;
  EXPECT_EQ(places(place, {}).size(), 0u);
}

TEST_P(Stores, SayWhenItWasMet) {
  init();
  insert(batch_of("b", "one", kNoon, 1), 0);
  insert(batch_of("c", "two", kNoon + 60, 3), 1);
  Group all = places({}, {}).at(0);
  EXPECT_EQ(all.first_s, kNoon);
  EXPECT_EQ(all.last_s, kNoon + 60);
}

TEST_P(Stores, AddUpOverTime) {
  init();
  uint64_t begin = kNoon - kNoon % 60;
  insert(batch_of("b", "one", begin, 1), 0);
  insert(batch_of("c", "two", begin + 59, 3), 1);
  insert(batch_of("d", "one", begin + 3 * 60, 5), 0);
  Selection selection{.service = "db", .function = "scan"};
  Result<std::vector<Bucket>> totals = sum_totals_over_time(*store_, selection, 60);
  ASSERT_TRUE(totals) << totals.error().message;
  ASSERT_EQ(totals->size(), 2u) << "what nothing was measured in is not there";
  EXPECT_EQ((*totals)[0].begin_s, begin);
  EXPECT_EQ((*totals)[0].sums.batches, 2u);
  EXPECT_DOUBLE_EQ((*totals)[0].sums.count, 4000);
  EXPECT_DOUBLE_EQ((*totals)[0].sums.products, 4000e6);
  EXPECT_EQ((*totals)[1].begin_s, begin + 3 * 60);
  Result<std::vector<Bucket>> parts = sum_places_over_time(*store_, selection, 60);
  ASSERT_TRUE(parts) << parts.error().message;
  ASSERT_EQ(parts->size(), 2u);
  EXPECT_DOUBLE_EQ((*parts)[0].sums.count, 800 + 2400);
  EXPECT_DOUBLE_EQ((*parts)[0].sums.load, 2e6);
  EXPECT_TRUE((*parts)[0].sums.keys.empty());
  Result<std::vector<Bucket>> none = sum_totals_over_time(*store_, {.service = "web"}, 60);
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_TRUE(none->empty());
}

TEST_P(Stores, KeepAnyText) {
  init();
  Batch batch{"b", kHostile, kNoon, {total(kHostile, "", 1, 1, 1), at(kHostile, "", kHostile, 1, 1, 1, 1)}};
  insert(batch);
  insert(batch);
  std::vector<Group> groups =
      places({.host = kHostile, .service = kHostile}, {Key::kFunction, Key::kService});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_THAT(groups[0].keys, ElementsAre(kHostile, kHostile));
  EXPECT_EQ(groups[0].samples, 1u);
}

TEST_P(Stores, TellHowMuchTheyHold) {
  init();
  Result<Extent> empty = extent(*store_);
  ASSERT_TRUE(empty) << empty.error().message;
  EXPECT_EQ(empty->rows, 0u);
  EXPECT_FALSE(empty->first_s);
  insert(batch_of("b", "one", kNoon, 1), 0);
  insert(batch_of("c", "two", kNoon + 9, 1), 1);
  Result<Extent> all = extent(*store_);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->batches, 2u);
  EXPECT_EQ(all->hosts, 2u);
  EXPECT_EQ(all->services, 1u);
  EXPECT_EQ(all->last_s, kNoon + 9);
  Result<std::optional<uint64_t>> bytes = store_->bytes();
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_GT(bytes->value_or(0), 0u);
}

INSTANTIATE_TEST_SUITE_P(Each, Stores, ::testing::Values("SQLite", "ClickHouse"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace hm::store
