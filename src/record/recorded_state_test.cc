// SPDX-License-Identifier: MIT
#include "record/recorded_state.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/comm.h"
#include "record/example_recording.h"
#include "record/mmap.h"
#include "record/sample_id.h"
#include "record/task.h"
#include "record/whole_records.h"

namespace hm::record {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RecordedStateTest : public ::testing::Test {
 protected:
  void add(uint32_t type, uint16_t misc, ByteWriter& payload) {
    const perf_event_attr attr = example::events().front().attr;
    encode_sample_id(attr, {.type = attr.sample_type & kSampleIdFields, .pid = 1, .tid = 1, .time_ns = 77},
                     payload);
    ByteWriter out;
    ASSERT_TRUE(append_record(out, type, misc, payload.bytes()).ok());
    state_.see(out.bytes());
  }
  void map(uint32_t pid, uint64_t address, uint64_t length, std::string_view path) {
    ByteWriter payload;
    Mmap mmap{.pid = pid, .tid = pid, .address = address, .length = length, .path = path};
    encode_mmap(mmap, payload);
    add(record_type_of(mmap), PERF_RECORD_MISC_USER, payload);
  }
  void name(uint32_t pid, uint32_t tid, std::string_view name, bool by_exec = false) {
    ByteWriter payload;
    encode_comm({.pid = pid, .tid = tid, .name = name}, payload);
    add(PERF_RECORD_COMM, by_exec ? PERF_RECORD_MISC_COMM_EXEC : 0, payload);
  }
  void task(uint32_t type, uint32_t pid, uint32_t parent_pid, uint32_t tid, uint32_t parent_tid) {
    ByteWriter payload;
    encode_task({pid, parent_pid, tid, parent_tid, 77}, payload);
    add(type, 0, payload);
  }

  // Returns one line for each record.
  std::vector<std::string> repeated() {
    ByteWriter out;
    state_.repeat(out);
    std::vector<std::string> lines;
    for_each_record(out.bytes(), [&](const perf_event_header& header, Bytes bytes) {
      Record record = record_of(header, bytes);
      EXPECT_EQ(decode_sample_id(example::events().front().attr, record).time_ns, 0u);
      if (header.type == PERF_RECORD_COMM) {
        Comm comm = *decode_comm(record);
        lines.push_back(fmt::format("{}/{} is {}", comm.pid, comm.tid, comm.name));
      } else if (header.type == PERF_RECORD_FORK) {
        Task task = *decode_task(record);
        lines.push_back(fmt::format("{}/{} of {}", task.pid, task.tid, task.parent_pid));
      } else {
        Mmap mmap = *decode_mmap(record);
        lines.push_back(fmt::format("{}: {:x} {}", mmap.pid, mmap.address, mmap.path));
      }
    });
    return lines;
  }

  RecordedState state_{example::events()};
};

TEST_F(RecordedStateTest, AThreadsNameAndWhatIsMapped) {
  name(1, 1, "one");
  map(1, 0x1000, 0x1000, "/a");
  map(1, 0x8000, 0x4000, "/b");
  EXPECT_THAT(repeated(), ElementsAre("1/1 is one", "1: 1000 /a", "1: 8000 /b"));
  EXPECT_THAT(repeated(), ElementsAre("1/1 is one", "1: 1000 /a", "1: 8000 /b"));
}

TEST_F(RecordedStateTest, WhatANewerMappingHidesIsForgotten) {
  map(1, 0x2000, 0x1000, "/hidden");
  map(1, 0x8000, 0x4000, "/in part");
  map(1, 0x1000, 0x8000, "/new");
  EXPECT_THAT(repeated(), ElementsAre("1: 8000 /in part", "1: 1000 /new"));
}

TEST_F(RecordedStateTest, AChildHasItsParentsMappingsUntilItExecutesAProgram) {
  name(1, 1, "one");
  map(1, 0x1000, 0x1000, "/a");
  task(PERF_RECORD_FORK, 2, 1, 2, 1);
  map(1, 0x5000, 0x1000, "/later");
  EXPECT_THAT(repeated(), ElementsAre("1/1 is one", "2/2 of 1", "2/2 is one", "1: 1000 /a", "2: 1000 /a",
                                      "1: 5000 /later"));
  name(2, 2, "two", true);
  map(2, 0x9000, 0x1000, "/two");
  EXPECT_THAT(repeated(), ElementsAre("1/1 is one", "2/2 of 1", "2/2 is two", "1: 1000 /a", "1: 5000 /later",
                                      "2: 9000 /two"));
}

TEST_F(RecordedStateTest, AProcessThatEndedIsForgottenAfterTheNextFile) {
  name(1, 1, "one");
  task(PERF_RECORD_FORK, 1, 1, 3, 1);
  map(1, 0x1000, 0x1000, "/a");
  task(PERF_RECORD_EXIT, 1, 1, 3, 1);
  task(PERF_RECORD_EXIT, 1, 1, 1, 1);
  EXPECT_EQ(repeated().size(), 4u);
  EXPECT_EQ(repeated().size(), 4u) << "samples from other rings may have come since";
  EXPECT_THAT(repeated(), IsEmpty());
}

}  // namespace
}  // namespace hm::record
