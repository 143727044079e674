// SPDX-License-Identifier: MIT
#include "record/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/example_reading.h"
#include "record/file_header.h"
#include "record/id_index.h"
#include "record/writer.h"

namespace hm::record {
namespace {

using example::Found;
using example::pipe_with;
using example::read_all;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::byte> example_file() {
  example::TemporaryFolder folder;
  auto events = example::events();
  auto writer = Writer::create(folder.file("perf.data"), events);
  EXPECT_TRUE(writer.ok() && writer->append(example::records(events, 4)).ok() && writer->finish({}).ok());
  return example::read_file(folder.file("perf.data"));
}

TEST(Reader, SaysWhatItCannotOpen) {
  EXPECT_EQ(Reader::open("/nonexistent/perf.data").error().code, ErrorCode::kNotFound);
  auto nothing = Reader::over({});
  ASSERT_FALSE(nothing.ok());
  EXPECT_EQ(nothing.error().code, ErrorCode::kDamaged);
  ByteWriter old;
  old.text("PERFFILE");
  old.u64(104);
  EXPECT_EQ(Reader::over(old.bytes()).error().code, ErrorCode::kUnsupported);
}

TEST(Reader, NamesTheFileInItsErrors) {
  auto program = Reader::open("/proc/self/exe");
  ASSERT_FALSE(program.ok());
  EXPECT_THAT(program.error().message, AllOf(HasSubstr("/proc/self/exe"), HasSubstr("PERFILE2")));
}

TEST(Reader, SamplesFindTheirEvent) {
  auto file = example_file();
  auto reader = Reader::over(file);
  ASSERT_TRUE(reader.ok());
  std::vector<size_t> events;
  while (auto record = reader->next()) {
    if (record->type != PERF_RECORD_SAMPLE) continue;
    events.push_back(reader->event_of(*record).value_or(99));
    EXPECT_TRUE(decode_sample(reader->events()[events.back()].attr, record->payload, record->swap).ok());
  }
  EXPECT_THAT(events, ElementsAre(0, 1, 0, 1));
}

TEST(Reader, ACutFileGivesItsRecordsAndAProblem) {
  auto file = example_file();
  Found whole = read_all(file);
  EXPECT_EQ(whole.samples, 4u);
  EXPECT_THAT(whole.problems, IsEmpty());
  Found cut = read_all(Bytes(file).first(file.size() * 2 / 3));
  EXPECT_GT(cut.samples, 0u);
  EXPECT_LT(cut.samples, 4u);
  EXPECT_THAT(cut.problems, ElementsAre(HasSubstr("cut off"), HasSubstr("cut off")));
}

TEST(Reader, TextAfterAPipeIsAProblemNotARecord) {
  auto recording = pipe_with(example::records(example::events(), 4));
  for (char c : std::string("[ perf record: Woken up 1 times to write data ]\n")) {
    recording.push_back(static_cast<std::byte>(c));
  }
  Found found = read_all(recording);
  EXPECT_EQ(found.samples, 4u);
  EXPECT_THAT(found.problems, ElementsAre(HasSubstr("48 bytes of text")));
}

TEST(Reader, KnowsWhereIdsWereOpened) {
  std::vector<IdPlace> places{{.id = 101, .ring = 0, .cpu = 3, .tid = -1}};
  ByteWriter payload;
  encode_id_index(places, payload);
  ByteWriter out;
  ASSERT_TRUE(append_record(out, kIdIndex, 0, payload.bytes()).ok());
  auto recording = pipe_with(out.bytes());
  auto reader = Reader::over(recording);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader->id_places(), places);
}

// A big-endian file, word by word: header, one event with one id, one COMM, one SAMPLE.
std::vector<std::byte> big_endian_file() {
  ByteWriter out;
  auto u16 = [&](uint16_t value) { out.u16(byte_swap(value)); };
  auto u32 = [&](uint32_t value) { out.u32(byte_swap(value)); };
  auto u64 = [&](uint64_t value) { out.u64(byte_swap(value)); };
  constexpr uint64_t kAttrEntry = PERF_ATTR_SIZE_VER0 + sizeof(FileSection);
  constexpr uint64_t kAttrs = kFileHeaderBytes + sizeof(uint64_t);
  out.text("2ELIFREP");
  for (uint64_t word :
       {kFileHeaderBytes, kAttrEntry, kAttrs, kAttrEntry, kAttrs + kAttrEntry, uint64_t{24 + 32}})
    u64(word);
  for (int i = 0; i < 6; ++i) u64(0);
  u64(555);  // the event's id
  u32(PERF_TYPE_SOFTWARE);
  u32(PERF_ATTR_SIZE_VER0);
  for (uint64_t word :
       {uint64_t{0}, uint64_t{1000}, uint64_t{PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ID}})
    u64(word);
  for (int i = 0; i < 4; ++i) u64(0);
  u64(kFileHeaderBytes);
  u64(sizeof(uint64_t));
  u32(PERF_RECORD_COMM);
  u16(0);
  u16(24);
  u32(7);
  u32(8);
  out.text(std::string_view("big\0\0\0\0\0", 8));
  u32(PERF_RECORD_SAMPLE);
  u16(PERF_RECORD_MISC_USER);
  u16(32);
  u64(0x4000);
  u32(7);
  u32(8);
  u64(555);
  return std::move(out).take();
}

TEST(Reader, ReadsTheOtherByteOrder) {
  auto file = big_endian_file();
  auto reader = Reader::over(file);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  ASSERT_EQ(reader->events().size(), 1u);
  EXPECT_THAT(reader->events()[0].ids, ElementsAre(555));
  auto comm = reader->next();
  ASSERT_TRUE(comm.has_value());
  ASSERT_TRUE(decode_comm(*comm).ok());
  EXPECT_EQ(*decode_comm(*comm), (Comm{.pid = 7, .tid = 8, .name = "big"}));
  auto record = reader->next();
  ASSERT_TRUE(record.has_value());
  auto sample = decode_sample(reader->events()[0].attr, record->payload, record->swap);
  ASSERT_TRUE(sample.ok());
  EXPECT_EQ(sample->ip, 0x4000u);
  EXPECT_EQ(sample->tid, 8u);
  EXPECT_EQ(sample->id, 555u);
  EXPECT_FALSE(reader->next().has_value());
  EXPECT_THAT(reader->problems(), IsEmpty());
}

TEST(Reader, NamesEventsByTheWordsOfOldPipes) {
  ByteWriter payload;
  payload.u64(PERF_COUNT_SW_TASK_CLOCK);
  append_name(payload, "task-clock");
  ByteWriter out;
  ASSERT_TRUE(append_record(out, kHeaderEventType, 0, payload.bytes()).ok());
  auto recording = pipe_with(out.bytes());
  auto reader = Reader::over(recording);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader->events()[0].name, "");
  EXPECT_EQ(reader->events()[1].name, "task-clock");
}

}  // namespace
}  // namespace hm::record
