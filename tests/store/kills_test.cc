// SPDX-License-Identifier: MIT
// Agents and stores that are killed, and connections that are cut, at random: no batch is lost or duplicated.
// HARDMETER_TEST_KILLS is the number of kills.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/temporary_folder.h"
#include "base/text_file.h"
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

// Totals of the batches that feeders have made.
struct Fed {
  uint64_t batches = 0, rows = 0, samples = 0;
  void add(uint64_t made) {
    batches += made;
    for (uint64_t n = 1; n <= made; ++n) {
      rows += n % 7 + 1;
      samples += (n % 7 + 1) * n;
    }
  }
};

class Feeder {
 public:
  Feeder(std::string store, std::string folder, std::string name)
      : words_{HM_FEEDER, std::move(store), std::move(folder), std::move(name)} {
    std::filesystem::create_directories(words_[2]);
  }
  Feeder(const Feeder&) = delete;
  Feeder& operator=(const Feeder&) = delete;
  ~Feeder() { kill(); }

  // Starts with another clock: faketime(1)'s offset.
  void start_with_clock(const std::string& offset) {
    words_.insert(words_.begin(), {"faketime", "-f", offset});
    start();
    words_.erase(words_.begin(), words_.begin() + 3);
  }
  void start() {
    std::vector<char*> pointers;
    for (std::string& word : words_) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ASSERT_EQ(::posix_spawnp(&process_, words_[0].c_str(), nullptr, nullptr, pointers.data(), environ), 0);
  }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    (void)end();
  }
  // Makes the feeder send its remaining batches and end; returns the number of batches it has made. The
  // feeder must be running.
  uint64_t finish() {
    std::ofstream(words_[2] + "/enough") << '\n';
    EXPECT_EQ(end(), 0);
    uint64_t made = 0;
    std::ifstream(words_[2] + "/made") >> made;
    return made;
  }

 private:
  // Returns the feeder's status, like waitpid(2).
  int end() {
    int status = -1;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return status;
  }

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
  const uint64_t kills = wanted_kills();
  std::vector<std::unique_ptr<Feeder>> feeders;
  for (const char* name : {"one", "two", "three"}) {
    feeders.push_back(std::make_unique<Feeder>(cut, folder.file(name), name));
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
  Fed fed;
  for (const auto& each : feeders) fed.add(each->finish());

  // A server that died between rows and their hourly sums left the sums incomplete.
  Status mended = (*store)->init();
  ASSERT_TRUE(mended) << mended.error().message;
  Result<Extent> all = extent(**store);
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->batches, fed.batches);
  EXPECT_EQ(all->rows, fed.rows);
  uint64_t samples = 0;
  for (const auto& sum : {sum_totals(**store, {}, {}, 0), sum_places(**store, {}, {}, 0)}) {
    ASSERT_TRUE(sum && sum->size() == 1);
    samples += sum->front().samples;
  }
  EXPECT_EQ(samples, fed.samples);
  EXPECT_GT(first.cut() + second.cut(), 0u);
  std::cout << fmt::format("{} kills, {} connections cut; fed {} batches with {} rows, stored {} with {}\n",
                           kills, first.cut() + second.cut(), fed.batches, fed.rows, all->batches, all->rows);
}

TEST(Clocks, ThatDifferAreTheStores) {
  if (std::system("faketime --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "there is no faketime(1) (Debian: faketime)";
  auto servers = testing::ClickhouseServer::start(1);
  if (servers.empty()) GTEST_SKIP() << "no ClickHouse is installed (Debian: clickhouse-server)";
  std::string address = testing::address_of(servers);
  Result<std::unique_ptr<Store>> store = open_store(*parse_address(address), {});
  ASSERT_TRUE(store && (*store)->init());
  TemporaryFolder folder;
  for (const auto& [offset, said] :
       {std::pair{"+7200s", "ahead of the store's"}, {"-7200s", "behind the store's"}, {"+0s", ""}}) {
    Feeder feeder(address, folder.file(offset), "host");
    feeder.start_with_clock(offset);
    feeder.finish();
    std::string text = read_text(folder.file(offset) + "/said").value_or("");
    EXPECT_EQ(text.find(said) != std::string::npos, true) << text;
    EXPECT_EQ(text.empty(), *said == '\0') << text;
  }
}

}  // namespace
}  // namespace hm::store
