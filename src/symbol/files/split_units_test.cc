// SPDX-License-Identifier: MIT
// A program with split debug information gives the same results as the same program without splitting.
#include "symbol/files/split_units.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/mapped_file.h"
#include "base/temporary_folder.h"
#include "symbol/files/dwarf_package.h"
#include "symbol/files/test_subjects.h"
#include "symbol/files/zstd_sections.h"

namespace hm::symbol {
namespace {

std::string text_of(const std::vector<Frame>& frames) {
  std::string text;
  for (const Frame& frame : frames)
    text +=
        frame.function + " " + frame.file + ":" + std::to_string(frame.line) + (frame.inlined ? " <- " : "");
  return text;
}

struct Compared {
  size_t places = 0, inlined = 0;
};

// Compares by function and offset in it: the programs differ only in their debug information.
Compared expect_same(Dso& whole, Dso& split) {
  Compared compared;
  for (const std::string& name : symbol_names_of(whole)) {
    Symbol here = symbol_of(whole, name);
    std::optional<Symbol> there = split.symbols().find_name(name);
    if (!there || there->size != here.size) continue;
    for (uint64_t offset = 0; offset < here.size; ++offset) {
      std::vector<Frame> expected = whole.frames_of_address(here.start + offset);
      EXPECT_EQ(text_of(split.frames_of_address(there->start + offset)), text_of(expected)) << name << offset;
      ++compared.places;
      compared.inlined += expected.size() > 1;
    }
  }
  return compared;
}

TEST(SplitUnits, AProgramWithItsDwoFileHasAllFrames) {
  for (const char* name : {"subject_dwo", "subject_dwo_types"}) {
    SCOPED_TRACE(name);
    Dso whole(subject("subject"), ""), split(subject(name), "");
    Compared compared = expect_same(whole, split);
    EXPECT_GT(compared.places, 100u);
    EXPECT_GT(compared.inlined, 10u);
  }
}

TEST(DebugInformation, UnitsAreFoundWithoutAList) {
  Dso whole(subject("subject"), ""), unlisted(subject("subject_unlisted"), "");
  EXPECT_GT(expect_same(whole, unlisted).inlined, 10u);
}

TEST(DebugInformation, SectionsOfZstdAreUnpacked) {
  for (const char* name : {"subject_zstd", "subject_zstd.split"}) {
    SCOPED_TRACE(name);
    Dso whole(subject("subject"), ""), packed(subject(name), "");
    EXPECT_GT(expect_same(whole, packed).inlined, 10u);
  }
}

TEST(DebugInformation, DamagedSectionsOfZstdLeaveTheNames) {
  Result<MappedFile> file = MappedFile::open(subject("subject_zstd"));
  ASSERT_TRUE(file.ok());
  std::vector<std::byte> damaged(file->bytes().begin(), file->bytes().end());
  constexpr std::array<std::byte, 4> kFrame{std::byte{0x28}, std::byte{0xb5}, std::byte{0x2f},
                                            std::byte{0xfd}};
  size_t frames = 0;
  const auto next = [&](auto from) { return std::search(from, damaged.end(), kFrame.begin(), kFrame.end()); };
  for (auto at = next(damaged.begin()); at != damaged.end(); at = next(at), ++frames) *at = std::byte{0};
  ASSERT_GT(frames, 3u);
  EXPECT_FALSE(unpack_zstd_sections(damaged).ok());
  TemporaryFolder folder;
  std::string path = folder.file("damaged");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(damaged.data()), static_cast<std::streamsize>(damaged.size()));
  Dso dso(path, "");
  EXPECT_FALSE(symbol_names_of(dso).empty());
}

TEST(DebugInformation, PartsThatDwzSharesAreFound) {
  if (!std::filesystem::exists(subject("subject_dwz"))) GTEST_SKIP() << "there is no dwz here";
  for (const char* name : {"subject_dwz", "subject_dwz.1", "subject_dwz.2"}) {
    SCOPED_TRACE(name);
    Dso whole(subject("subject"), ""), shared(subject(name), "");
    EXPECT_GT(expect_same(whole, shared).inlined, 10u);
  }
}

TEST(SplitUnits, AProgramWithAPackageHasAllFrames) {
  for (const char* name : {"subject_dwp4", "subject_dwp5"}) {
    SCOPED_TRACE(name);
    if (!std::filesystem::exists(subject(name) + ".dwp")) GTEST_SKIP() << "there is no llvm-dwp here";
    Dso whole(subject("subject"), ""), split(subject(name), "");
    EXPECT_GT(expect_same(whole, split).inlined, 10u);
  }
}

TEST(SplitUnits, ADamagedPackageIsNoDebugInformation) {
  std::string program = subject("subject_dwp5");
  if (!std::filesystem::exists(program + ".dwp")) GTEST_SKIP() << "there is no llvm-dwp here";
  std::ifstream file(program + ".dwp", std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(file), {}};
  TemporaryFolder folder;
  std::string path = folder.file("copy");
  std::filesystem::copy_file(program, path);
  constexpr size_t kSteps = 97;
  for (size_t damage = 0; damage < good.size(); damage += good.size() / kSteps) {
    std::string bad = good;
    for (size_t i = damage; i < std::min(damage + 16, bad.size()); ++i) bad[i] = '\xff';
    if (damage % 2 == 0) bad.resize(damage);
    std::ofstream(path + ".dwp", std::ios::binary) << bad;
    Dso dso(path, "");
    Symbol main = symbol_of(dso, "main");
    for (uint64_t offset = 0; offset < main.size; offset += 8)
      EXPECT_FALSE(dso.frames_of_address(main.start + offset).empty());
  }
}

}  // namespace
}  // namespace hm::symbol
