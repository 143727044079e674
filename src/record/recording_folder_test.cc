// SPDX-License-Identifier: MIT
#include "record/recording_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "record/example_perf.h"
#include "record/example_reading.h"
#include "record/writer.h"

namespace hm::record {
namespace {

using example::Found;
using example::read_all;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Folder : public ::testing::Test {
 protected:
  // Writes the head as perf does: an ordinary recording, here with 3 samples, that contains the folder's
  // version.
  void write_head() {
    auto events = example::events();
    auto writer = Writer::create(folder_.file("data"), events);
    ByteWriter version;
    version.u64(1);
    Features features;
    features.raw[kFeatureDirFormat] = version.bytes();
    ASSERT_TRUE(writer.ok() && writer->append(example::records(events, 3)).ok() &&
                writer->finish(features).ok());
  }

  void write(const std::string& name, Bytes bytes) {
    std::ofstream file(folder_.file(name), std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

  Found read() {
    auto reader = Reader::open(folder_.file(""));
    EXPECT_TRUE(reader.ok()) << reader.error().message;
    return reader.ok() ? read_all(*reader) : Found{};
  }

  example::TemporaryFolder folder_;
};

TEST_F(Folder, AllItsFilesAreRead) {
  write_head();
  for (int part = 0; part < 12; ++part)
    write(fmt::format("data.{}", part), example::records(example::events(), part == 11 ? 20 : 1));
  write("data.old", example::records(example::events(), 100));
  write("data.01", example::records(example::events(), 100));
  Found found = read();
  EXPECT_EQ(found.samples, 3u + 11 + 20);
  EXPECT_THAT(found.problems, IsEmpty());
}

TEST_F(Folder, DamageIsToldWithTheNameOfItsFile) {
  write_head();
  auto records = example::records(example::events(), 4);
  write("data.0", records);
  write("data.1", Bytes(records).first(records.size() - 100));
  Found found = read();
  EXPECT_LT(found.samples, 3u + 8);
  EXPECT_THAT(found.problems, ElementsAre(AllOf(HasSubstr("data.1: "), HasSubstr("cut off"))));
}

TEST_F(Folder, MissingFilesAreAProblem) {
  write_head();
  EXPECT_THAT(read().problems, ElementsAre(HasSubstr("none of the files")));
  write("data.2", example::records(example::events(), 1));
  Found found = read();
  EXPECT_EQ(found.samples, 4u);
  EXPECT_THAT(found.problems, ElementsAre(HasSubstr("2 of the files data.0 to data.2 are missing")));
}

TEST_F(Folder, OneFileOfItIsNotTheRecording) {
  write_head();
  write("data.0", {});
  auto reader = Reader::open(folder_.file("data"));
  ASSERT_TRUE(reader.ok());
  EXPECT_THAT(read_all(*reader).problems, ElementsAre(HasSubstr("name the folder")));
}

TEST_F(Folder, WithoutAHeadItIsNoRecording) {
  write("data.0", {});
  auto reader = Reader::open(folder_.file(""));
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.error().code, ErrorCode::kNotFound);
}

// Opening a pipe without a writer would block.
TEST_F(Folder, WhatIsNoFileIsPassedOver) {
  write_head();
  write("data.0", {});
  ASSERT_EQ(::mkfifo(folder_.file("data.1").c_str(), 0600), 0);
  EXPECT_THAT(read().problems, IsEmpty());
}

TEST_F(Folder, PerfsOwnIsReadWhole) {
  if (!example::has_perf()) GTEST_SKIP() << "perf is not installed: no folder of perf's was read";
  for (const char* options : {"--threads", "--threads -z"}) {
    std::string path = folder_.file("perf.data");
    auto recorded = example::run(fmt::format(
        "perf record {} -e cpu-clock -a -o {} -- sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done'",
        options, path));
    if (recorded.status != 0) GTEST_SKIP() << "perf cannot record here: " << recorded.text;
    auto reader = Reader::open(path);
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    Found found = read_all(*reader);
    auto dumped = example::run("perf report -D -i " + path);
    ASSERT_EQ(dumped.status, 0) << dumped.text;
    EXPECT_EQ(found.samples, example::occurrences(dumped.text, " PERF_RECORD_SAMPLE("));
    EXPECT_GT(found.samples, 0u);
    EXPECT_THAT(found.problems, IsEmpty());
    std::filesystem::remove_all(path);
  }
}

}  // namespace
}  // namespace hm::record
