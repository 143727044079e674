// SPDX-License-Identifier: MIT
// For every kind of record: decoding reverses encoding, and no prefix is accepted as the whole record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "record/aux.h"
#include "record/build_id.h"
#include "record/comm.h"
#include "record/event_records.h"
#include "record/example_recording.h"
#include "record/id_index.h"
#include "record/ksymbol.h"
#include "record/lost.h"
#include "record/maps.h"
#include "record/mmap.h"
#include "record/read.h"
#include "record/switch.h"
#include "record/task.h"
#include "record/throttle.h"
#include "record/time_conv.h"

namespace hm::record {
namespace {

using ::testing::ElementsAre;

// An encoded payload and the record that contains it.
struct Encoded {
  template <typename Encode>
  explicit Encoded(uint32_t type, Encode&& encode, uint16_t misc = 0) {
    encode(payload);
    record = {.type = type, .misc = misc, .payload = payload.bytes()};
  }

  ByteWriter payload;
  Record record;
};

// `decode` must fail on all prefixes shorter than `fixed_bytes`.
template <typename Decode>
void expect_short_ones_refused(const Record& whole, size_t fixed_bytes, Decode&& decode) {
  for (size_t size = 0; size < fixed_bytes; ++size) {
    Record part = whole;
    part.payload = whole.payload.first(size);
    auto result = decode(part);
    ASSERT_FALSE(result.ok()) << size << " bytes";
    EXPECT_EQ(result.error().code, ErrorCode::kDamaged);
  }
}

TEST(Records, Comm) {
  Comm comm{.pid = 1, .tid = 2, .name = "worker"};
  Encoded encoded(PERF_RECORD_COMM, [&](ByteWriter& out) { encode_comm(comm, out); });
  ASSERT_TRUE(decode_comm(encoded.record).ok());
  EXPECT_EQ(*decode_comm(encoded.record), comm);
  EXPECT_EQ(encoded.record.payload.size() % 8, 0u);
  expect_short_ones_refused(encoded.record, 8, decode_comm);
}

TEST(Records, Task) {
  Task task{.pid = 1, .parent_pid = 2, .tid = 3, .parent_tid = 4, .time_ns = 5};
  Encoded encoded(PERF_RECORD_FORK, [&](ByteWriter& out) { encode_task(task, out); });
  ASSERT_TRUE(decode_task(encoded.record).ok());
  EXPECT_EQ(*decode_task(encoded.record), task);
  expect_short_ones_refused(encoded.record, 24, decode_task);
}

TEST(Records, MmapOfTheFirstKind) {
  Mmap mmap{
      .pid = 1, .tid = 2, .address = 3, .length = 4, .file_offset = 5, .path = "/bin/a", .executable = false};
  Encoded encoded(
      record_type_of(mmap), [&](ByteWriter& out) { encode_mmap(mmap, out); }, misc_bits_of(mmap));
  EXPECT_EQ(encoded.record.type, PERF_RECORD_MMAP);
  auto read = decode_mmap(encoded.record);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->pid, 1u);
  EXPECT_EQ(read->tid, 2u);
  EXPECT_EQ(read->address, 3u);
  EXPECT_EQ(read->length, 4u);
  EXPECT_EQ(read->file_offset, 5u);
  EXPECT_EQ(read->path, "/bin/a");
  EXPECT_FALSE(read->executable);
  EXPECT_FALSE(read->protection.has_value());
  expect_short_ones_refused(encoded.record, 32, decode_mmap);
}

TEST(Records, Mmap2WithInode) {
  Mmap mmap{.pid = 1, .tid = 2, .path = "/bin/a"};
  mmap.protection = 5;
  mmap.flags = 2;
  mmap.identity = FileIdentity{.major = 8, .minor = 1, .inode = 99, .inode_generation = 7};
  Encoded encoded(
      record_type_of(mmap), [&](ByteWriter& out) { encode_mmap(mmap, out); }, misc_bits_of(mmap));
  EXPECT_EQ(encoded.record.type, PERF_RECORD_MMAP2);
  auto read = decode_mmap(encoded.record);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->identity, mmap.identity);
  EXPECT_EQ(read->protection, 5u);
  EXPECT_EQ(read->flags, 2u);
  EXPECT_TRUE(read->executable);
  EXPECT_EQ(read->path, "/bin/a");
  EXPECT_TRUE(read->build_id.empty());
  expect_short_ones_refused(encoded.record, 64, decode_mmap);
}

TEST(Records, Mmap2WithBuildId) {
  std::vector<std::byte> id(16, std::byte{0xcd});
  Mmap mmap{.pid = 1, .tid = 2, .path = "/bin/a"};
  mmap.protection = 1;
  mmap.build_id = id;
  mmap.executable = false;
  Encoded encoded(
      record_type_of(mmap), [&](ByteWriter& out) { encode_mmap(mmap, out); }, misc_bits_of(mmap));
  auto read = decode_mmap(encoded.record);
  ASSERT_TRUE(read.ok());
  EXPECT_THAT(std::vector<std::byte>(read->build_id.begin(), read->build_id.end()), id);
  EXPECT_FALSE(read->identity.has_value());
  EXPECT_FALSE(read->executable);
  EXPECT_EQ(read->path, "/bin/a");
}

TEST(Records, Lost) {
  Lost lost{.id = 7, .count = 1000};
  Encoded encoded(PERF_RECORD_LOST, [&](ByteWriter& out) { encode_lost(lost, out); });
  ASSERT_TRUE(decode_lost(encoded.record).ok());
  EXPECT_EQ(*decode_lost(encoded.record), lost);
  expect_short_ones_refused(encoded.record, 16, decode_lost);

  Encoded samples(PERF_RECORD_LOST_SAMPLES, [](ByteWriter& out) { encode_lost_samples(9, out); });
  ASSERT_TRUE(decode_lost(samples.record).ok());
  EXPECT_EQ(decode_lost(samples.record)->count, 9u);
  expect_short_ones_refused(samples.record, 8, decode_lost);
}

TEST(Records, Throttle) {
  Throttle throttle{.time_ns = 1, .id = 2, .stream_id = 3};
  Encoded encoded(PERF_RECORD_THROTTLE, [&](ByteWriter& out) { encode_throttle(throttle, out); });
  ASSERT_TRUE(decode_throttle(encoded.record).ok());
  EXPECT_EQ(*decode_throttle(encoded.record), throttle);
  expect_short_ones_refused(encoded.record, 24, decode_throttle);
}

TEST(Records, Read) {
  uint64_t format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
  Read read{.pid = 1, .tid = 2, .values = ReadValues(format, ReadValue{.value = 3, .id = 4})};
  read.values.time_enabled_ns = 5;
  read.values.time_running_ns = 6;
  Encoded encoded(PERF_RECORD_READ, [&](ByteWriter& out) { encode_read(read, out); });
  auto decode = [&](const Record& record) { return decode_read(record, format); };
  auto again = decode(encoded.record);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->tid, 2u);
  EXPECT_EQ(again->values[0], read.values[0]);
  EXPECT_EQ(again->values.time_enabled_ns, 5u);
  EXPECT_EQ(again->values.time_running_ns, 6u);
  expect_short_ones_refused(encoded.record, encoded.record.payload.size(), decode);
}

TEST(Records, Switch) {
  Switch change{.out = true, .preempted = true, .other = ThreadRef{.pid = 3, .tid = 4}};
  Encoded encoded(
      PERF_RECORD_SWITCH_CPU_WIDE, [&](ByteWriter& out) { encode_switch_cpu_wide(*change.other, out); },
      misc_bits_of(change));
  ASSERT_TRUE(decode_switch(encoded.record).ok());
  EXPECT_EQ(*decode_switch(encoded.record), change);
  expect_short_ones_refused(encoded.record, 8, decode_switch);

  Record in{.type = PERF_RECORD_SWITCH};
  EXPECT_EQ(*decode_switch(in), Switch{});
}

TEST(Records, Ksymbol) {
  Ksymbol symbol{.address = 0xffffffffc0000000, .bytes = 64, .kind = 1, .flags = 1, .name = "bpf_prog_1"};
  Encoded encoded(PERF_RECORD_KSYMBOL, [&](ByteWriter& out) { encode_ksymbol(symbol, out); });
  ASSERT_TRUE(decode_ksymbol(encoded.record).ok());
  EXPECT_EQ(*decode_ksymbol(encoded.record), symbol);
  expect_short_ones_refused(encoded.record, 16, decode_ksymbol);
}

TEST(Records, HardwareTraces) {
  Aux aux{.offset_bytes = 1, .size_bytes = 2, .flags = 3};
  Encoded encoded(PERF_RECORD_AUX, [&](ByteWriter& out) { encode_aux(aux, out); });
  ASSERT_TRUE(decode_aux(encoded.record).ok());
  EXPECT_EQ(*decode_aux(encoded.record), aux);
  expect_short_ones_refused(encoded.record, 24, decode_aux);

  ItraceStart start{.pid = 1, .tid = 2};
  Encoded started(PERF_RECORD_ITRACE_START, [&](ByteWriter& out) { encode_itrace_start(start, out); });
  ASSERT_TRUE(decode_itrace_start(started.record).ok());
  EXPECT_EQ(*decode_itrace_start(started.record), start);
  expect_short_ones_refused(started.record, 8, decode_itrace_start);

  Auxtrace trace{.size_bytes = 1, .offset_bytes = 2, .reference = 3, .index = 4, .tid = 5, .cpu = 6};
  Encoded traced(kAuxtrace, [&](ByteWriter& out) { encode_auxtrace(trace, out); });
  ASSERT_TRUE(decode_auxtrace(traced.record).ok());
  EXPECT_EQ(*decode_auxtrace(traced.record), trace);
  expect_short_ones_refused(traced.record, 36, decode_auxtrace);
}

TEST(Records, TimeConversion) {
  TimeConversion conversion{.shift = 10, .multiplier = 300, .zero_ns = 5};
  Encoded encoded(kTimeConv, [&](ByteWriter& out) { encode_time_conversion(conversion, out); });
  ASSERT_TRUE(decode_time_conversion(encoded.record).ok());
  EXPECT_EQ(*decode_time_conversion(encoded.record), conversion);
  expect_short_ones_refused(encoded.record, 24, decode_time_conversion);
}

TEST(Records, ThreadMap) {
  std::vector<NamedThread> threads{{.tid = 1, .name = "main"}, {.tid = 2, .name = "a name that is t"}};
  Encoded encoded(kThreadMap, [&](ByteWriter& out) { encode_thread_map(threads, out); });
  auto read = decode_thread_map(encoded.record);
  ASSERT_TRUE(read.ok());
  EXPECT_THAT(*read, ElementsAre(threads[0], NamedThread{.tid = 2, .name = "a name that is "}));
  expect_short_ones_refused(encoded.record, encoded.record.payload.size(), decode_thread_map);
}

TEST(Records, CpuMapAsList) {
  Encoded encoded(kCpuMap, [](ByteWriter& out) { encode_cpu_map({0, 2, 5}, out); });
  auto read = decode_cpu_map(encoded.record);
  ASSERT_TRUE(read.ok());
  EXPECT_THAT(*read, ElementsAre(0, 2, 5));
  expect_short_ones_refused(encoded.record, 10, decode_cpu_map);
}

TEST(Records, CpuMapAsMask) {
  Encoded wide(kCpuMap, [](ByteWriter& out) {
    for (int half : {1, 2, 8}) out.u16(static_cast<uint16_t>(half));  // a mask of 2 words of 8 bytes
    out.u32(0);
    out.u64(0x9);
    out.u64(0x1);
  });
  EXPECT_THAT(*decode_cpu_map(wide.record), ElementsAre(0, 3, 64));
  Encoded narrow(kCpuMap, [](ByteWriter& out) {
    for (int half : {1, 1, 4}) out.u16(static_cast<uint16_t>(half));
    out.u32(0x80000001);
  });
  EXPECT_THAT(*decode_cpu_map(narrow.record), ElementsAre(0, 31));
}

TEST(Records, CpuMapAsRange) {
  Encoded encoded(kCpuMap, [](ByteWriter& out) {
    for (int half : {2, 0, 4, 6}) out.u16(static_cast<uint16_t>(half));
  });
  EXPECT_THAT(*decode_cpu_map(encoded.record), ElementsAre(4, 5, 6));
  Encoded unknown(kCpuMap, [](ByteWriter& out) { out.u16(9); });
  EXPECT_EQ(decode_cpu_map(unknown.record).error().code, ErrorCode::kUnsupported);
}

TEST(Records, IdIndex) {
  std::vector<IdPlace> places{{.id = 1, .ring = 2, .cpu = 3, .tid = -1},
                              {.id = 4, .ring = 5, .cpu = -1, .tid = 6}};
  Encoded encoded(kIdIndex, [&](ByteWriter& out) { encode_id_index(places, out); });
  auto read = decode_id_index(encoded.record);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, places);
  expect_short_ones_refused(encoded.record, encoded.record.payload.size(), decode_id_index);
}

TEST(Records, EventUpdate) {
  EventUpdate update{.kind = kUpdateName, .id = 7, .text = "cache-miss"};
  Encoded encoded(kEventUpdate, [&](ByteWriter& out) { encode_event_update(update, out); });
  ASSERT_TRUE(decode_event_update(encoded.record).ok());
  EXPECT_EQ(*decode_event_update(encoded.record), update);
  expect_short_ones_refused(encoded.record, 16, decode_event_update);
}

// Decodes the header of a record that an encoder wrote whole.
Record first_record(Bytes bytes) {
  ByteReader in(bytes);
  Record record{.type = in.u32(), .misc = in.u16()};
  record.payload = bytes.subspan(kRecordHeaderBytes, in.u16() - kRecordHeaderBytes);
  return record;
}

TEST(Records, HeaderAttr) {
  EventDescription event = example::event("", 3, 11, PERF_SAMPLE_IP);
  event.ids.push_back(12);
  ByteWriter out;
  ASSERT_TRUE(encode_header_attr(event, out).ok());
  auto read = decode_header_attr(first_record(out.bytes()));
  ASSERT_TRUE(read.ok());
  EXPECT_THAT(read->ids, ElementsAre(11, 12));
  EXPECT_EQ(std::memcmp(&read->attr, &event.attr, sizeof event.attr), 0);
  expect_short_ones_refused(first_record(out.bytes()), sizeof event.attr, decode_header_attr);

  event.ids.resize(10'000);
  EXPECT_EQ(encode_header_attr(event, out).error().code, ErrorCode::kInvalidArgument);
}

TEST(Records, BuildIdOfEverySize) {
  for (size_t size : {size_t{8}, size_t{16}, kMaxBuildIdBytes}) {
    BuildId build_id{.misc = PERF_RECORD_MISC_USER,
                     .pid = -1,
                     .id = std::vector<std::byte>(size, std::byte{0xab}),
                     .path = "/usr/lib/libc.so.6"};
    ByteWriter out;
    ASSERT_TRUE(encode_build_id(build_id, out).ok());
    Record record = first_record(out.bytes());
    EXPECT_EQ(record.type, kHeaderBuildId);
    auto decode = [](const Record& from) { return decode_build_id(from.payload, from.misc, from.swap); };
    ASSERT_TRUE(decode(record).ok());
    EXPECT_EQ(*decode(record), build_id);
    expect_short_ones_refused(record, 28, decode);
  }
}

TEST(Records, TheirNames) {
  EXPECT_EQ(record_name(PERF_RECORD_MMAP2), "MMAP2");
  EXPECT_EQ(record_name(kHeaderAttr), "HEADER_ATTR");
  EXPECT_EQ(record_name(kCompressed2), "COMPRESSED2");
  EXPECT_EQ(record_name(0), "TYPE_0");
  EXPECT_EQ(record_name(63), "TYPE_63");
}

TEST(Records, OneTooLargeIsRefused) {
  ByteWriter out;
  std::vector<std::byte> payload(kMaxRecordBytes - kRecordHeaderBytes);
  EXPECT_TRUE(append_record(out, PERF_RECORD_SAMPLE, 0, payload).ok());
  EXPECT_EQ(out.size(), kMaxRecordBytes);
  payload.push_back(std::byte{0});
  EXPECT_FALSE(append_record(out, PERF_RECORD_SAMPLE, 0, payload).ok());
  EXPECT_EQ(out.size(), kMaxRecordBytes);
}

}  // namespace
}  // namespace hm::record
