// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/guest_snapshot.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/temporary_folder.h"

namespace hm::soft {
namespace {

namespace fs = std::filesystem;

class Snapshots : public ::testing::Test {
 protected:
  Snapshots() { fs::create_directory(session()); }
  [[nodiscard]] std::string cache() const { return folder_.file("cache"); }
  [[nodiscard]] std::string session() const { return folder_.file("session"); }
  static void write(const fs::path& path) { std::ofstream(path) << path.filename().string(); }
  void save(const GuestSnapshot& snapshot) {
    std::string state = snapshot.begin();
    ASSERT_NE(state, "");
    write(state);
    snapshot.keep(session());
  }
  [[nodiscard]] long count() const {
    return std::distance(fs::directory_iterator(cache()), fs::directory_iterator());
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Snapshots, AreOfOneMachine) {
  write(session() + "/kallsyms");
  GuestSnapshot snapshot(cache(), "a machine");
  EXPECT_FALSE(snapshot.exists());
  save(snapshot);
  EXPECT_TRUE(GuestSnapshot(cache(), "a machine").exists());
  EXPECT_FALSE(GuestSnapshot(cache(), "another machine").exists());
  fs::remove(session() + "/kallsyms");
  EXPECT_TRUE(snapshot.copy_tables(session()));
  EXPECT_TRUE(fs::exists(session() + "/kallsyms"));
  snapshot.remove();
  EXPECT_FALSE(snapshot.exists());
}

TEST_F(Snapshots, CannotBeSavedWithoutAPlace) {
  EXPECT_FALSE(GuestSnapshot().can_be_saved());
  EXPECT_FALSE(GuestSnapshot("", "a machine").exists());
  EXPECT_EQ(GuestSnapshot("/proc/none", "a machine").begin(), "");
}

TEST_F(Snapshots, ThatAreNotCompleteLeaveNothing) {
  GuestSnapshot snapshot(cache(), "a machine");
  write(snapshot.begin());
  EXPECT_FALSE(snapshot.exists());
  GuestSnapshot(snapshot).give_up();
  EXPECT_EQ(count(), 0);
}

TEST_F(Snapshots, OfOthersAreNotUsed) {
  GuestSnapshot snapshot(cache(), "a machine");
  save(snapshot);
  ::chmod(snapshot.state().c_str(), 0666);
  EXPECT_FALSE(snapshot.exists());
}

TEST_F(Snapshots, ThatWereUsedLastAreKept) {
  constexpr int kMade = 5, kKept = 3;
  std::vector<GuestSnapshot> made;
  for (int i = 0; i < kMade; ++i) {
    made.emplace_back(cache(), std::to_string(i));
    save(made.back());
    fs::path path = fs::path(made.back().state()).parent_path();
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(kMade - i));
    if (i == 2) EXPECT_TRUE(made[0].exists());  // uses it
  }
  EXPECT_EQ(count(), kKept);
  EXPECT_TRUE(made[0].exists());
  EXPECT_FALSE(made[1].exists());
  EXPECT_TRUE(made[4].exists());
}

TEST_F(Snapshots, ThatAKilledProgramBeganAreRemoved) {
  GuestSnapshot other(cache(), "another machine");
  fs::path left = fs::path(other.begin()).parent_path();
  fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(2));
  save(GuestSnapshot(cache(), "a machine"));
  EXPECT_FALSE(fs::exists(left));
}

}  // namespace
}  // namespace hm::soft
