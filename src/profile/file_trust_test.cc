// SPDX-License-Identifier: MIT
#include "profile/file_trust.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "profile/test_recording.h"
#include "record/run_description.h"
#include "symbol/files/demangle.h"
#include "symbol/files/test_subjects.h"
#include "symbol/files/text_tables.h"

namespace hm::profile {
namespace {

using ::testing::HasSubstr;

record::Features of_this_machine() {
  struct utsname here {};
  EXPECT_EQ(::uname(&here), 0);
  record::Features features;
  features.hostname = here.nodename;
  features.os_release = here.release;
  return features;
}

record::Features of_another_machine() {
  record::Features features = of_this_machine();
  features.hostname = *features.hostname + "x";
  return features;
}

record::Mmap mapping_of(uint64_t inode, uint64_t offset = 0) {
  return {.file_offset = offset, .identity = record::FileIdentity{.inode = inode}};
}

TEST(FileTrust, TheSameHostAndKernelHaveTheSameFiles) {
  EXPECT_EQ(FileTrust(of_this_machine()).state_of("/no/such/file", {}), FileState::kSame);
  EXPECT_EQ(FileTrust(of_another_machine()).state_of("/no/such/file", {}), FileState::kForeign);
  record::Features other_kernel = of_this_machine();
  other_kernel.os_release = "2.6.0";
  EXPECT_EQ(FileTrust(other_kernel).state_of("[vdso]", {}), FileState::kForeign);
  EXPECT_EQ(FileTrust(record::Features()).state_of("[vdso]", {}), FileState::kForeign);
}

TEST(FileTrust, AFileForAnotherProcessorThanTheRecordingsIsAnother) {
  record::Features features = of_this_machine();
  for (const char* arch : {"mips64", "riscv64", "sparc64", "s390x"}) {
    features.arch = arch;
    EXPECT_EQ(FileTrust(features).state_of(symbol::subject("library.so"), {}), FileState::kForeign) << arch;
    EXPECT_EQ(FileTrust(features).state_of("/no/such/file", {}), FileState::kSame) << arch;
    EXPECT_EQ(FileTrust(features).state_of("/proc/version", {}), FileState::kSame) << arch;
  }
  features.arch = "one of the future";
  EXPECT_EQ(FileTrust(features).state_of(symbol::subject("library.so"), {}), FileState::kSame);
}

TEST(FileTrust, AFileThatIsNewerThanTheRecordingIsAnother) {
  std::string path = symbol::subject("library.so");
  record::Features features = of_this_machine();
  features.hardmeter = R"({"ended_ns": 1000000000})";
  EXPECT_EQ(FileTrust(features).state_of(path, {}), FileState::kChanged);
  features.hardmeter = fmt::format(R"({{"ended_ns": {}}})", record::now_ns());
  EXPECT_EQ(FileTrust(features).state_of(path, {}), FileState::kSame);
  EXPECT_EQ(FileTrust(features).state_of("/no/such/file", {}), FileState::kSame);
}

TEST(FileTrust, TheInodeAndTheSizeTellElsewhere) {
  std::string path = symbol::subject("library.so");
  struct stat file {};
  ASSERT_EQ(::stat(path.c_str(), &file), 0);
  auto size = static_cast<uint64_t>(file.st_size);
  FileTrust trust(of_another_machine());
  EXPECT_EQ(trust.state_of(path, mapping_of(file.st_ino)), FileState::kSame);
  EXPECT_EQ(trust.state_of(path, mapping_of(file.st_ino + 1)), FileState::kForeign);
  EXPECT_EQ(trust.state_of(path, mapping_of(file.st_ino, size)), FileState::kForeign);
  EXPECT_EQ(trust.state_of(path, mapping_of(0)), FileState::kForeign);
  EXPECT_EQ(trust.state_of(path, {}), FileState::kForeign);
}

TEST(FileTrust, NoNamesAreTakenFromAnotherMachinesFile) {
  constexpr uint64_t kStart = 0x7f0000000000;
  std::string path = symbol::subject("library.so");
  symbol::Dso library(path, "");
  const symbol::Symbol first = library.symbols().at(0);
  std::optional<uint64_t> offset = library.elf()->offset_of_address(first.start);
  ASSERT_TRUE(offset.has_value());
  TestRecording recording({test_event("miss", 1)});
  recording.features = of_another_machine();
  recording.map(1, 7, kStart, 0x100000, path);
  recording.map(1, 7, 0x7fff00000000, 0x1000, "[vdso]");
  recording.sample(2, 7, kStart + *offset);
  recording.sample(3, 7, 0x7fff00000800);
  auto name_of = [](const Profile& profile, size_t sample) {
    return profile.functions[profile.locations[profile.samples.location[sample]].function].name;
  };
  Profile strict = recording.load({.trust_files = false});
  EXPECT_THAT(name_of(strict, 0), HasSubstr("[symbol_library.so, not found]"));
  EXPECT_EQ(name_of(strict, 1), "[vdso+0x800]");
  ASSERT_EQ(strict.problems.size(), 1u);
  EXPECT_THAT(strict.problems[0], HasSubstr("--trust-files"));
  EXPECT_EQ(name_of(recording.load({.trust_files = true}), 0), library.function_at(*offset).name);
  recording.features = of_this_machine();
  EXPECT_EQ(name_of(recording.load({.trust_files = false}), 0), library.function_at(*offset).name);
}

// Like a recording of perf record -B, which has no build IDs.
TEST(FileTrust, TheRunningKernelsNamesAreTakenWithoutABuildId) {
  Result<symbol::SymbolTable> kernel = symbol::read_kallsyms_file("/proc/kallsyms", "_text");
  Result<uint64_t> text = symbol::kallsyms_address("_text");
  if (!kernel || !text) GTEST_SKIP() << "/proc/kallsyms shows no addresses";
  const symbol::Symbol symbol = kernel->at(kernel->size() / 2);
  const auto name_of = [&](const record::Features& features, uint64_t recorded_text) {
    TestRecording recording({test_event("miss", 1)});
    recording.features = features;
    recording.map(1, UINT32_MAX, recorded_text, 0x2000000, "[kernel.kallsyms]_text", recorded_text);
    recording.sample(2, 7, recorded_text + symbol.start, {}, 0, PERF_RECORD_MISC_KERNEL);
    Profile profile = recording.load({.trust_files = false});
    return profile.functions[profile.locations[profile.samples.location[0]].function].name;
  };
  EXPECT_EQ(name_of(of_this_machine(), *text), symbol::demangle(symbol.name));
  EXPECT_EQ(name_of(of_this_machine(), *text + 0x200000), "[kernel]");
  EXPECT_EQ(name_of(of_another_machine(), *text), "[kernel]");
}

}  // namespace
}  // namespace hm::profile
