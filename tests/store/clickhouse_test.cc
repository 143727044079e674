// SPDX-License-Identifier: MIT
// Tests only for ClickHouse: a server that is killed, and one with https and a password.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "store/stores.h"

namespace hm::store {
namespace {

using ::testing::HasSubstr;

// A killed server continues from its state; data sent meanwhile is sent again.
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
  EXPECT_THAT(failed.error().message, HasSubstr("cannot reach http://127.0.0.1"));
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
  Result<std::unique_ptr<Store>> store_of(const std::string& credentials) {
    TemporaryFolder folder;
    std::string path = folder.file("credentials");
    std::ofstream(path) << credentials;
    std::filesystem::permissions(path, std::filesystem::perms::owner_read);
    Result<Credentials> read = read_credentials(path);
    if (!read) return read.error();
    return open_store(address_, *read);
  }
  std::unique_ptr<Store> store_of_user(const std::string& user) {
    Result<std::unique_ptr<Store>> store = store_of(
        fmt::format("user = {}\npassword = it's secret\nauthority = {}\n", user, server_->certificate()));
    EXPECT_TRUE(store) << store.error().message;
    return store ? *std::move(store) : nullptr;
  }
  // Returns "" if the tables can be created.
  std::string error_of(const std::string& credentials) {
    Result<std::unique_ptr<Store>> store = store_of(credentials);
    if (!store) return store.error().message;
    Status made = (*store)->init();
    return made ? "" : made.error().message;
  }

  std::unique_ptr<testing::ClickhouseServer> server_ = testing::ClickhouseServer::start_secure();
  Address address_;
};

TEST_F(SecureClickhouse, TakesWhoHasThePasswordAndTrustsItsCertificate) {
  std::string trust = "authority = " + server_->certificate() + '\n';
  EXPECT_EQ(error_of("# who makes tables\n\nuser = owner\npassword = it's secret\n" + trust), "");
  std::string wrong = error_of("user = owner\npassword = no secret\n" + trust);
  EXPECT_THAT(wrong, HasSubstr("Wrong password for user owner"));
  EXPECT_THAT(wrong, ::testing::Not(HasSubstr("no secret")));
  EXPECT_THAT(error_of("user = owner\npassword = it's secret\n"),
              HasSubstr("cannot reach https://127.0.0.1"));
  EXPECT_THAT(error_of("usr = agent\n"), HasSubstr("line 1: a line is user = NAME"));
}

TEST_F(SecureClickhouse, UsersDoWhatIsTheirsAndNoMore) {
  auto owner = store_of_user("owner"), agent = store_of_user("agent"), reader = store_of_user("reader");
  ASSERT_TRUE(owner && agent && reader);
  EXPECT_FALSE(agent->init()) << "an agent makes tables";
  ASSERT_TRUE(owner->init());
  Status stored = agent->insert(batch_of("b", "h", kNoon, 1));
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_FALSE(agent->prune(kNoon + 86400, 0)) << "an agent removes rows";
  EXPECT_FALSE(reader->insert(batch_of("c", "h", kNoon, 1))) << "a reader writes";
  EXPECT_FALSE(reader->prune(kNoon + 86400, 0)) << "a reader removes rows";
  Result<Extent> seen = extent(*reader);
  ASSERT_TRUE(seen) << seen.error().message;
  EXPECT_EQ(seen->rows, 4u);
  Result<std::vector<Group>> sums = sum_places(*reader, kAny, {Key::kFunction}, 0);
  ASSERT_TRUE(sums) << sums.error().message;
  EXPECT_EQ(sums->size(), 2u);
  EXPECT_TRUE(owner->prune(kNoon + 86400, 0));
}

}  // namespace
}  // namespace hm::store
