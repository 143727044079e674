// SPDX-License-Identifier: MIT
// Agents and stores that are killed, and connections that are cut, at random: nothing is lost, nothing is
// there twice. HARDMETER_TEST_KILLS says how many kills there are to be.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/temporary_folder.h"
#include "store/clickhouse_server.h"
#include "store/cutting_proxy.h"
#include "store/open_store.h"
#include "store/queries.h"

namespace hm::store {
namespace {

uint64_t wanted_kills() {
  const char* words = std::getenv("HARDMETER_TEST_KILLS");
  return words == nullptr ? 24 : std::strtoull(words, nullptr, 10);
}

// What a feeder makes of so many batches.
struct Fed {
  uint64_t rows = 0, samples = 0;
};
Fed fed_by(uint64_t batches) {
  Fed fed;
  for (uint64_t n = 1; n <= batches; ++n) {
    fed.rows += n % 7 + 1;
    fed.samples += (n % 7 + 1) * n;
  }
  return fed;
}

class Feeder {
 public:
  Feeder(std::string store, std::string folder, std::string name, uint64_t batches)
      : words_{HM_FEEDER, std::move(store), std::move(folder), std::move(name), std::to_string(batches)} {
    std::filesystem::create_directories(words_[2]);
  }
  Feeder(const Feeder&) = delete;
  Feeder& operator=(const Feeder&) = delete;
  ~Feeder() { kill(); }

  void start() {
    std::vector<char*> pointers;
    for (std::string& word : words_) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ASSERT_EQ(::posix_spawn(&process_, HM_FEEDER, nullptr, nullptr, pointers.data(), environ), 0);
  }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    (void)end();
  }
  // Its status, as waitpid(2) has it.
  int end() {
    int status = -1;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return status;
  }

 private:
  std::vector<std::string> words_;
  pid_t process_ = -1;
};

TEST(Kills, LoseNothingAndDoubleNothing) {
  auto servers = testing::ClickhouseServer::start(2);
  if (servers.empty()) GTEST_SKIP() << "no ClickHouse is installed (Debian: clickhouse-server)";
  std::string direct = testing::address_of(servers);
  Result<std::unique_ptr<Store>> store = open_store(*parse_address(direct), {});
  ASSERT_TRUE(store && (*store)->init());

  testing::CuttingProxy first(servers[0]->port(), 3, 1), second(servers[1]->port(), 3, 2);
  std::string cut = fmt::format("http://127.0.0.1:{},127.0.0.1:{}/hardmeter?cluster=hardmeter", first.port(),
                                second.port());
  TemporaryFolder folder;
  const uint64_t kills = wanted_kills(), batches = 40 + 4 * kills;
  std::vector<std::unique_ptr<Feeder>> feeders;
  for (const char* name : {"one", "two", "three"}) {
    feeders.push_back(std::make_unique<Feeder>(cut, folder.file(name), name, batches));
    feeders.back()->start();
  }
  std::mt19937_64 random(7);
  for (uint64_t i = 0; i < kills; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 200));
    size_t victim = random() % 5;
    if (victim < 3) {
      feeders[victim]->kill();
      feeders[victim]->start();
    } else {
      servers[victim - 3]->kill();
      servers[victim - 3]->start_again();
    }
  }
  for (const auto& each : feeders) EXPECT_EQ(each->end(), 0);

  Result<Extent> all = extent(**store);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->batches, 3 * batches);
  EXPECT_EQ(all->rows, 3 * fed_by(batches).rows);
  uint64_t samples = 0;
  for (const auto& sum : {sum_totals(**store, {}, {}, 0), sum_places(**store, {}, {}, 0)}) {
    ASSERT_TRUE(sum && sum->size() == 1);
    samples += sum->front().samples;
  }
  EXPECT_EQ(samples, 3 * fed_by(batches).samples);
  EXPECT_GT(first.cut() + second.cut(), 0u);
  RecordProperty("batches", std::to_string(3 * batches));
  std::cout << fmt::format("{} kills, {} connections cut, {} batches with {} rows: {} lost, {} doubled\n",
                           kills, first.cut() + second.cut(), 3 * batches, all->rows,
                           3 * fed_by(batches).rows > all->rows ? 3 * fed_by(batches).rows - all->rows : 0,
                           all->rows > 3 * fed_by(batches).rows ? all->rows - 3 * fed_by(batches).rows : 0);
}

}  // namespace
}  // namespace hm::store
