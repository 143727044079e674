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
  EXPECT_THAT(nothing.error().message, HasSubstr("it is empty"));
  constexpr std::string_view kPacked = "BZh91AY&SY";
  EXPECT_THAT(Reader::over(std::as_bytes(std::span(kPacked))).error().message, HasSubstr("with bunzip2"));
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

TEST(Reader, TheFirstByteOfACutRecordIsNoText) {
  auto recording = pipe_with({});
  recording.push_back(std::byte{PERF_RECORD_SAMPLE});
  EXPECT_THAT(read_all(recording).problems, ElementsAre(HasSubstr("1 bytes that are not a record")));
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
