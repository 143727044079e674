// SPDX-License-Identifier: MIT
// Measurements on processors of both vendors that libpqos supports.
#include <fcntl.h>

#include <cstdlib>
#include <filesystem>

#include "pqos/fixture.h"

namespace hm::pqos_test {
namespace {

using rdt::Reading;

constexpr uint64_t kCountBytes = 65536;

class Measuring : public PqosTest, public testing::WithParamInterface<Vendor> {
 protected:
  void SetUp() override {
    PqosTest::SetUp();
    if (IsSkipped()) return;
    set_emulated_cpu({.vendor = GetParam()});
  }

  // Returns the only reading of a group in one cache.
  static Reading only_reading(rdt::Group& group) {
    std::vector<Reading> readings = group.read();
    EXPECT_EQ(readings.size(), 1U);
    return readings.empty() ? Reading{} : readings.front();
  }
};

INSTANTIATE_TEST_SUITE_P(Vendors, Measuring, testing::Values(Vendor::kIntel, Vendor::kAmd),
                         [](const auto& of) { return of.param == Vendor::kIntel ? "Intel" : "Amd"; });

TEST_P(Measuring, TellsWhatTheProcessorCan) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  const rdt::Capabilities& can = provider->capabilities();
  EXPECT_EQ(can.name, "libpqos");
  EXPECT_TRUE(can.occupancy && can.total_bandwidth && can.local_bandwidth && can.cpus);
  EXPECT_FALSE(can.threads);
  EXPECT_EQ(can.groups, 7U);  // of 8 ids: one is the default id
  EXPECT_EQ(can.domains, (std::vector<rdt::Domain>{{0, kCacheBytes}, {1, kCacheBytes}}));
}

TEST_P(Measuring, TellsOfEventsThatAreNotThere) {
  set_emulated_cpu({.vendor = GetParam(), .total = false, .local = false});
  auto provider = opened();
  ASSERT_TRUE(provider);
  EXPECT_FALSE(provider->capabilities().total_bandwidth || provider->capabilities().local_bandwidth);
  auto group = watched(*provider, {0});
  ASSERT_TRUE(group);
  EXPECT_EQ(group->read(), (std::vector<Reading>{{0, 0, {}, {}}}));
}

TEST_P(Measuring, ReadsTheBytesOfEachGroup) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  auto first = watched(*provider, {0});
  auto second = watched(*provider, {1});
  auto other_cache = watched(*provider, {2, 3});
  ASSERT_TRUE(first && second && other_cache);
  EXPECT_NE(id_of(0), 0U);
  EXPECT_NE(id_of(0), id_of(1));
  EXPECT_EQ(id_of(2), id_of(3));
  registers().set_counter(0, id_of(0), kOccupancy, 100);
  registers().set_counter(0, id_of(1), kOccupancy, 7);
  registers().set_counter(1, id_of(2), kOccupancy, 31);
  EXPECT_EQ(first->read(), (std::vector<Reading>{{0, 100 * kCountBytes, 0, 0}}));
  EXPECT_EQ(second->read(), (std::vector<Reading>{{0, 7 * kCountBytes, 0, 0}}));
  EXPECT_EQ(other_cache->read(), (std::vector<Reading>{{1, 31 * kCountBytes, 0, 0}}));
  registers().set_counter(0, id_of(0), kOccupancy, 0);
  EXPECT_EQ(first->read(), (std::vector<Reading>{{0, 0, 0, 0}}));
}

TEST_P(Measuring, ReadsAGroupInTwoCachesInEach) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  auto group = watched(*provider, {1, 2, 1});
  ASSERT_TRUE(group);
  registers().set_counter(0, id_of(1), kOccupancy, 5);
  registers().set_counter(1, id_of(2), kOccupancy, 6);
  EXPECT_EQ(group->read(), (std::vector<Reading>{{0, 5 * kCountBytes, 0, 0}, {1, 6 * kCountBytes, 0, 0}}));
}

TEST_P(Measuring, AddsTrafficUpFromTheBeginningOfTheGroup) {
  registers().set_counter(0, 1, kTotal, 1000);
  registers().set_counter(0, 1, kLocal, (1 << 24) - 1);
  auto provider = opened();
  ASSERT_TRUE(provider);
  auto group = watched(*provider, {0});
  ASSERT_TRUE(group);
  EXPECT_EQ(only_reading(*group), (Reading{0, 0, 0, 0}));
  registers().set_counter(0, 1, kTotal, 1003);
  registers().set_counter(0, 1, kLocal, 1);  // it wrapped to 0
  EXPECT_EQ(only_reading(*group), (Reading{0, 0, 3 * kCountBytes, 2 * kCountBytes}));
  registers().set_counter(0, 1, kTotal, 2);
  EXPECT_EQ(only_reading(*group), (Reading{0, 0, ((1 << 24) - 1001 + 3) * kCountBytes, 2 * kCountBytes}));
}

TEST_P(Measuring, AddsTrafficUpOverTheEndOfA32BitCounter) {
  set_emulated_cpu({.vendor = GetParam(), .counter_bits = 32});
  registers().set_counter(0, 1, kTotal, 0xFFFFFFF0);
  registers().set_counter(0, 1, kLocal, 0xFFFFFFF0);
  auto provider = opened();
  ASSERT_TRUE(provider);
  auto group = watched(*provider, {0});
  ASSERT_TRUE(group);
  // libpqos stops at a counter that wraps.
  registers().set_counter(0, 1, kTotal, 0x10);
  registers().set_counter(0, 1, kLocal, 0x10);
  Reading reading = only_reading(*group);
  EXPECT_EQ(reading.local_bytes, 0x20 * kCountBytes);
  EXPECT_TRUE(!reading.total_bytes || *reading.total_bytes == 0x20 * kCountBytes);
  registers().set_counter(0, 1, kTotal, 0x20);
  registers().set_counter(0, 1, kLocal, 0x20);
  EXPECT_EQ(only_reading(*group), (Reading{0, 0, 0x30 * kCountBytes, 0x30 * kCountBytes}));
}

TEST_P(Measuring, TakesUnavailableForNotMeasured) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  auto group = watched(*provider, {0});
  ASSERT_TRUE(group);
  registers().set_counter(0, 1, kOccupancy, 9);
  registers().set_counter(0, 1, kTotal, kUnavailable);
  EXPECT_EQ(only_reading(*group), (Reading{0, 9 * kCountBytes, {}, 0}));
  registers().set_counter(0, 1, kOccupancy, kUnavailable);
  EXPECT_EQ(only_reading(*group).occupancy_bytes, std::nullopt);
  registers().set_counter(0, 1, kOccupancy, 8);
  registers().set_counter(0, 1, kTotal, 4);
  EXPECT_EQ(only_reading(*group), (Reading{0, 8 * kCountBytes, 4 * kCountBytes, 0}));
}

TEST_P(Measuring, TakesErrorForNotMeasured) {
  for (unsigned bits : {24U, 32U, 44U}) {
    set_emulated_cpu({.vendor = GetParam(), .counter_bits = bits});
    registers().reset();
    auto provider = opened();
    ASSERT_TRUE(provider);
    auto group = watched(*provider, {0});
    ASSERT_TRUE(group);
    for (Event event : {kOccupancy, kLocal, kTotal}) {
      registers().set_counter(0, 1, event, kError);
      Reading reading = only_reading(*group);
      std::optional<uint64_t> bytes = event == kOccupancy ? reading.occupancy_bytes
                                      : event == kLocal   ? reading.local_bytes
                                                          : reading.total_bytes;
      EXPECT_EQ(bytes, std::nullopt) << bits;
      registers().set_counter(0, 1, event, 0);
    }
    // The value is not added up, either.
    registers().set_counter(0, 1, kTotal, 20);
    registers().set_counter(0, 1, kLocal, 30);
    static_cast<void>(only_reading(*group));
    EXPECT_EQ(only_reading(*group), (Reading{0, 0, 20 * kCountBytes, 30 * kCountBytes})) << bits;
  }
}

TEST_P(Measuring, TakesACpuThatGoesOfflineForNotMeasured) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  auto group = watched(*provider, {0});
  ASSERT_TRUE(group);
  registers().set_offline(0);
  EXPECT_EQ(only_reading(*group), (Reading{0, {}, {}, {}}));
}

TEST_P(Measuring, GivesIdsBack) {
  constexpr uint64_t kClassOfService = uint64_t{3} << 32;
  registers().set_association(1, kClassOfService);
  auto provider = opened();
  ASSERT_TRUE(provider);
  auto group = watched(*provider, {0, 1, 2});
  ASSERT_TRUE(group);
  EXPECT_EQ(registers().association(1), kClassOfService | 1);
  group.reset();
  EXPECT_EQ(registers().association(0), 0U);
  EXPECT_EQ(registers().association(1), kClassOfService);
  EXPECT_EQ(registers().association(2), 0U);
}

TEST_P(Measuring, GroupsOutliveTheirProvider) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  auto group = watched(*provider, {0});
  ASSERT_TRUE(group);
  provider.reset();
  registers().set_counter(0, 1, kOccupancy, 2);
  EXPECT_EQ(only_reading(*group).occupancy_bytes, 2 * kCountBytes);
  group.reset();
  EXPECT_EQ(registers().association(0), 0U);
  EXPECT_TRUE(opened());
}

TEST_P(Measuring, LeavesWhatSomebodyElseTook) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  auto group = watched(*provider, {0, 1});
  ASSERT_TRUE(group);
  registers().set_association(0, 6);
  EXPECT_TRUE(group->read().empty());
  group.reset();
  EXPECT_EQ(registers().association(0), 6U);
  EXPECT_EQ(registers().association(1), 0U);
}

TEST_P(Measuring, OpensNoFileForProgramsThatAreStarted) {
  auto provider = opened();
  ASSERT_TRUE(provider);
  unsigned files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    std::string target = std::filesystem::read_symlink(entry.path(), error).string();
    if (!target.starts_with("/dev/cpu/") && !target.ends_with("/libpqos")) continue;
    ++files;
    EXPECT_EQ(::fcntl(std::atoi(entry.path().filename().c_str()), F_GETFD), FD_CLOEXEC) << target;
  }
  EXPECT_EQ(files, kCpus + 1);
}

}  // namespace
}  // namespace hm::pqos_test
