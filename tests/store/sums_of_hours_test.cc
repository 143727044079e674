// SPDX-License-Identifier: MIT
// Guarantees of both stores about hourly sums, about pruning, and about earlier versions' tables.
#include <gmock/gmock.h>

#include <map>
#include <random>

#include "store/stores.h"

namespace hm::store {
namespace {

using ::testing::HasSubstr;

// Computes the expected result of sum_totals(), for one service or for all.
Group slow_sum(const std::vector<Batch>& batches, const Selection& selection, const std::string& service) {
  Group sum;
  for (const Batch& batch : batches) {
    if (batch.time_s < selection.from_s.value_or(0) || batch.time_s >= selection.to_s.value_or(UINT64_MAX))
      continue;
    if (!selection.host.empty() && batch.host != selection.host) continue;
    double count = 0, load = 0;
    bool met = false;
    for (const Row& row : batch.rows) {
      if (!row.is_total || (!service.empty() && row.series.service != service)) continue;
      if (!selection.service.empty() && row.series.service != selection.service) continue;
      met = true;
      sum.samples += row.samples;
      count += row.count;
      load += row.load;
    }
    sum.batches += met ? 1 : 0;
    sum.count += count;
    sum.load += load;
    sum.count_squares += count * count;
    sum.load_squares += load * load;
    sum.products += count * load;
  }
  return sum;
}

void expect_same(const std::vector<Group>& found, const std::vector<Group>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].keys, expected[i].keys);
    EXPECT_EQ(found[i].samples, expected[i].samples);
    EXPECT_EQ(found[i].batches, expected[i].batches);
    EXPECT_DOUBLE_EQ(found[i].count, expected[i].count);
    EXPECT_DOUBLE_EQ(found[i].count_squares, expected[i].count_squares);
    EXPECT_DOUBLE_EQ(found[i].products, expected[i].products);
  }
}

TEST_P(Stores, ForgetWhatIsOld) {
  init();
  insert(batch_of("b", "one", kNoon, 1));
  insert(batch_of("c", "one", kNoon + 10 * 86400, 3));
  Status pruned = store_->prune(kNoon + 5 * 86400, 0);
  ASSERT_TRUE(pruned) << pruned.error().message;
  Result<Extent> left = extent(*store_);
  ASSERT_TRUE(left) << left.error().message;
  EXPECT_EQ(left->rows, 4u);
  EXPECT_EQ(left->first_s, kNoon + 10 * 86400);
  // Hourly sums remain until they are pruned, too.
  EXPECT_DOUBLE_EQ(totals(kAny, kWhole).at(0).count, 4000);
  Result<uint64_t> stale = store_->stale_days();
  ASSERT_TRUE(stale) << stale.error().message;
  EXPECT_EQ(*stale, 0u) << "what was forgotten is not lacking";
  init();
  EXPECT_DOUBLE_EQ(totals(kAny, kWhole).at(0).count, 4000);
  ASSERT_TRUE(store_->prune(kNoon + 5 * 86400, kNoon + 5 * 86400));
  EXPECT_DOUBLE_EQ(totals(kAny, kWhole).at(0).count, 3000);
}

TEST_P(Stores, ForgetByThemselvesWhereTheyCan) {
  init();
  insert(batch_of("b", "one", kNoon, 1));
  Status set = store_->keep_for(30);
  if (!set) {
    EXPECT_EQ(GetParam(), "ClickHouse");
    EXPECT_THAT(set.error().message, HasSubstr("run hardmeter store prune --keep-days 30 each day"));
    return;
  }
  if (GetParam() != "SQLite") return;  // a server prunes later
  insert(batch_of("c", "one", kNoon + 29 * 86400, 1));
  EXPECT_EQ(rows(), 8u);
  insert(batch_of("d", "one", kNoon + 31 * 86400, 1));
  EXPECT_EQ(rows(), 8u);
  EXPECT_EQ(totals(kAny, kWhole).at(0).batches, 3u) << "in the sums of hours";
}

// Compares with sums computed from all batches one after another.
TEST_P(Stores, TellTheSameFromSumsOfHours) {
  init();
  std::mt19937_64 random(11);
  std::vector<Batch> all;
  for (int i = 0; i < 60; ++i) {
    size_t host = random() % 3;
    Batch batch{fmt::format("batch-{}", i), fmt::format("host-{}", host), kNoon + random() % (5 * 3600), {}};
    for (const char* service : {"db", "web"}) {
      for (const char* release : {"aa11", "bb22"}) {
        if (random() % 3 != 0)
          batch.rows.push_back(total(service, release, random() % 9, random() % 99, random() % 999));
      }
    }
    if (batch.rows.empty()) continue;
    batch.rows.push_back(at("db", "aa11", "scan", 7, 6, 600, 1e6));
    insert(batch, host % 2);
    all.push_back(std::move(batch));
  }
  for (int i = 0; i < 30; ++i) {
    Selection selection = kAny;
    if (i % 3 != 0) selection.from_s = kNoon + random() % (5 * 3600);
    if (i % 2 != 0) selection.to_s = selection.from_s.value_or(kNoon) + random() % (3 * 3600);
    if (i % 4 == 0) selection.service = "web";
    if (i % 5 == 0) selection.host = "host-1";
    bool by_service = i % 7 < 4;
    Group expected = slow_sum(all, selection, by_service ? "db" : "");
    if (by_service && !selection.service.empty()) continue;
    std::vector<Group> found = totals(selection, by_service ? std::vector{Key::kService} : kWhole);
    if (by_service) std::erase_if(found, [](const Group& group) { return group.keys[0] != "db"; });
    Group group = found.empty() ? Group() : found[0];
    EXPECT_EQ(group.samples, expected.samples) << i;
    EXPECT_EQ(group.batches, expected.batches) << i;
    EXPECT_DOUBLE_EQ(group.count, expected.count) << i;
    EXPECT_DOUBLE_EQ(group.load, expected.load) << i;
    EXPECT_DOUBLE_EQ(group.count_squares, expected.count_squares) << i;
    EXPECT_DOUBLE_EQ(group.load_squares, expected.load_squares) << i;
    EXPECT_DOUBLE_EQ(group.products, expected.products) << i;
  }
}

// Buckets of whole hours use hourly sums, others the batches.
TEST_P(Stores, TellTheSameOverTimeFromSumsOfHours) {
  init();
  std::mt19937_64 random(12);
  for (uint64_t i = 0; i < 40; ++i)
    insert(batch_of(fmt::format("b{}", i), "one", kNoon + random() % (6 * 3600), 1 + static_cast<double>(i)),
           i % 2);
  Selection selection{
      .from_s = kNoon + 100, .to_s = kNoon + 20'000, .service = "db", .event = "l1_cache_miss"};
  Result<std::vector<Bucket>> hours = sum_totals_over_time(*store_, selection, 7200);
  Result<std::vector<Bucket>> halves = sum_totals_over_time(*store_, selection, 1800);
  ASSERT_TRUE(hours && halves) << (hours ? halves : hours).error().message;
  std::map<uint64_t, Group> expected;
  for (const Bucket& half : *halves) {
    Group& sum = expected[half.begin_s / 7200 * 7200];
    sum.batches += half.sums.batches;
    sum.count += half.sums.count;
    sum.count_squares += half.sums.count_squares;
  }
  ASSERT_EQ(hours->size(), expected.size());
  for (const Bucket& bucket : *hours) {
    EXPECT_EQ(bucket.sums.batches, expected[bucket.begin_s].batches);
    EXPECT_DOUBLE_EQ(bucket.sums.count, expected[bucket.begin_s].count);
    EXPECT_DOUBLE_EQ(bucket.sums.count_squares, expected[bucket.begin_s].count_squares);
  }
}

// A batch of several events is one measurement.
TEST_P(Stores, CountMeasurementsNotEvents) {
  init();
  Batch batch = batch_of("b", "one", kNoon, 1);
  batch.rows.push_back(total("db", "aa11", 1, 1, 1));
  batch.rows.back().series.event = "l3_cache_miss";
  insert(batch);
  EXPECT_EQ(totals({}, {}).at(0).batches, 1u);
  EXPECT_EQ(totals({}, {Key::kEvent, Key::kUnit}).size(), 2u);
}

TEST_P(Stores, FindWhenTheFirstAndTheLastWereMeasured) {
  init();
  for (uint64_t time_s : {kNoon + 1234, kNoon + 2, kNoon + 90'000, kNoon + 90'001})
    insert(batch_of(fmt::format("b{}", time_s), "one", time_s, 1), time_s % 2);
  Group whole = totals(kAny, kWhole).at(0);
  ASSERT_TRUE(find_times(*store_, {}, whole));
  EXPECT_EQ(whole.first_s, kNoon + 2);
  EXPECT_EQ(whole.last_s, kNoon + 90'001);
  // The hourly sum of pruned batches remains.
  ASSERT_TRUE(store_->prune(kNoon + 86'400, 0));
  whole = totals(kAny, kWhole).at(0);
  ASSERT_TRUE(find_times(*store_, {}, whole));
  EXPECT_EQ(whole.first_s, kNoon / 3600 * 3600);
  EXPECT_EQ(whole.last_s, kNoon + 90'001);
}

// Tables of version 1, which had no hourly sums.
TEST_P(Stores, BringWhatAnEarlierVersionKeptUpToDate) {
  init();
  insert(batch_of("b", "one", kNoon, 1), 0);
  insert(batch_of("c", "one", kNoon + 7200, 3), 0);
  insert(batch_of("d", "two", kNoon + 7200, 3), 1);
  std::vector<Group> before = totals(kAny, {Key::kService, Key::kHost});
  std::vector<Group> whole = totals(kAny, kWhole);
  make_version_1();
  Status old = store_->insert(batch_of("e", "one", kNoon, 1));
  ASSERT_FALSE(old);
  EXPECT_THAT(old.error().message, HasSubstr("hardmeter store init"));
  init();
  insert(batch_of("b", "one", kNoon, 1));
  expect_same(totals(kAny, {Key::kService, Key::kHost}), before);
  expect_same(totals(kAny, kWhole), whole);
  EXPECT_EQ(rows(), 12u);
}

// As if a server dies between a batch's rows and its additions to the hourly sums.
TEST_P(Stores, MakeSumsThatLackABatchAnew) {
  if (GetParam() == "SQLite") return;  // SQLite writes both in one transaction
  init();
  insert(batch_of("b", "one", kNoon, 1), 0);
  run_on_servers({"DROP TABLE hours_of_services"});
  insert(batch_of("c", "one", kNoon + 60, 1), 0);
  insert(batch_of("d", "one", kNoon + 10 * 86400, 1), 1);
  EXPECT_EQ(totals(kAny, {Key::kService}).at(0).batches, 1u);
  Result<uint64_t> stale = store_->stale_days();
  ASSERT_TRUE(stale) << stale.error().message;
  EXPECT_EQ(*stale, 2u);
  init();
  EXPECT_EQ(totals(kAny, {Key::kService}).at(0).batches, 3u);
  EXPECT_EQ(totals(kAny, kWhole).at(0).batches, 3u);
  EXPECT_EQ(*store_->stale_days(), 0u);
}

}  // namespace
}  // namespace hm::store
