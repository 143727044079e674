// SPDX-License-Identifier: MIT
#include "record/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/example_recording.h"

namespace hm::record {
namespace {

using ::testing::ElementsAre;

Features all_that_is_written() {
  Features features;
  features.hostname = "somewhere";
  features.os_release = "6.1.0";
  features.version = "0.1.0";
  features.arch = "x86_64";
  features.cpus = CpuCount{.available = 8, .online = 4};
  features.cpu_desc = "Some CPU";
  features.cpu_id = "GenuineIntel,6,85,7";
  features.total_mem_kib = 123;
  features.cmdline = {"hardmeter", "record", std::string(200, 'x')};
  features.build_ids = {
      {.misc = 2, .pid = -1, .id = std::vector<std::byte>(20, std::byte{1}), .path = "/bin/a"}};
  features.caches = {
      {.level = 2, .line_bytes = 64, .sets = 1024, .ways = 16, .type = "Unified", .size = "1M", .cpus = "0"},
      {.level = 3,
       .line_bytes = 64,
       .sets = 2048,
       .ways = 12,
       .type = "Unified",
       .size = "2M",
       .cpus = "0-3"}};
  features.numa_nodes = {{.number = 0, .total_kib = 4096, .free_kib = 1024, .cpus = "0-3"}, {.number = 1}};
  features.sample_time = TimeSpan{.first_ns = 5, .last_ns = 6};
  features.clock_resolution_ns = 1;
  features.pmus = {{.type = 4, .name = "cpu"}, {.type = 1, .name = "software"}};
  features.hardmeter = "{}";
  return features;
}

Features decode_all(const std::map<unsigned, std::vector<std::byte>>& sections) {
  Features features;
  for (const auto& [bit, section] : sections)
    EXPECT_TRUE(decode_feature(bit, section, false, features)) << bit;
  return features;
}

TEST(Features, ComeBack) {
  Features wrote = all_that_is_written();
  auto events = example::events();
  auto sections = encode_features(wrote, events);
  Features read = decode_all(sections);
  EXPECT_EQ(read.hostname, wrote.hostname);
  EXPECT_EQ(read.os_release, wrote.os_release);
  EXPECT_EQ(read.version, wrote.version);
  EXPECT_EQ(read.arch, wrote.arch);
  EXPECT_EQ(read.cpus, wrote.cpus);
  EXPECT_EQ(read.cpu_desc, wrote.cpu_desc);
  EXPECT_EQ(read.cpu_id, wrote.cpu_id);
  EXPECT_EQ(read.total_mem_kib, wrote.total_mem_kib);
  EXPECT_EQ(read.cmdline, wrote.cmdline);
  EXPECT_EQ(read.build_ids, wrote.build_ids);
  EXPECT_EQ(read.numa_nodes, wrote.numa_nodes);
  EXPECT_EQ(read.caches, wrote.caches);
  EXPECT_EQ(read.sample_time, wrote.sample_time);
  EXPECT_EQ(read.clock_resolution_ns, wrote.clock_resolution_ns);
  EXPECT_EQ(read.pmus, wrote.pmus);
  EXPECT_EQ(read.hardmeter, wrote.hardmeter);
  ASSERT_EQ(read.events.size(), 2u);
  EXPECT_EQ(read.events[1].name, events[1].name);
  EXPECT_THAT(read.events[1].ids, ElementsAre(102));
}

TEST(Features, WhatIsNotKnownIsNotWritten) {
  auto sections = encode_features({}, example::events());
  ASSERT_EQ(sections.size(), 1u);
  EXPECT_EQ(sections.begin()->first, kFeatureEventDesc);
}

TEST(Features, BranchesAreAnnouncedUnlessPerfMemWouldRefuse) {
  auto of = [](uint64_t sample_type) {
    return encode_features({}, example::events(sample_type)).count(kFeatureBranchStack);
  };
  EXPECT_EQ(of(PERF_SAMPLE_BRANCH_STACK), 1u);
  EXPECT_EQ(of(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_DATA_SRC), 0u);
  EXPECT_EQ(of(PERF_SAMPLE_IP), 0u);
}

TEST(Features, AnyOtherSectionIsCarriedAsItIs) {
  std::vector<std::byte> section(5, std::byte{9});
  Features wrote;
  wrote.raw[250] = section;
  auto sections = encode_features(wrote, example::events());
  Features read = decode_all(sections);
  EXPECT_EQ(std::vector<std::byte>(read.raw[250].begin(), read.raw[250].end()), section);
}

TEST(Features, NoBeginningIsTakenForTheWhole) {
  for (const auto& [bit, section] : encode_features(all_that_is_written(), example::events())) {
    if (bit == kFeatureBuildId || bit == 200) continue;  // each prefix of these is a valid shorter section
    for (size_t size = 1; size < section.size(); ++size) {
      Features features;
      ASSERT_FALSE(decode_feature(bit, Bytes(section).first(size), false, features)) << bit << ' ' << size;
    }
  }
}

TEST(Features, OfATextMayBeEmpty) {
  Features features;
  EXPECT_TRUE(decode_feature(kFeatureCpuDesc, {}, false, features));
  EXPECT_EQ(features.cpu_desc, std::nullopt);
}

TEST(Features, HavePerfsNames) {
  EXPECT_EQ(feature_name(kFeatureCpuDesc), "feature CPUDESC");
  EXPECT_EQ(feature_name(kFeatureCompressed), "feature COMPRESSED");
  EXPECT_EQ(feature_name(31), "feature PMU_CAPS");
  EXPECT_EQ(feature_name(32), "feature 32");
  EXPECT_EQ(feature_name(0), "feature 0");
}

TEST(Features, Compression) {
  ByteWriter out;
  for (uint32_t number : {1u, 1u, 3u, 10u, 528384u}) out.u32(number);
  Features features;
  ASSERT_TRUE(decode_feature(kFeatureCompressed, out.bytes(), false, features));
  EXPECT_EQ(features.compression,
            (CompressionInfo{.version = 1, .type = 1, .level = 3, .ratio = 10, .mmap_bytes = 528384}));
}

}  // namespace
}  // namespace hm::record
