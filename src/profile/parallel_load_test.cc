// SPDX-License-Identifier: MIT
// The profile does not depend on the segments and threads of the load.
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "profile/test_recording.h"

namespace hm::profile {
namespace {

class RandomRecording {
 public:
  explicit RandomRecording(uint64_t seed) : random_(seed) {}

  TestRecording make() {
    TestRecording recording({test_event("plain", 1, PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK),
                             test_event("rich", 2,
                                        PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CPU |
                                            PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK)});
    recording.map(0, UINT32_MAX, kKernel, 0x10000, "[kernel.kallsyms]_text", kKernel);
    for (int i = 0; i < 2000; ++i) below(100) < 2 ? add_change(recording) : add_sample(recording);
    return recording;
  }

 private:
  static constexpr uint64_t kKernel = 0xffffffff81000000;

  uint64_t below(uint64_t limit) { return random_() % limit; }
  // Returns times mostly in order, often repeated.
  uint64_t time() {
    now_ += below(3);
    return now_ - (below(10) == 0 ? std::min(now_, below(300)) : 0);
  }
  uint32_t pid() { return 100 + static_cast<uint32_t>(below(6)); }
  uint64_t user_address() { return 0x1000 * (1 + below(8)) + below(32) * 8; }

  void add_change(TestRecording& recording) {
    uint32_t process = pid();
    switch (below(4)) {
      case 0:
        return recording.map(time(), process, 0x1000 * (1 + below(8)), 0x1000 * (1 + below(3)),
                             "/no/" + std::to_string(below(4)), 0x1000 * below(4));
      case 1:
        return recording.comm(time(), process, process + static_cast<uint32_t>(below(2)),
                              "name" + std::to_string(below(3)), below(3) == 0);
      case 2:
        return recording.fork(time(), process, pid());
      default:
        return recording.lost(time(), 1 + below(3));
    }
  }

  void add_sample(TestRecording& recording) {
    bool kernel = below(4) == 0;
    std::vector<uint64_t> chain{static_cast<uint64_t>(PERF_CONTEXT_USER)};
    for (uint64_t i = 0; i < below(6); ++i) chain.push_back(user_address());
    ByteWriter branches;
    for (uint64_t i = 0; i < below(4); ++i)
      record::encode_branch({.from = user_address(), .to = kKernel + below(100), .cycles = 7}, branches);
    record::Sample sample;
    sample.callchain = record::U64View(std::span<const uint64_t>(chain));
    sample.branches = record::BranchStack(record::U64View(branches.bytes(), false));
    sample.addr = below(2) == 0 ? below(100) : random_();
    sample.period = 1 + below(50);
    sample.cpu = static_cast<uint32_t>(below(4));
    recording.sample(time(), pid(), kernel ? kKernel + below(0x12000) : user_address(), sample, below(2),
                     kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER);
  }

  std::mt19937_64 random_;
  uint64_t now_ = 10;
};

std::string text_of(const Column& column, size_t sample) {
  std::optional<uint64_t> value = column.at(sample);
  return value ? std::to_string(*value) : "-";
}

void describe_sample(const Samples& samples, size_t i, std::ostream& out) {
  out << samples.event[i] << ' ' << samples.thread[i] << ' ' << samples.location[i];
  for (const Column* column : {&samples.time_ns, &samples.period, &samples.cpu, &samples.address})
    out << ' ' << text_of(*column, i);
  Slice chain = samples.chain_of(i), branch = samples.branches_of(i);
  for (uint32_t k = 0; k < chain.count; ++k) out << " <" << samples.chain_locations[chain.offset + k];
  for (uint32_t k = 0; k < branch.count; ++k) {
    const Branch& entry = samples.branches[branch.offset + k];
    out << " b" << entry.from << '>' << entry.to << '/' << entry.entry.cycles;
  }
  out << '\n';
}

std::string describe(const Profile& profile) {
  std::ostringstream out;
  for (const Thread& thread : profile.threads)
    out << thread.pid << '/' << thread.tid << ' ' << thread.comm << '\n';
  for (const DsoRow& dso : profile.dsos) out << dso.path << '\n';
  for (const FunctionRow& function : profile.functions) out << function.dso << ' ' << function.name << '\n';
  for (const Location& place : profile.locations)
    out << place.dso << '+' << place.offset << ' ' << place.function << ' ' << place.address << '\n';
  for (size_t i = 0; i < profile.samples.size(); ++i) describe_sample(profile.samples, i, out);
  for (const std::string& problem : profile.problems) out << problem << '\n';
  out << profile.lost.records << '\n';
  return out.str();
}

TEST(ParallelLoad, GivesTheSameProfile) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    TestRecording recording = RandomRecording(seed).make();
    std::string expected = describe(recording.load({.workers = 1, .samples_per_segment = 1 << 20}));
    for (size_t workers : {1, 2, 3, 8}) {
      for (size_t samples : {1, 100, 333, 1000}) {
        Profile profile = recording.load({.workers = workers, .samples_per_segment = samples});
        ASSERT_EQ(describe(profile), expected)
            << "seed " << seed << ", " << workers << " workers, " << samples;
      }
    }
  }
}

TEST(ParallelLoad, LeavesOutWhatIsNotNeeded) {
  TestRecording recording = RandomRecording(7).make();
  Profile whole = recording.load(), places = recording.load({.needs = kPlacesOnly});
  EXPECT_FALSE(whole.samples.chain_locations.empty());
  EXPECT_TRUE(places.samples.chain_locations.empty());
  EXPECT_TRUE(places.samples.branches.empty());
  EXPECT_TRUE(places.samples.address.empty());
  EXPECT_EQ(places.samples.chain_of(0).count, 0u);
  ASSERT_EQ(places.samples.size(), whole.samples.size());
  for (size_t i = 0; i < whole.samples.size(); ++i) {
    const Location& expected = whole.locations[whole.samples.location[i]];
    const Location& place = places.locations[places.samples.location[i]];
    EXPECT_EQ(std::pair(place.dso, place.offset), std::pair(expected.dso, expected.offset));
    EXPECT_EQ(places.samples.period.at(i), whole.samples.period.at(i));
    EXPECT_EQ(places.samples.time_ns.at(i), whole.samples.time_ns.at(i));
  }
}

}  // namespace
}  // namespace hm::profile
