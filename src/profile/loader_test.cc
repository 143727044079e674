// SPDX-License-Identifier: MIT
#include "profile/loader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "profile/test_recording.h"
#include "support/paths.h"
#include "symbol/files/dso.h"

namespace hm::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Returns "OBJECT+OFFSET" for each sample.
std::vector<std::string> places(const Profile& profile) {
  std::vector<std::string> texts;
  for (uint32_t index : profile.samples.location) {
    const Location& location = profile.locations[index];
    texts.push_back(fmt::format("{}+{:#x}", profile.dsos[location.dso].path, location.offset));
  }
  return texts;
}

std::vector<std::string> comms(const Profile& profile) {
  std::vector<std::string> texts;
  for (uint32_t index : profile.samples.thread) texts.push_back(profile.threads[index].comm);
  return texts;
}

TEST(Loader, FindsTheObjectBehindAnAddress) {
  TestRecording recording({test_event("e", 1)});
  recording.map(1, 7, 0x400000, 0x1000, "/no/a", 0x2000);
  recording.sample(2, 7, 0x400010);
  recording.sample(3, 7, 0x500000);
  recording.sample(4, 8, 0x400010);  // in another process
  Profile profile = recording.load();
  EXPECT_THAT(places(profile), ElementsAre("/no/a+0x2010", "[unknown]+0x500000", "[unknown]+0x400010"));
  EXPECT_EQ(profile.functions[profile.locations[profile.samples.location[0]].function].name,
            "[a, not found]");
}

TEST(Loader, TakesRecordsInOrderOfTimeNotOfTheFile) {
  TestRecording recording({test_event("e", 1)});
  recording.sample(30, 7, 0x400000);
  recording.sample(10, 7, 0x400000);
  recording.map(20, 7, 0x400000, 0x1000, "/no/a");
  Profile profile = recording.load();
  EXPECT_THAT(places(profile), ElementsAre("[unknown]+0x400000", "/no/a+0x0"));
  EXPECT_EQ(profile.samples.time_ns.at(0), 10u);
}

TEST(Loader, ForkCopiesMappingsAndExecDropsThem) {
  TestRecording recording({test_event("e", 1)});
  recording.comm(1, 7, 7, "parent");
  recording.map(2, 7, 0x400000, 0x1000, "/no/a");
  recording.fork(3, 9, 7);
  recording.sample(4, 9, 0x400000);
  recording.comm(5, 9, 9, "child", true);
  recording.sample(6, 9, 0x400000);
  recording.map(7, 9, 0x400000, 0x1000, "/no/b");
  recording.sample(8, 9, 0x400000);
  recording.sample(9, 7, 0x400000);
  Profile profile = recording.load();
  EXPECT_THAT(places(profile), ElementsAre("/no/a+0x0", "[unknown]+0x400000", "/no/b+0x0", "/no/a+0x0"));
  EXPECT_THAT(comms(profile), ElementsAre("parent", "child", "child", "parent"));
}

TEST(Loader, ExecutablesGiveThreadsTheirFullNames) {
  TestRecording recording({test_event("e", 1)});
  recording.comm(1, 7, 7, "x86_64-linux-gn", true);
  recording.map(2, 7, 0x400000, 0x1000, "/usr/bin/x86_64-linux-gnu-g++-12");
  recording.map(3, 7, 0x500000, 0x1000, "/usr/lib/x86_64-linux-gnu.so");
  recording.comm(4, 7, 8, "worker");
  recording.fork(5, 9, 7);
  recording.comm(6, 9, 9, "run.sh", true);
  recording.map(7, 9, 0x400000, 0x1000, "/usr/bin/bash");
  recording.sample(8, 7, 0x400000);
  recording.sample(20, 9, 0x400000);
  Profile profile = recording.load();
  std::vector<std::string> names, programs;
  for (const Thread& thread : profile.threads) {
    names.push_back(fmt::format("{} {}", thread.tid, thread.name()));
    programs.push_back(thread.program);
  }
  constexpr const char* kCompiler = "x86_64-linux-gnu-g++-12";
  EXPECT_THAT(names,
              ElementsAre("7 x86_64-linux-gnu-g++-12", "8 worker", "9 x86_64-linux-gnu-g++-12", "9 run.sh"));
  EXPECT_THAT(programs, ElementsAre(kCompiler, kCompiler, kCompiler, ""))
      << "a script's name is no executable's";
}

// Two functions of a library without symbols for them, each sampled at two adjacent instructions.
TEST(Loader, PlacesOfAStrippedFileAreGroupedByFunction) {
  std::string whole = std::string(test_paths::kSubjects) + "/symbol_library.so";
  std::string stripped = std::string(test_paths::kSubjects) + "/symbol_library.stripped";
  symbol::Dso dso(whole, "");
  TestRecording recording({test_event("e", 1)});
  recording.map(1, 7, 0x1000, 0x100000, stripped);
  std::vector<std::string> expected;
  uint64_t time_ns = 2;
  for (const char* name : {"hidden_sum", "hidden_product"}) {
    symbol::Symbol symbol = dso.symbols().find_name(name).value_or(symbol::Symbol());
    ASSERT_GT(symbol.size, 8u);
    uint64_t offset = dso.elf()->offset_of_address(symbol.start).value_or(0);
    recording.sample(time_ns++, 7, 0x1000 + offset + 4);
    recording.sample(time_ns++, 7, 0x1000 + offset + symbol.size - 1);
    expected.push_back(fmt::format("[symbol_library.stripped+{:#x}]", offset));
  }
  Profile profile = recording.load();
  std::vector<std::string> names;
  for (const FunctionRow& function : profile.functions) names.push_back(function.name);
  EXPECT_EQ(names, expected);
  EXPECT_EQ(profile.locations.size(), 4u);
  EXPECT_THAT(profile.problems, IsEmpty());
}

TEST(Loader, NewMappingHidesPartOfAnOldOne) {
  TestRecording recording({test_event("e", 1)});
  recording.map(1, 7, 0x1000, 0x3000, "/no/a");
  recording.map(2, 7, 0x2000, 0x1000, "/no/b", 0x500);
  recording.sample(3, 7, 0x1fff);
  recording.sample(4, 7, 0x2000);
  recording.sample(5, 7, 0x3001);
  EXPECT_THAT(places(recording.load()), ElementsAre("/no/a+0xfff", "/no/b+0x500", "/no/a+0x2001"));
}

TEST(Loader, CodeInNoFileBelongsToThePerfMap) {
  TestRecording recording({test_event("e", 1)});
  recording.map(1, 4000000, 0x7f0000, 0x1000, "//anon");
  recording.sample(2, 4000000, 0x7f0010);
  EXPECT_THAT(places(recording.load()), ElementsAre("/tmp/perf-4000000.map+0x7f0010"));
}

TEST(Loader, KernelPlacesAreRelativeToItsText) {
  TestRecording recording({test_event("e", 1)});
  recording.map(1, UINT32_MAX, 0xffffffff81000000, 0x1000000, "[kernel.kallsyms]_text", 0xffffffff81000000);
  recording.sample(2, 7, 0xffffffff81000123, {}, 0, PERF_RECORD_MISC_KERNEL);
  Profile profile = recording.load();
  EXPECT_THAT(places(profile), ElementsAre("[kernel.kallsyms]_text+0x123"));
  EXPECT_EQ(profile.dsos[1].name(), "[kernel.kallsyms]");
}

std::string function_of(const Profile& profile, size_t sample) {
  return profile.functions[profile.locations[profile.samples.location[sample]].function].name;
}

TEST(Loader, BpfProgramsHaveTheirNamesWhileTheyAreLoaded) {
  constexpr uint64_t kProgram = 0xffffffffc0000800;
  TestRecording recording({test_event("e", 1)});
  recording.map(1, UINT32_MAX, 0xffffffff81000000, 0x1000000, "[kernel.kallsyms]_text", 0xffffffff81000000);
  recording.kernel_symbol(2, kProgram, 0x100, "bpf_prog_12ab_filter");
  recording.sample(3, 7, kProgram + 0x10, {}, 0, PERF_RECORD_MISC_KERNEL);
  recording.sample(4, 7, kProgram + 0x100, {}, 0, PERF_RECORD_MISC_KERNEL);
  recording.kernel_symbol(5, kProgram, 0x100, "bpf_prog_12ab_filter", false);
  recording.sample(6, 7, kProgram + 0x10, {}, 0, PERF_RECORD_MISC_KERNEL);
  recording.kernel_symbol(7, kProgram, 0x80, "bpf_prog_34cd_other");
  recording.sample(8, 7, kProgram + 0x10, {}, 0, PERF_RECORD_MISC_KERNEL);
  Profile profile = recording.load();
  EXPECT_EQ(function_of(profile, 0), "bpf_prog_12ab_filter");
  EXPECT_EQ(function_of(profile, 1), "[unknown]");
  EXPECT_EQ(function_of(profile, 2), "[unknown]");
  EXPECT_EQ(function_of(profile, 3), "bpf_prog_34cd_other");
  uint32_t function = profile.locations[profile.samples.location[0]].function;
  EXPECT_EQ(profile.functions[function].size, 0x100u);
  EXPECT_EQ(profile.dsos[profile.functions[function].dso].name(), "[bpf]");
  EXPECT_TRUE(profile.problems.empty());
}

TEST(Loader, KernelCodeWithOddNamesAndSizes) {
  TestRecording recording({test_event("e", 1)});
  recording.kernel_symbol(1, 0xffffffffc0000000, 0x100, "");
  recording.kernel_symbol(2, 0xffffffffc0001000, 0, "empty");
  recording.kernel_symbol(3, UINT64_MAX - 0x10, 0x100, "a:b 12:");
  recording.sample(4, 7, 0xffffffffc0000010, {}, 0, PERF_RECORD_MISC_KERNEL);
  recording.sample(5, 7, 0xffffffffc0001000, {}, 0, PERF_RECORD_MISC_KERNEL);
  recording.sample(6, 7, UINT64_MAX - 0x8, {}, 0, PERF_RECORD_MISC_KERNEL);
  Profile profile = recording.load();
  EXPECT_EQ(function_of(profile, 0), "[unknown]");
  EXPECT_EQ(function_of(profile, 1), "[unknown]");
  EXPECT_EQ(function_of(profile, 2), "a:b 12:");
}

TEST(Loader, CallersArePlacesOfCallsAndModesAreKept) {
  TestRecording recording({test_event("e", 1, PERF_SAMPLE_CALLCHAIN)});
  recording.map(1, UINT32_MAX, 0xffffffff81000000, 0x1000000, "[kernel.kallsyms]_text", 0xffffffff81000000);
  recording.map(1, 7, 0x400000, 0x1000, "/no/a");
  std::array<uint64_t, 6> chain{
      static_cast<uint64_t>(PERF_CONTEXT_KERNEL), 0xffffffff81000010, 0xffffffff81000020,
      static_cast<uint64_t>(PERF_CONTEXT_USER),   0x400100,           0x400200};
  record::Sample sample;
  sample.callchain = record::U64View(std::span<const uint64_t>(chain));
  recording.sample(2, 7, 0xffffffff81000010, sample, 0, PERF_RECORD_MISC_KERNEL);
  Profile profile = recording.load();
  std::vector<uint64_t> offsets;
  for (uint32_t index : profile.samples.chain_locations) offsets.push_back(profile.locations[index].offset);
  EXPECT_THAT(offsets, ElementsAre(0x10, 0x1f, 0x100, 0x1ff));
  EXPECT_EQ(profile.samples.chain_locations[0], profile.samples.location[0]);
}

TEST(Loader, NotRecordedIsNotZero) {
  TestRecording recording(
      {test_event("plain", 1), test_event("rich", 2, PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD)});
  record::Sample rich;
  rich.addr = 0;
  rich.period = 33;
  recording.sample(1, 7, 1, rich, 1);
  recording.sample(2, 7, 1, {}, 0);
  const Profile profile = recording.load();
  EXPECT_EQ(profile.samples.address.at(0), 0u);
  EXPECT_EQ(profile.samples.address.at(1), std::nullopt);
  EXPECT_EQ(profile.samples.period.at(0), 33u);
  EXPECT_EQ(profile.samples.period.at(1), 10u);  // the event's fixed period
  EXPECT_TRUE(profile.samples.data_source.empty());
}

TEST(Loader, ChangingPeriodThatWasNotRecordedIsUnknown) {
  record::EventDescription event = test_event("e", 1);
  event.attr.freq = 1;
  TestRecording recording({event});
  recording.sample(1, 7, 1);
  EXPECT_EQ(recording.load().samples.period.at(0), std::nullopt);
}

TEST(Loader, ReadsTheSoftwarePmusExtension) {
  TestRecording recording({test_event("e", 1, PERF_SAMPLE_RAW)});
  record::SampleExtension extension{record::kExtensionMagic,
                                    123456789,
                                    16,
                                    record::AccessKind::kStore,
                                    record::MissClass::kCompulsory,
                                    record::MissClass::kNone,
                                    record::MissClass::kNone,
                                    record::LoadReplay::kAlias,
                                    record::CyclesOf::kRun};
  record::Sample sample;
  sample.raw = std::as_bytes(std::span(&extension, 1));
  recording.sample(1, 7, 1, sample);
  extension.magic = 1;  // for example, data of a tracepoint
  recording.sample(2, 7, 1, sample);
  const Profile profile = recording.load();
  EXPECT_EQ(profile.samples.run_cycles.at(0), 123456789u);
  EXPECT_EQ(profile.samples.access_bytes.at(0), 16u);
  EXPECT_EQ(profile.samples.access_kind.at(0), static_cast<uint64_t>(record::AccessKind::kStore));
  EXPECT_EQ(profile.samples.l1_class.at(0), static_cast<uint64_t>(record::MissClass::kCompulsory));
  EXPECT_EQ(profile.samples.l2_class.at(0), std::nullopt);
  EXPECT_EQ(profile.samples.load_replay.at(0), static_cast<uint64_t>(record::LoadReplay::kAlias));
  EXPECT_EQ(profile.samples.load_replay.at(1), std::nullopt);
  EXPECT_EQ(profile.samples.run_cycles.at(1), std::nullopt);
}

record::SampleExtension access_extension() {
  record::SampleExtension extension{};
  extension.magic = record::kExtensionMagic;
  return extension;
}

// Tests samples with a heap block before the miss steps and without one.
TEST(Loader, ReadsHowFarMissesWereApart) {
  struct [[gnu::packed]] Raw {
    record::SampleExtension access = access_extension();
    record::HeapBlockExtension block{record::kHeapBlockMagic, 0x5000, 100, 0};
    record::StepsExtension steps{record::kStepsMagic, {2, {-64, 4096}}};
  } raw;
  struct [[gnu::packed]] Short {
    record::SampleExtension access = access_extension();
    record::StepsExtension steps{record::kStepsMagic, {1000, {8, 16, 24}}};
  } without;
  TestRecording recording({test_event("e", 1, PERF_SAMPLE_RAW)});
  record::Sample sample;
  sample.raw = std::as_bytes(std::span(&raw, 1));
  recording.sample(1, 7, 1, sample);
  sample.raw = std::as_bytes(std::span(&without, 1));
  recording.sample(2, 7, 1, sample);
  sample.raw = sample.raw.first(sizeof without - 16);
  recording.sample(3, 7, 1, sample);
  const Profile profile = recording.load();
  const auto& steps = profile.samples.step_bytes;
  EXPECT_EQ(profile.samples.heap_start.at(0), 0x5000u);
  EXPECT_EQ(steps[0].at(0), static_cast<uint64_t>(int64_t{-64}));
  EXPECT_EQ(steps[1].at(0), 4096u);
  EXPECT_EQ(steps[2].at(0), std::nullopt);
  EXPECT_EQ(steps[2].at(1), 24u);
  EXPECT_EQ(steps[0].at(2), std::nullopt);
}

TEST(Loader, ReadsWhatWouldHaveBecomeOfMisses) {
  using record::WhatIf;
  struct [[gnu::packed]] Raw {
    record::SampleExtension access = access_extension();
    record::StepsExtension steps{record::kStepsMagic, {1, {8}}};
    record::WhatIfExtension what_if;
  } raw;
  TestRecording recording({test_event("e", 1, PERF_SAMPLE_RAW)});
  record::Sample sample;
  sample.raw = std::as_bytes(std::span(&raw, 1));
  raw.what_if = {
      record::kWhatIfMagic, {WhatIf::kNextLine | WhatIf::kHugePages, WhatIf::kHugePages, 1, 0, 40}, 0};
  recording.sample(1, 7, 1, sample);
  raw.what_if = {record::kWhatIfMagic, {0, 0, 1, 1, 1024}, 0};
  recording.sample(2, 7, 1, sample);
  sample.raw = sample.raw.first(sizeof raw - 1);
  recording.sample(3, 7, 1, sample);
  const Profile profile = recording.load();
  const Samples& samples = profile.samples;
  EXPECT_EQ(samples.next_line_hits.at(0), 0u);
  EXPECT_EQ(samples.huge_page_hits.at(0), 1u);
  EXPECT_EQ(samples.reuse_lines.at(0), 40u);
  EXPECT_EQ(samples.reuse_lines_at_least.at(0), std::nullopt);
  EXPECT_EQ(samples.next_line_hits.at(1), std::nullopt);
  EXPECT_EQ(samples.reuse_lines.at(1), std::nullopt);
  EXPECT_EQ(samples.reuse_lines_at_least.at(1), 1024u);
  EXPECT_EQ(samples.reuse_lines.at(2), std::nullopt);
}

TEST(Loader, ReadsWhichMissesAreTheKernels) {
  struct [[gnu::packed]] Raw {
    record::SampleExtension access = access_extension();
    record::WhatIfExtension what_if{record::kWhatIfMagic, {0, 0, 1, 0, 40}, 0};
    record::SystemCallExtension kernel{record::kSystemCallMagic, 0};
  } raw;
  TestRecording recording({test_event("e", 1, PERF_SAMPLE_RAW)});
  record::Sample sample;
  sample.raw = std::as_bytes(std::span(&raw, 1));
  recording.sample(1, 7, 1, sample);
  sample.raw = sample.raw.first(sizeof raw - sizeof raw.kernel);
  recording.sample(2, 7, 1, sample);
  const Profile profile = recording.load();
  EXPECT_EQ(profile.samples.by_kernel.at(0), 1u);
  EXPECT_EQ(profile.samples.by_kernel.at(1), std::nullopt);
  EXPECT_EQ(profile.samples.reuse_lines.at(1), 40u);
}

TEST(Loader, KeepsTotalsAndLosses) {
  TestRecording recording({test_event("a", 1), test_event("b", 2)});
  recording.read(5, 7, 2, 1000);
  recording.lost(6, 3);
  recording.lost(7, 4);
  Profile profile = recording.load();
  ASSERT_EQ(profile.totals.size(), 1u);
  EXPECT_EQ(profile.totals[0].event, 1u);
  EXPECT_EQ(profile.totals[0].value, 1000u);
  EXPECT_EQ(profile.totals[0].time_running_ns, 100u);
  EXPECT_EQ(profile.lost.records, 7u);
  ASSERT_EQ(profile.gaps.size(), 2u);
  EXPECT_EQ(profile.gaps[1].end_ns, 7u);
  EXPECT_EQ(profile.gaps[1].event, std::nullopt);
}

TEST(Loader, KeepsWhenAnEventWasThrottled) {
  TestRecording recording({test_event("a", 1), test_event("b", 2)});
  recording.throttle(5, 2);
  recording.throttle(9, 2, true);
  recording.throttle(12, 2);
  Profile profile = recording.load();
  EXPECT_EQ(profile.lost.throttlings, 2u);
  ASSERT_EQ(profile.gaps.size(), 2u);
  EXPECT_EQ(profile.gaps[0].begin_ns, 5u);
  EXPECT_EQ(profile.gaps[0].end_ns, 9u);
  EXPECT_EQ(profile.gaps[0].event, 1u);
  EXPECT_EQ(profile.gaps[1].end_ns, 12u) << "it lasts to the end";
}

TEST(Loader, SaysWhoMadeTheRecordingAndWhatIsMissing) {
  TestRecording recording({test_event("e", 1)});
  recording.features.hardmeter = R"({"pmu": "software"})";
  recording.map(1, 7, 0x400000, 0x1000, "/no/such/program");
  recording.sample(2, 7, 0x400000);
  Profile profile = recording.load();
  EXPECT_EQ(profile.pmu(), "software");
  EXPECT_THAT(profile.problems, ElementsAre(HasSubstr("/no/such/program")));
}

TEST(Loader, TellsTheOriginFromThePrivateJson) {
  TestRecording recording({test_event("e", 1)});
  recording.features.cmdline = {"hardmeter", "record", "-o", "a.data", "./ignored"};
  recording.features.hardmeter =
      R"({"pmu": "software", "engine": "x", "machine": "L1", "command": ["./p", "1"], "interrupted": true,
          "totals": {"a": 7, "b": -1}, "delivery": [{"event": "collected", "how": "only inside f"}]})";
  Origin origin = recording.load().origin();
  EXPECT_EQ(origin.pmu, "software");
  EXPECT_EQ(origin.engine, "x");
  EXPECT_EQ(origin.machine, "L1");
  EXPECT_THAT(origin.command, ElementsAre("./p", "1"));
  EXPECT_EQ(origin.collected, "only inside f");
  EXPECT_EQ(origin.totals, (std::map<std::string, uint64_t>{{"a", 7}}));
  EXPECT_TRUE(origin.interrupted);
}

TEST(Loader, TellsTheOriginOfPerfsRecordings) {
  TestRecording recording({test_event("e", 1)});
  recording.features.cmdline = {"perf", "record", "-o", "a.data", "./p"};
  recording.features.hardmeter = "[[[";
  Origin origin = recording.load().origin();
  EXPECT_EQ(origin.pmu, "hardware");
  EXPECT_THAT(origin.command, ElementsAre("perf", "record", "./p"));
  recording.features.cmdline = {"perf", "record", "--", "./p", "--", "1"};
  EXPECT_THAT(recording.load().origin().command, ElementsAre("./p", "--", "1"));
}

TEST(Loader, DoesNotTakeACutRecordingOfItsOwnForHardwares) {
  TestRecording recording({test_event("e", 1)});
  recording.features.version = "hardmeter 0.1.0";
  EXPECT_EQ(recording.load().origin().pmu, "unknown");
  recording.features.version = "6.1.0";  // a version of perf
  EXPECT_EQ(recording.load().origin().pmu, "hardware");
}

TEST(Loader, NamesEventsApart) {
  record::EventDescription cycles = test_event("", 2);
  cycles.attr.type = PERF_TYPE_HARDWARE;
  cycles.attr.config = PERF_COUNT_HW_CPU_CYCLES;
  Profile profile = TestRecording({test_event("e", 1), cycles, test_event("e", 3)}).load();
  std::vector<std::string> names;
  for (const Event& event : profile.events) names.push_back(event.name);
  EXPECT_THAT(names, ElementsAre("e", "cycles", "e#2"));
}

TEST(Loader, JoinsDeferredCallChains) {
  TestRecording recording({test_event("cycles", 1, PERF_SAMPLE_CALLCHAIN)});
  recording.map(1, 7, 0x1000, 0x1000, "/no/such/program");
  std::vector<uint64_t> in_kernel{PERF_CONTEXT_KERNEL, 0xffff000000000100, record::kContextUserDeferred, 55};
  std::vector<uint64_t> lost{PERF_CONTEXT_KERNEL, 0xffff000000000100, record::kContextUserDeferred, 56};
  record::Sample sample;
  for (const auto* chain : {&in_kernel, &in_kernel, &lost}) {
    sample.callchain = record::U64View(*chain);
    recording.sample(10, 7, 0xffff000000000100, sample, 0, PERF_RECORD_MISC_KERNEL);
  }
  recording.deferred_chain(20, 7, 55, {static_cast<uint64_t>(PERF_CONTEXT_USER), 0x1234, 0x1567});
  Profile profile = recording.load();
  ASSERT_EQ(profile.samples.size(), 3u);
  std::vector<uint32_t> counts;
  for (const Slice& slice : profile.samples.chain) counts.push_back(slice.count);
  EXPECT_THAT(counts, ElementsAre(3, 3, 1));
  uint32_t innermost_of_user = profile.samples.chain_locations[1];
  EXPECT_EQ(profile.locations[innermost_of_user].offset, 0x234u);
  EXPECT_THAT(profile.problems, ::testing::Contains(HasSubstr("chains of 1 samples lack")));
}

// Like `perf record -e '{first,second}:S'`: only the leader samples, and each sample holds both counts.
TEST(Loader, ASampleOfAGroupIsOneOfEachEventThatGained) {
  std::vector<record::EventDescription> events{test_event("first", 1, PERF_SAMPLE_READ | PERF_SAMPLE_ADDR),
                                               test_event("second", 2, PERF_SAMPLE_READ | PERF_SAMPLE_ADDR)};
  for (record::EventDescription& event : events) event.attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
  events[1].attr.sample_period = 0;
  TestRecording recording(events);
  std::vector<std::vector<uint64_t>> values{{100, 1, 0, 2}, {210, 1, 7, 2}, {300, 1, 8, 2}};
  for (size_t i = 0; i < values.size(); ++i) {
    record::Sample sample;
    sample.addr = 0x5000 + i;
    sample.read = record::ReadValues(events[0].attr.read_format, record::U64View(values[i]));
    recording.sample(10 * i, 7, 0x1000 + i, sample);
  }
  LoadOptions options;
  options.needs.details = options.needs.objects = true;
  options.samples_per_segment = 1;
  Profile profile = recording.load(options);
  const Samples& samples = profile.samples;
  EXPECT_EQ(samples.event, (std::vector<uint32_t>{0, 0, 1, 0, 1}));
  std::vector<uint64_t> periods, addresses;
  for (size_t i = 0; i < samples.size(); ++i) {
    periods.push_back(samples.period.at(i).value_or(0));
    addresses.push_back(samples.address.at(i).value_or(0));
  }
  EXPECT_EQ(periods, (std::vector<uint64_t>{100, 110, 7, 90, 1}));
  EXPECT_EQ(addresses, (std::vector<uint64_t>{0x5000, 0x5001, 0x5001, 0x5002, 0x5002}));
  EXPECT_EQ(samples.object.size(), samples.size());
  ASSERT_EQ(profile.totals.size(), 2u);
  EXPECT_EQ(profile.totals[0].value, 300u);
  EXPECT_EQ(profile.totals[1].value, 8u);
}

}  // namespace
}  // namespace hm::profile
