// SPDX-License-Identifier: MIT
// ClickHouse alone: a server that is killed, and one that is spoken to by https with a password.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "store/stores.h"

namespace hm::store {
namespace {

using ::testing::HasSubstr;

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
