// SPDX-License-Identifier: MIT
#include "app/measure/soft/undecodable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "pmu/soft/launcher/direct_engine.h"
#include "pmu/soft/launcher/valgrind_engine.h"
#include "record/comm.h"
#include "record/mmap.h"
#include "record/task.h"

extern "C" __attribute__((noinline)) void a_place_in_this_test() { asm volatile("nop"); }

namespace hm::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr uint32_t kPid = 42;
// vaddps zmm0, zmm1, zmm2, and ud2; Intel SDM volume 2.
constexpr std::array<uint8_t, 16> kVaddps{0x62, 0xf1, 0x74, 0x48, 0x58, 0xc2};
constexpr std::array<uint8_t, 16> kUd2{0x0f, 0x0b};

void see(PassingRecords& passing, uint32_t type, const ByteWriter& payload) {
  ByteWriter out;
  ASSERT_TRUE(record::append_record(out, type, PERF_RECORD_MISC_USER, payload.bytes()).ok());
  passing.see(out.bytes());
}

// Returns the kernel's mapping of this test's own code.
record::Mmap own_mapping(uint64_t address, std::string& path) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    uint64_t start = 0, end = 0, offset = 0;
    char dash = 0;
    std::string access, device, inode;
    words >> std::hex >> start >> dash >> end >> access >> offset >> device >> inode >> std::ws;
    std::getline(words, path);
    if (address < start || address >= end) continue;
    return {.pid = kPid,
            .tid = kPid,
            .address = start,
            .length = end - start,
            .file_offset = offset,
            .path = path,
            .protection = PROT_READ | PROT_EXEC};
  }
  ADD_FAILURE() << "no mapping";
  return {};
}

class UndecodableTest : public ::testing::Test {
 protected:
  UndecodableTest() {
    ByteWriter comm;
    record::encode_comm({.pid = kPid, .tid = kPid, .name = "worker"}, comm);
    see(passing_, PERF_RECORD_COMM, comm);
    ByteWriter mmap;
    record::encode_mmap(own_mapping(address_, path_), mmap);
    see(passing_, PERF_RECORD_MMAP2, mmap);
  }

  uint64_t address_ = reinterpret_cast<uint64_t>(&a_place_in_this_test);
  std::string path_;
  PassingRecords passing_;
  soft::ValgrindEngine valgrind_{"", ""};
  soft::DirectEngine copying_{soft::EngineImage{}};
};

TEST_F(UndecodableTest, NamesAvx512AndTheFunction) {
  std::string file = std::filesystem::path(path_).filename();
  auto sentences =
      explain_undecodable({{kPid, address_, kVaddps}, {kPid, address_, kVaddps}}, passing_, valgrind_);
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_THAT(sentences[0],
              MatchesRegex("program 'worker' \\(pid 42\\) met the AVX-512 instruction 'vaddps zmm0, "
                           "zmm1, zmm2' in function a_place_in_this_test \\(" +
                           file + "\\+0x[0-9a-f]+\\); Valgrind [0-9.]* ?cannot run AVX-512.*"));
}

TEST_F(UndecodableTest, OtherInstructionsAndUnknownPlaces) {
  EXPECT_THAT(explain_undecodable({{kPid, 0x10, kUd2}}, passing_, valgrind_),
              ElementsAre(HasSubstr("met the instruction 'ud2' at 0x10; ")));
  EXPECT_THAT(explain_undecodable({{7, 0x10, kUd2}}, passing_, valgrind_),
              ElementsAre(HasSubstr("a program (pid 7)")));
}

TEST_F(UndecodableTest, TheEngineAtWorkIsToBlame) {
  EXPECT_THAT(explain_undecodable({{kPid, 0x10, kVaddps}}, passing_, copying_),
              ElementsAre(HasSubstr("; copying engine let the processor execute it")));
}

TEST_F(UndecodableTest, AChildHasItsParentsCode) {
  ByteWriter fork;
  record::encode_task({.pid = 43, .parent_pid = kPid, .tid = 43, .parent_tid = kPid, .time_ns = 1}, fork);
  see(passing_, PERF_RECORD_FORK, fork);
  EXPECT_EQ(passing_.find(43, address_).file, path_);
  EXPECT_EQ(passing_.find(43, address_).program, "worker");
  EXPECT_EQ(passing_.find(44, address_).file, "");
}

}  // namespace
}  // namespace hm::measure
