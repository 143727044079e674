// SPDX-License-Identifier: MIT
// What both stores promise: SQLite, and a real ClickHouse of two shards.
#include "store/open_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "http/client.h"
#include "store/clickhouse_server.h"
#include "store/part_sums.h"
#include "store/queries.h"
#include "store/sqlite_database.h"
#include "store/unnamed_places.h"

namespace hm::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// As the sums of hours are asked.
const Selection kAny{.event = "l1_cache_miss"};
const std::vector<Key> kWhole{Key::kUnit};
constexpr uint64_t kNoon = 1'700'000'000;
const std::string kHostile = "it's \"a\" \\ name\twith\nmuch; DROP TABLE samples -- \xC3\xA9";

Row total(const std::string& service, const std::string& release, uint64_t samples, double count,
          double load) {
  return {{service, release, "l1_cache_miss", "software", "instructions"}, true, {}, samples, count, load};
}

Row at(const std::string& service, const std::string& release, const std::string& function, uint32_t line,
       uint64_t samples, double count, double load) {
  Row row = total(service, release, samples, count, load);
  row.is_total = false;
  row.place = {"beef", "program", 0x1000 + line, function, "file.c", line, "capacity", "heap"};
  return row;
}

Batch batch_of(const std::string& id, const std::string& host, uint64_t time_s, double factor) {
  return {
      id,
      host,
      time_s,
      {total("db", "aa11", 10, 1000 * factor, 1e6), at("db", "aa11", "scan", 7, 6, 600 * factor, 1e6),
       at("db", "aa11", "scan", 8, 2, 200 * factor, 1e6), at("db", "aa11", "sort", 9, 2, 200 * factor, 1e6)}};
}

class Stores : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "ClickHouse") {
      if (servers_.empty()) GTEST_SKIP() << "no ClickHouse is installed (Debian: clickhouse-server)";
      static int databases = 0;  // one for each test
      address_ = testing::address_of(servers_);
      address_.replace(address_.rfind("/hardmeter"), 10, "/test" + std::to_string(++databases));
    } else {
      address_ = folder_.file("store");
    }
    open();
  }
  static void SetUpTestSuite() { servers_ = testing::ClickhouseServer::start(2); }
  static void TearDownTestSuite() { servers_.clear(); }

  void open() {
    Result<Address> address = parse_address(address_);
    ASSERT_TRUE(address) << address.error().message;
    for (size_t shard = 0; shard < 2; ++shard) {
      Result<std::unique_ptr<Store>> opened = open_store(*address, {}, shard);
      ASSERT_TRUE(opened) << opened.error().message;
      shards_[shard] = *std::move(opened);
    }
    store_ = shards_[0].get();
  }
  void init() {
    Status made = store_->init();
    ASSERT_TRUE(made) << made.error().message;
  }
  void insert(const Batch& batch, size_t shard = 0) {
    Status stored = shards_[shard]->insert(batch);
    ASSERT_TRUE(stored) << stored.error().message;
  }
  std::vector<Group> places(const Selection& selection, const std::vector<Key>& keys, size_t limit = 0) {
    Result<std::vector<Group>> groups = sum_places(*store_, selection, keys, limit);
    EXPECT_TRUE(groups) << groups.error().message;
    return groups ? *groups : std::vector<Group>();
  }
  std::vector<Group> totals(const Selection& selection, const std::vector<Key>& keys) {
    Result<std::vector<Group>> groups = sum_totals(*store_, selection, keys, 0);
    EXPECT_TRUE(groups) << groups.error().message;
    return groups ? *groups : std::vector<Group>();
  }
  void run_on_servers(const std::vector<std::string>& statements) {
    Result<http::Client> client = http::Client::make({});
    ASSERT_TRUE(client) << client.error().message;
    Address address = *parse_address(address_);
    for (const std::string& server : address.servers) {
      for (const std::string& sql : statements) {
        Result<http::Reply> reply =
            client->post(fmt::format("http://{}/?database={}", server, address.database), "text/plain", sql);
        ASSERT_TRUE(reply && reply->status == 200)
            << sql << ": " << (reply ? reply->body : reply.error().message);
      }
    }
  }
  // As that version left it; opened again.
  void make_version_1() {
    for (auto& shard : shards_) shard.reset();
    if (GetParam() == "SQLite") {
      Result<Database> database = Database::open(address_ + "/hardmeter.sqlite", false);
      ASSERT_TRUE(database);
      ASSERT_TRUE(database->run("DROP TABLE hours; DROP TABLE settings; PRAGMA user_version = 1;"));
    } else {
      run_on_servers({"DROP TABLE hours_all", "DROP TABLE hours_of_services",
                      "DROP TABLE hours_of_all_services", "DROP TABLE hours",
                      "ALTER TABLE schema_versions DROP PARTITION tuple()",
                      "INSERT INTO schema_versions SELECT 1, now()"});
    }
    open();
  }
  uint64_t rows() {
    Result<Extent> all = extent(*store_);
    EXPECT_TRUE(all) << all.error().message;
    return all ? all->rows : 0;
  }

  static inline std::vector<std::unique_ptr<testing::ClickhouseServer>> servers_;
  TemporaryFolder folder_;
  std::string address_;
  std::unique_ptr<Store> shards_[2];
  Store* store_ = nullptr;
};

// What sum_totals() is to give: of one service, or of all.
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
  // By batch 800 and 2400, each of a million instructions.
  EXPECT_DOUBLE_EQ(groups[0].load, 2e6);
  EXPECT_DOUBLE_EQ(groups[0].count_squares, 800. * 800 + 2400. * 2400);
  EXPECT_DOUBLE_EQ(groups[0].load_squares, 2e12);
  EXPECT_DOUBLE_EQ(groups[0].products, 3200e6);
  EXPECT_THAT(groups[1].keys, ElementsAre("sort", "program"));
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

// Two places of one function without a name, met in one batch, become one row with the named ones.
TEST_P(Stores, TakeNamesOfPlacesLater) {
  init();
  Batch batch = batch_of("b", "one", kNoon, 1);
  for (uint64_t offset : {0x2000, 0x2004}) {
    Row row = at("db", "aa11", "[program+0x2000]", 0, 1, 100, 1e6);
    row.place = {"feed", "program", offset, "[program+0x2000]", "", 0, "capacity", ""};
    batch.rows.push_back(row);
  }
  batch.rows.push_back(at("db", "aa11", "", 0, 1, 30, 1e6));
  batch.rows.back().place = {"feed", "program", 0, "", "", 0, "", ""};  // a rest of no address
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
  // By batch 600 + 100 + 100, and 1800.
  EXPECT_DOUBLE_EQ(groups[0].count, 2600);
  EXPECT_DOUBLE_EQ(groups[0].count_squares, 800. * 800 + 1800. * 1800);
  EXPECT_DOUBLE_EQ(groups[0].load, 2e6);
  selection.function.clear();
  EXPECT_EQ(places(selection, {Key::kFunction}).size(), 3u);  // also "sort" and the rest
}

// The most that are asked for at a time, and hostile ones.
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
  // Sums of hours stay, until these are to go, too.
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
  if (GetParam() != "SQLite") return;  // a server does so some time later
  insert(batch_of("c", "one", kNoon + 29 * 86400, 1));
  EXPECT_EQ(rows(), 8u);
  insert(batch_of("d", "one", kNoon + 31 * 86400, 1));
  EXPECT_EQ(rows(), 8u);
  EXPECT_EQ(totals(kAny, kWhole).at(0).batches, 3u) << "in the sums of hours";
}

// Against the same sums, from all batches one after another.
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

// Buckets of hours are read from their sums, others from the batches.
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
  // Of what was forgotten the hour is known.
  ASSERT_TRUE(store_->prune(kNoon + 86'400, 0));
  whole = totals(kAny, kWhole).at(0);
  ASSERT_TRUE(find_times(*store_, {}, whole));
  EXPECT_EQ(whole.first_s, kNoon / 3600 * 3600);
  EXPECT_EQ(whole.last_s, kNoon + 90'001);
}

// Of version 1, which had no sums of hours.
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

// As where a server dies between a batch's rows and what it adds to the sums of hours.
TEST_P(Stores, MakeSumsThatLackABatchAnew) {
  if (GetParam() == "SQLite") return;  // there they are of one transaction
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

// A server that is killed takes up where it was; what was sent meanwhile is sent again.
TEST(Clickhouse, TakesABatchOnceBesideKills) {
  auto servers = testing::ClickhouseServer::start(1);
  if (servers.empty()) GTEST_SKIP() << "no ClickHouse is installed (Debian: clickhouse-server)";
  Result<Address> address = parse_address(testing::address_of(servers));
  ASSERT_TRUE(address);
  Result<std::unique_ptr<Store>> store = open_store(*address, {});
  ASSERT_TRUE(store && (*store)->init());
  servers[0]->kill();
  Batch batch = batch_of("b", "h", kNoon, 1);
  Status failed = (*store)->insert(batch);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("cannot ask http://127.0.0.1"));
  servers[0]->start_again();
  for (int i = 0; i < 2; ++i) {
    Status stored = (*store)->insert(batch);
    ASSERT_TRUE(stored) << stored.error().message;
    servers[0]->kill();
    servers[0]->start_again();
  }
  Result<Extent> all = extent(**store);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->rows, 4u);
}

class SecureClickhouse : public ::testing::Test {
 protected:
  void SetUp() override {
    if (server_ == nullptr) GTEST_SKIP() << "no ClickHouse is installed (Debian: clickhouse-server)";
    Result<Address> address = parse_address(fmt::format("https://127.0.0.1:{}/hardmeter", server_->port()));
    ASSERT_TRUE(address) << address.error().message;
    address_ = *address;
  }
  // "" where the tables can be made.
  std::string error_of(const std::string& credentials) {
    TemporaryFolder folder;
    std::string path = folder.file("credentials");
    std::ofstream(path) << credentials;
    std::filesystem::permissions(path, std::filesystem::perms::owner_read);
    Result<Credentials> read = read_credentials(path);
    if (!read) return read.error().message;
    Result<std::unique_ptr<Store>> store = open_store(address_, *read);
    if (!store) return store.error().message;
    Status made = (*store)->init();
    return made ? "" : made.error().message;
  }

  std::unique_ptr<testing::ClickhouseServer> server_ = testing::ClickhouseServer::start_secure();
  Address address_;
};

TEST_F(SecureClickhouse, TakesWhoHasThePasswordAndTrustsItsCertificate) {
  std::string trust = "authority = " + server_->certificate() + '\n';
  EXPECT_EQ(error_of("# of the agents\n\nuser = agent\npassword = it's secret\n" + trust), "");
  std::string wrong = error_of("user = agent\npassword = no secret\n" + trust);
  EXPECT_THAT(wrong, HasSubstr("Wrong password for user agent"));
  EXPECT_THAT(wrong, ::testing::Not(HasSubstr("no secret")));
  EXPECT_THAT(error_of("user = agent\npassword = it's secret\n"), HasSubstr("cannot ask https://127.0.0.1"));
  EXPECT_THAT(error_of("usr = agent\n"), HasSubstr("line 1: a line is user = NAME"));
}

}  // namespace
}  // namespace hm::store
