// SPDX-License-Identifier: MIT
// Common parts of the tests of both stores: batches of known rows, SQLite, and a real ClickHouse of two
// shards.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "http/client.h"
#include "store/clickhouse_server.h"
#include "store/open_store.h"
#include "store/queries.h"
#include "store/sqlite_database.h"

namespace hm::store {

// The query of hourly sums.
inline const Selection kAny{.event = "l1_cache_miss"};
inline const std::vector<Key> kWhole{Key::kUnit};
inline constexpr uint64_t kNoon = 1'700'000'000;
inline const std::string kHostile = "it's \"a\" \\ name\twith\nmuch; DROP TABLE samples -- \xC3\xA9";

inline Row total(const std::string& service, const std::string& release, uint64_t samples, double count,
                 double load) {
  return {{service, release, "l1_cache_miss", "software", "instructions"}, true, {}, samples, count, load};
}

inline Row at(const std::string& service, const std::string& release, const std::string& function,
              uint32_t line, uint64_t samples, double count, double load) {
  Row row = total(service, release, samples, count, load);
  row.is_total = false;
  row.place = {"beef", "program", 0x1000 + line, function, "file.c", line, "capacity", "heap"};
  return row;
}

inline Batch batch_of(const std::string& id, const std::string& host, uint64_t time_s, double factor) {
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
      static int databases = 0;  // a separate database for each test
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
  // Creates the tables as version 1 left them, and opens them again.
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

}  // namespace hm::store
