// SPDX-License-Identifier: MIT
// Resolution of data addresses, for recordings with complete and with sparse information about a process.
#include <asm/perf_regs.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>

#include "profile/test_recording.h"

// Variables of this program, which is the object in the recordings.
std::array<long, 100> g_profile_test_table = {1, 2, 3};
std::array<long, 100> g_profile_test_zeros;

namespace hm::profile {
namespace {

constexpr uint32_t kProcess = 7, kWorker = 9;
constexpr uint64_t kStackMask = uint64_t{1} << PERF_REG_X86_SP;

struct OwnMapping {
  uint64_t start, end, offset;
  bool executable;
};

// Returns the mappings of this program's file.
std::vector<OwnMapping> own_mappings(std::string& path) {
  std::vector<OwnMapping> mappings;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    OwnMapping each{};
    char protection[8] = {}, name[4096] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %7s %lx %*s %*s %4095[^\n]", &each.start, &each.end, protection,
                    &each.offset, name) != 5 ||
        !std::string_view(name).ends_with("_test"))
      continue;
    path = name;
    each.executable = protection[2] == 'x';
    mappings.push_back(each);
  }
  return mappings;
}

TEST(DataObjects, SharedMemoryHasOneAddressInAllProcesses) {
  TestRecording recording({test_event("e", 1, PERF_SAMPLE_ADDR)});
  recording.comm(1, kProcess, kProcess, "program", true);
  recording.comm(1, kWorker, kWorker, "program", true);
  recording.map_shared(2, kProcess, 0x10000, 0x4000, "/dev/shm/pool", 55);
  recording.map_shared(2, kWorker, 0x70000, 0x4000, "/dev/shm/pool", 55);
  recording.map_shared(2, kWorker, 0x90000, 0x4000, "/dev/shm/pool", 56);
  record::Sample sample;
  const auto access = [&](uint32_t pid, uint64_t address) {
    sample.addr = address;
    recording.sample(3, pid, 1, sample);
  };
  access(kProcess, 0x10048);
  access(kWorker, 0x70048);
  access(kWorker, 0x70049);
  access(kWorker, 0x90048);
  access(kWorker, 0x5000);
  LoadOptions options;
  options.needs.objects = true;
  const Profile profile = recording.load(options);
  const Column& shared = profile.samples.shared_address;
  ASSERT_TRUE(shared.at(0));
  EXPECT_EQ(shared.at(1), shared.at(0));
  EXPECT_EQ(shared.at(2), *shared.at(0) + 1);
  EXPECT_NE(shared.at(3), shared.at(0));
  EXPECT_EQ(shared.at(4), std::nullopt);
}

class Recorder {
 public:
  Recorder() : recording_({event()}) {
    recording_.comm(1, kProcess, kProcess, "program", true);
    std::string path;
    for (const OwnMapping& each : own_mappings(path)) {
      if (each.executable) recording_.map(2, kProcess, each.start, each.end - each.start, path, each.offset);
    }
  }

  TestRecording& recording() { return recording_; }

  void access(uint64_t address, uint64_t stack_pointer = 0, uint32_t pid = kProcess) {
    registers_.push_back(stack_pointer);
    record::Sample sample;
    sample.addr = address;
    sample.intr_regs.abi = PERF_SAMPLE_REGS_ABI_64;
    sample.intr_regs.mask = kStackMask;
    sample.intr_regs.values = record::U64View(std::span(&registers_.back(), 1));
    recording_.sample(time_ns_++, pid, 0x1000, sample);
  }

  // Returns the texts of the samples' objects.
  [[nodiscard]] std::vector<std::string> objects() const {
    LoadOptions options;
    options.needs.objects = true;
    Profile profile = recording_.load(options);
    std::vector<std::string> texts;
    for (uint32_t object : profile.samples.object) texts.push_back(profile.object_text(object));
    EXPECT_EQ(profile.samples.field.size(), texts.size());
    return texts;
  }

 private:
  static record::EventDescription event() {
    record::EventDescription event = test_event("miss", 1, PERF_SAMPLE_ADDR | PERF_SAMPLE_REGS_INTR);
    event.attr.sample_regs_intr = kStackMask;
    return event;
  }

  TestRecording recording_;
  std::vector<uint64_t> registers_ = [] {
    std::vector<uint64_t> values;
    values.reserve(64);
    return values;
  }();
  uint64_t time_ns_ = 10;
};

uint64_t address_of(const std::array<long, 100>& table) { return reinterpret_cast<uint64_t>(&table[50]); }

TEST(DataObjects, VariablesAreFoundFromTheCodesMappingAlone) {
  Recorder recorder;
  recorder.access(address_of(g_profile_test_table));
  recorder.access(address_of(g_profile_test_zeros));
  recorder.access(0);
  recorder.access(0xffff888000000000);
  EXPECT_THAT(recorder.objects(),
              ::testing::ElementsAre("global g_profile_test_table (profile_test)",
                                     "global g_profile_test_zeros (profile_test)", "[unknown]", "kernel"));
}

TEST(DataObjects, WhatTheKernelNames) {
  Recorder recorder;
  recorder.recording().map(3, kProcess, 0x10000000, 0x1000, "[heap]");
  recorder.recording().map(3, kProcess, 0x20000000, 0x1000, "//anon");
  recorder.recording().map(3, kProcess, 0x30000000, 0x1000, "/var/lib/table");
  recorder.recording().map(3, kProcess, 0x40000000, 0x1000, "[vvar]");
  for (uint64_t address : {0x10000010, 0x20000010, 0x30000010, 0x40000010, 0x50000010})
    recorder.access(address);
  EXPECT_THAT(recorder.objects(), ::testing::ElementsAre("program break", "anonymous memory",
                                                         "file /var/lib/table", "vDSO", "[unknown]"));
}

TEST(DataObjects, Stacks) {
  Recorder recorder;
  recorder.recording().map(3, kProcess, 0x7ffff0000000, 0x21000, "[stack]");
  recorder.recording().map(3, kProcess, 0x7f0000000000, 0x800000, "//anon");
  recorder.recording().map(3, kProcess, 0x7e0000000000, 0x800000, "[stack:9]");
  recorder.access(0x7ffff0000010);
  recorder.access(0x7fffefff0000);                  // the stack has grown below its mapping
  recorder.access(0x7f0000000010, 0x7f0000000000);  // a thread's stack, found by its stack pointer
  recorder.access(0x7f0000700000);                  // the same stack, now known
  recorder.access(0x7e0000000010);                  // of a thread that is not in the recording
  recorder.access(0x60000010, 0x60000000);          // no mapping known
  recorder.access(0x60100000, 0x60000000);          // too far from the stack pointer
  EXPECT_THAT(recorder.objects(),
              ::testing::ElementsAre("stack of main", "stack of main", "stack of main", "stack of main",
                                     "stack of main", "stack of main", "[unknown]"));
}

TEST(DataObjects, AThreadsStackIsCalledByItsName) {
  Recorder recorder;
  recorder.recording().comm(3, kProcess, kWorker, "worker");
  recorder.recording().map(3, kProcess, 0x7e0000000000, 0x800000, "[stack:9]");
  recorder.access(0x7e0000000010);
  EXPECT_THAT(recorder.objects(), ::testing::ElementsAre("stack of worker (9)"));
}

TEST(DataObjects, LaterMappingsReplaceEarlierOnes) {
  Recorder recorder;
  recorder.recording().map(3, kProcess, 0x10000000, 0x3000, "/var/lib/table");
  recorder.access(0x10001000);
  recorder.recording().map(11, kProcess, 0x10001000, 0x1000, "//anon");
  recorder.access(0x10001000);
  recorder.access(0x10002000);
  EXPECT_THAT(recorder.objects(),
              ::testing::ElementsAre("file /var/lib/table", "anonymous memory", "file /var/lib/table"));
}

TEST(DataObjects, AreNotLookedForUnasked) {
  Recorder recorder;
  recorder.access(0x10001000);
  Profile profile = recorder.recording().load();
  EXPECT_TRUE(profile.samples.object.empty());
  EXPECT_TRUE(profile.objects.empty());
  EXPECT_TRUE(profile.fields.empty());
}

}  // namespace
}  // namespace hm::profile
