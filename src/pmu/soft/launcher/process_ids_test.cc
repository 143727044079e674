// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/process_ids.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <cstring>
#include <vector>

#include "base/bytes.h"
#include "pmu/soft/ring/stack_record.h"

namespace hm::soft {
namespace {

constexpr uint32_t kInside = 1, kOutside = 4000000, kParent = 77;  // no process has the second number

std::vector<std::byte> record_of(uint32_t type, const std::vector<uint32_t>& words) {
  ByteWriter out;
  out.write(perf_event_header{type, 0, static_cast<uint16_t>(sizeof(perf_event_header) + 4 * words.size())});
  for (uint32_t word : words) out.u32(word);
  return std::move(out).take();
}

std::vector<uint32_t> words_of(const std::vector<std::byte>& record) {
  std::vector<uint32_t> words((record.size() - sizeof(perf_event_header)) / 4);
  std::memcpy(words.data(), record.data() + sizeof(perf_event_header), 4 * words.size());
  return words;
}

std::vector<uint32_t> translated(uint32_t type, const std::vector<uint32_t>& words) {
  std::vector<std::byte> record = record_of(type, words);
  ProcessIds(kOutside, kInside, kParent).translate(record);
  return words_of(record);
}

TEST(ProcessIds, ReplacesTheIdsOfASample) {
  EXPECT_EQ(translated(PERF_RECORD_SAMPLE, {9, 9, 1, 1, kInside, kInside, 1, 1}),
            (std::vector<uint32_t>{9, 9, 1, 1, kOutside, kOutside, 1, 1}));
}

TEST(ProcessIds, ReplacesTheIdsAtBothEndsOfOtherRecords) {
  EXPECT_EQ(translated(PERF_RECORD_COMM, {kInside, kInside, 0, 0, kInside, kInside, 5, 5, 6, 6}),
            (std::vector<uint32_t>{kOutside, kOutside, 0, 0, kOutside, kOutside, 5, 5, 6, 6}));
}

TEST(ProcessIds, LeavesTheBytesOfAStackAlone) {
  EXPECT_EQ(translated(kStackRecord, {kInside, kInside, 0, 0, 0, 0, kInside, kInside, 5, 5, 6, 6}),
            (std::vector<uint32_t>{kOutside, kOutside, 0, 0, 0, 0, kInside, kInside, 5, 5, 6, 6}));
}

TEST(ProcessIds, AForkNamesTheParentOutside) {
  // pid, ppid, tid, ptid, time, and the trailer
  EXPECT_EQ(
      translated(PERF_RECORD_FORK, {kInside, 3, kInside, 3, 0, 0, kInside, kInside, 0, 0, 0, 0}),
      (std::vector<uint32_t>{kOutside, kParent, kOutside, kParent, 0, 0, kOutside, kOutside, 0, 0, 0, 0}));
}

TEST(ProcessIds, LeavesRecordsOfTheSameNamespaceAndShortOnesAlone) {
  std::vector<std::byte> record = record_of(PERF_RECORD_COMM, {kInside, kInside, 0, 0, 1, 1, 0, 0, 0, 0});
  std::vector<std::byte> before = record;
  ProcessIds(kInside, kInside, kParent).translate(record);
  EXPECT_EQ(record, before);
  ProcessIds(0, kInside, kParent).translate(record);
  EXPECT_EQ(record, before);
  for (size_t bytes = 0; bytes < record.size(); ++bytes) {
    std::vector<std::byte> part(record.begin(), record.begin() + static_cast<ptrdiff_t>(bytes));
    ProcessIds(kOutside, kInside, kParent).translate(part);
    EXPECT_EQ(part.size(), bytes);
  }
}

}  // namespace
}  // namespace hm::soft
