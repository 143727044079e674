// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "pmu/soft/geometry/geometry.h"

namespace hm::soft {
namespace {

using ::testing::HasSubstr;

GeometryOptions base() {
  GeometryOptions options;
  options.cpu = "zen4";
  return options;
}

model::MachineGeometry chosen(const GeometryOptions& options) {
  auto machine = choose_geometry(options);
  EXPECT_TRUE(machine.ok()) << (machine.ok() ? "" : machine.error().message);
  return machine.ok() ? *machine : model::MachineGeometry{};
}

void expect_shape(const model::SetGeometry& found, uint32_t sets, uint32_t ways) {
  EXPECT_EQ(found.sets, sets);
  EXPECT_EQ(found.ways, ways);
}

TEST(GeometryOptions, TakeTheNamesOfHardwareEvents) {
  GeometryOptions listed;
  listed.cpu = "pentium4";
  GeometryOptions own;
  own.cpu = "p4-xeon";
  EXPECT_EQ(describe(chosen(listed)), describe(chosen(own)));
  listed.cpu = "icelake";
  EXPECT_THAT(choose_geometry(listed).error().message, HasSubstr("--l1d"));
}

TEST(GeometryOptions, ChangeWhatTheyName) {
  GeometryOptions options = base();
  options.l1d = "48K,12,64";
  options.l1i = "32K";   // keeps the preset's ways and line
  options.l2 = "3M,12";  // 4096 sets
  options.l3 = "96000K,15";
  options.itlb = "16";  // fully associative
  options.dtlb = "64,4";
  options.second_tlb = "1536,12";
  options.page = "2M";
  model::MachineGeometry machine = chosen(options);
  expect_shape(machine.l1d, 64, 12);
  expect_shape(machine.l1i, 64, 8);
  expect_shape(machine.l2, 4096, 12);
  expect_shape(machine.l3, 102400, 15);
  expect_shape(machine.itlb, 1, 16);
  expect_shape(machine.dtlb, 16, 4);
  expect_shape(machine.second_tlb, 128, 12);
  EXPECT_EQ(machine.page_bytes, 2u << 20);
  EXPECT_EQ(machine.line_bytes, 64u);
}

TEST(GeometryOptions, TakeLinesOfOneOtherSize) {
  GeometryOptions options = base();
  options.l1d = "32K,8,128";
  EXPECT_EQ(chosen(options).line_bytes, 128u);
  options.l2 = "1M,8,128";
  EXPECT_EQ(chosen(options).line_bytes, 128u);
}

// The other caches keep their sizes when an option changes the line size.
TEST(GeometryOptions, KeepTheSizesOfTheOtherCaches) {
  GeometryOptions options = base();
  uint64_t before = chosen(options).l2.entries() * chosen(options).line_bytes;
  options.l1d = "32K,8,128";
  model::MachineGeometry machine = chosen(options);
  EXPECT_EQ(machine.l2.entries() * machine.line_bytes, before);
  options = base();
  options.l1i = "16K,4";
  options.l1d = "32K,8,128";
  machine = chosen(options);
  EXPECT_EQ(machine.l1i.entries() * machine.line_bytes, 16u << 10);
}

TEST(GeometryOptions, LeaveOutLevels) {
  GeometryOptions options = base();
  options.l3 = "none";
  options.second_tlb = "none";
  EXPECT_FALSE(chosen(options).l3.present());
  EXPECT_FALSE(chosen(options).second_tlb.present());
  EXPECT_TRUE(chosen(options).models_code());
}

TEST(GeometryOptions, LeaveOutCode) {
  GeometryOptions options = base();
  options.l1i = "none";
  options.itlb = "64,4";
  model::MachineGeometry machine = chosen(options);
  EXPECT_FALSE(machine.models_code());
  EXPECT_FALSE(machine.itlb.present());
  EXPECT_TRUE(machine.l1d.present());
  EXPECT_TRUE(describe(machine).starts_with("L1I none, ")) << describe(machine);
}

struct Wrong {
  std::string GeometryOptions::*option;
  const char* value;
  const char* said;
};

// Each is refused with one sentence that names the option, the given value and the expected form.
TEST(GeometryOptions, RefuseWhatIsWrong) {
  using O = GeometryOptions;
  const Wrong kWrong[] = {
      {&O::l1d, "x", "--l1d x is not a cache; give SIZE,WAYS,LINE"},
      {&O::l1d, "0", "--l1d 0 is not a cache"},
      {&O::l1d, "-1", "is not a cache"},
      {&O::l1d, "32K,", "is not a cache"},
      {&O::l1d, ",8", "is not a cache"},
      {&O::l1d, "32K,8,64,1", "is not a cache"},
      {&O::l1d, "32K,0", "is not a cache"},
      {&O::l1d, "32Q", "is not a cache"},
      {&O::l1d, "32KB", "is not a cache"},
      {&O::l1d, " 32K", "is not a cache"},
      {&O::l1d, "none", "is not a cache"},
      {&O::l1d, "99999999999999999999", "is not a cache"},
      {&O::l1d, "32K,8,48", "a line has 32, 64, 128 or 256 bytes"},
      {&O::l1d, "32K,8,16", "a line has 32, 64, 128 or 256 bytes"},
      {&O::l1d, "32K,8,512", "a line has 32, 64, 128 or 256 bytes"},
      {&O::l1d, "32K,64", "at most 32 ways are modelled"},
      {&O::l1d, "33000,8", "not a whole number of sets"},
      {&O::l1d, "64,8", "not a whole number of sets"},
      {&O::l1d, "1G,1", "at most 3840 are modelled"},
      {&O::l2, "1024G,1", "not a whole number of sets"},
      {&O::l3, "x", "or none"},
      {&O::dtlb, "0", "--dtlb 0 is not a TLB; give ENTRIES,WAYS"},
      {&O::dtlb, "64,4,1", "is not a TLB"},
      {&O::dtlb, "64,5", "entries must be a whole number of sets"},
      {&O::dtlb, "2048", "of at most 1024 ways"},
      {&O::dtlb, "none", "is not a TLB"},
      {&O::second_tlb, "1536", "of at most 32 ways"},
      {&O::second_tlb, "x", "or none"},
      {&O::itlb, "2M,1", "entries must be"},
      {&O::page, "3K", "--page 3K: a page is a power of two from 4K to 1G"},
      {&O::page, "6K", "a power of two"},
      {&O::page, "2G", "a power of two"},
      {&O::page, "x", "a power of two"},
      {&O::cpu, "zen", "unknown processor 'zen': use host, "},
  };
  for (const Wrong& wrong : kWrong) {
    GeometryOptions options = base();
    options.*wrong.option = wrong.value;
    auto machine = choose_geometry(options);
    ASSERT_FALSE(machine.ok()) << wrong.value;
    EXPECT_THAT(machine.error().message, HasSubstr(wrong.said));
    EXPECT_EQ(machine.error().message.find('\n'), std::string::npos);
  }
}

TEST(GeometryOptions, RefuseLinesOfTwoSizes) {
  GeometryOptions options = base();
  options.l1d = "32K,8,64";
  options.l2 = "1M,8,128";
  auto machine = choose_geometry(options);
  ASSERT_FALSE(machine.ok());
  EXPECT_THAT(machine.error().message, HasSubstr("all caches have lines of one size"));
}

void expect_sane(const model::MachineGeometry& machine) {
  for (const model::SetGeometry* cache : {&machine.l1i, &machine.l1d, &machine.l2}) {
    EXPECT_TRUE(cache->present());
    EXPECT_GE(cache->ways, 1u);
    EXPECT_LE(cache->ways, model::kMaxCacheWays);
  }
  EXPECT_TRUE(model::is_modelled_l1(machine.l1d));
  EXPECT_LE(machine.l3.ways, model::kMaxCacheWays);
  EXPECT_TRUE(machine.itlb.present() && machine.dtlb.present());
  EXPECT_LE(machine.second_tlb.ways, model::kMaxCacheWays);
  EXPECT_LT(machine.l1d.entries(), machine.l2.entries());
  if (machine.l3.present()) {
    EXPECT_LT(machine.l2.entries(), machine.l3.entries());
  }
  const model::Latencies& cost = machine.latency;
  EXPECT_LT(cost.l1, cost.l2);
  EXPECT_LE(cost.l2, cost.l3);
  EXPECT_LT(cost.l3, cost.memory);
  EXPECT_GT(cost.page_walk, 0u);
}

TEST(CpuPresets, AreSane) {
  std::set<std::string_view> names;
  for (const CpuPreset& preset : cpu_presets()) {
    SCOPED_TRACE(preset.name);
    EXPECT_TRUE(names.insert(preset.name).second);
    EXPECT_FALSE(preset.description.empty());
    expect_sane(preset.geometry);
    uint32_t l1d_sets = preset.geometry.l1d.sets;
    EXPECT_EQ(l1d_sets & (l1d_sets - 1), 0u);
    auto found = preset_geometry(preset.name);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(describe(*found), describe(preset.geometry));
  }
  EXPECT_TRUE(names.contains("p4-xeon"));
}

TEST(HostGeometry, IsSaneAndWhatNoOptionsChoose) {
  std::string notes;
  model::MachineGeometry host = host_geometry(&notes);
  expect_sane(host);
  EXPECT_EQ(describe(chosen({})), describe(host));
}

TEST(Describe, NamesEveryPart) {
  EXPECT_EQ(describe(*preset_geometry("p4-xeon")),
            "L1I 16 KiB 8-way, L1D 8 KiB 4-way, L2 512 KiB 8-way, L3 none, 64-byte lines, ITLB 128, DTLB 64, "
            "second TLB none, 4-KiB pages");
}

}  // namespace
}  // namespace hm::soft
