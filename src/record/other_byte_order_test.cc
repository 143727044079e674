// SPDX-License-Identifier: MIT
// A recording in big-endian byte order is read with the same contents as its original. Covers every kind of
// record, every field of a sample, header, events and features, as a file and as a pipe.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/example_again.h"
#include "record/example_reading.h"
#include "record/example_swapped.h"
#include "record/writer.h"

namespace hm::record {
namespace {

using ::testing::IsEmpty;

constexpr uint64_t kFields = example::kAllSampleFields & ~uint64_t{PERF_SAMPLE_WEIGHT_STRUCT};

std::vector<EventDescription> all_fields() {
  auto events = example::events(kFields);
  for (EventDescription& event : events) {
    event.attr.precise_ip = 2;
    event.attr.sample_max_stack = 127;
    event.attr.clockid = -1;
    event.attr.sig_data = 0x0102030405060708;
    event.attr.branch_sample_type |= kBranchCounters;
    event.attr.read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_LOST;
  }
  return events;
}

// Adds payloads in which only the integers at the start matter.
template <typename Encode>
void add(ByteWriter& out, uint32_t type, Encode&& encode, uint16_t misc = 0) {
  ByteWriter payload;
  encode(payload);
  if (type < kHeaderAttr)
    example::append(all_fields()[0].attr, type, misc, payload, 77, out);
  else
    ASSERT_TRUE(append_record(out, type, misc, payload.bytes()).ok());
}

void add_kernel_records(ByteWriter& out) {
  std::vector<std::byte> id(20, std::byte{0x5a});
  Mmap mmap{.pid = 1, .tid = 2, .address = 3, .length = 4, .file_offset = 5, .path = "/bin/a"};
  add(out, PERF_RECORD_MMAP, [&](ByteWriter& to) { encode_mmap(mmap, to); });
  mmap.protection = 7;
  mmap.identity = FileIdentity{.major = 8, .minor = 1, .inode = 9, .inode_generation = 10};
  add(out, PERF_RECORD_MMAP2, [&](ByteWriter& to) { encode_mmap(mmap, to); });
  mmap.build_id = id;
  add(
      out, PERF_RECORD_MMAP2, [&](ByteWriter& to) { encode_mmap(mmap, to); }, PERF_RECORD_MISC_MMAP_BUILD_ID);
  add(out, PERF_RECORD_FORK, [](ByteWriter& to) { encode_task({1, 2, 3, 4, 5}, to); });
  add(out, PERF_RECORD_LOST, [](ByteWriter& to) { encode_lost({.id = 101, .count = 3}, to); });
  add(out, PERF_RECORD_LOST_SAMPLES, [](ByteWriter& to) { encode_lost_samples(9, to); });
  add(out, PERF_RECORD_THROTTLE, [](ByteWriter& to) { encode_throttle({1, 2, 3}, to); });
  add(out, PERF_RECORD_SWITCH_CPU_WIDE, [](ByteWriter& to) { encode_switch_cpu_wide({1, 2}, to); });
  add(out, PERF_RECORD_KSYMBOL, [](ByteWriter& to) { encode_ksymbol({1, 2, 3, 4, "bpf"}, to); });
  add(out, PERF_RECORD_AUX, [](ByteWriter& to) { encode_aux({1, 2, 3}, to); });
  add(out, PERF_RECORD_ITRACE_START, [](ByteWriter& to) { encode_itrace_start({1, 2}, to); });
  std::vector<uint64_t> words{PERF_CONTEXT_USER, 2, 3, 4, 5, 6, 7};
  add(out, kCallchainDeferred, [&](ByteWriter& to) { encode_deferred_chain({42, U64View(words)}, to); });
  add(out, PERF_RECORD_READ, [&](ByteWriter& to) {
    ReadValues values(all_fields()[0].attr.read_format, U64View(std::span(words).first(6)));
    encode_read({1, 2, values}, to);
  });
}

void add_perf_records(ByteWriter& out) {
  add(out, kIdIndex, [](ByteWriter& to) { encode_id_index({{101, 1, 2, -1}, {102, 1, 3, -1}}, to); });
  add(out, kThreadMap, [](ByteWriter& to) { encode_thread_map({{4242, "example"}}, to); });
  add(out, kCpuMap, [](ByteWriter& to) { encode_cpu_map({0, 3}, to); });
  add(out, kEventUpdate, [](ByteWriter& to) { encode_event_update({kUpdateName, 102, "renamed"}, to); });
  add(out, kTimeConv, [](ByteWriter& to) { encode_time_conversion({1, 2, 3}, to); });
  add(out, kAuxtraceInfo, [](ByteWriter& to) { to.u64(3); });
  add(out, kFinishedRound, [](ByteWriter&) {});
}

Features plain_features() {
  Features features;
  features.hostname = "somewhere";
  features.cpus = CpuCount{.available = 8, .online = 4};
  features.total_mem_kib = 123;
  features.cmdline = {"hardmeter", "record"};
  features.build_ids = {{.pid = -1, .id = std::vector<std::byte>(20, std::byte{1}), .path = "/bin/a"}};
  features.caches = {{.level = 2, .line_bytes = 64, .sets = 1024, .ways = 16, .type = "Unified"}};
  features.numa_nodes = {{.number = 1, .total_kib = 4096, .free_kib = 1024, .cpus = "0-3"}};
  features.sample_time = TimeSpan{.first_ns = 5, .last_ns = 6};
  features.pmus = {{.type = 4, .name = "cpu"}};
  features.hardmeter = "{}";
  return features;
}

std::vector<std::byte> native_records() {
  ByteWriter out;
  add_perf_records(out);
  out.append(example::records(all_fields(), 4));
  add_kernel_records(out);
  return std::move(out).take();
}

std::vector<std::byte> native_file() {
  example::TemporaryFolder folder;
  auto writer = Writer::create(folder.file("perf.data"), all_fields());
  EXPECT_TRUE(writer.ok() && writer->append(native_records()).ok() && writer->finish(plain_features()).ok());
  return example::read_file(folder.file("perf.data"));
}

std::vector<std::byte> native_pipe() {
  ByteWriter out;
  encode_file_header({.is_pipe = true}, out);
  for (const EventDescription& event : all_fields()) EXPECT_TRUE(encode_header_attr(event, out).ok());
  for (const auto& [bit, section] : encode_features(plain_features(), all_fields()))
    EXPECT_TRUE(encode_feature_record({.feature = bit, .section = section}, out).ok());
  out.append(native_records());
  return std::move(out).take();
}

void expect_same_head(const Reader& native, const Reader& swapped) {
  ASSERT_EQ(native.events().size(), swapped.events().size());
  for (size_t i = 0; i < native.events().size(); ++i) {
    const EventDescription& a = native.events()[i];
    const EventDescription& b = swapped.events()[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(std::memcmp(&a.attr, &b.attr, sizeof a.attr), 0) << a.name;
    EXPECT_EQ(a.ids, b.ids);
  }
  EXPECT_EQ(native.id_places(), swapped.id_places());
  EXPECT_FALSE(native.id_places().empty());
  Features of_native = native.features();
  Features of_swapped = swapped.features();
  of_native.raw.clear();
  of_swapped.raw.clear();
  EXPECT_EQ(encode_features(of_native, native.events()), encode_features(of_swapped, swapped.events()));
  EXPECT_EQ(of_swapped.hostname, "somewhere");
}

void expect_same_records(Reader& native, Reader& swapped) {
  size_t compared = 0;
  for (;;) {
    auto a = native.next();
    auto b = swapped.next();
    ASSERT_EQ(a.has_value(), b.has_value());
    if (!a.has_value()) break;
    SCOPED_TRACE(record_name(a->type));
    ASSERT_EQ(a->type, b->type);
    EXPECT_EQ(a->misc, b->misc);
    EXPECT_EQ(native.event_of(*a), swapped.event_of(*b));
    const perf_event_attr& attr = native.events()[native.event_of(*a).value_or(0)].attr;
    ++compared;
    if (a->type == kHeaderFeature) continue;  // not swapped: its contents were compared above
    auto from_native = example::encoded_again(attr, *a);
    EXPECT_TRUE(from_native == example::encoded_again(attr, *b));
    EXPECT_TRUE(from_native.has_value() || a->type == kFinishedRound);
  }
  EXPECT_GT(compared, 25u);
  EXPECT_THAT(native.problems(), IsEmpty());
  EXPECT_THAT(swapped.problems(), IsEmpty());
}

void expect_same(const std::vector<std::byte>& recording) {
  auto turned = example::of_the_other_byte_order(recording, all_fields()[0].attr);
  ASSERT_NE(recording, turned);
  auto native = Reader::over(recording);
  auto swapped = Reader::over(turned);
  ASSERT_TRUE(native.ok()) << native.error().message;
  ASSERT_TRUE(swapped.ok()) << swapped.error().message;
  expect_same_head(*native, *swapped);
  expect_same_records(*native, *swapped);
}

TEST(OtherByteOrder, FilesSayTheSame) { expect_same(native_file()); }

TEST(OtherByteOrder, PipesSayTheSame) { expect_same(native_pipe()); }

}  // namespace
}  // namespace hm::record
