// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/target.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace hm::soft {
namespace {

using ::testing::HasSubstr;

class Target : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(::mkdtemp(folder_.data()), nullptr); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& contents, mode_t mode = 0755) {
    std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << contents;
    ::chmod(path.c_str(), mode);
    return path;
  }

  static std::string elf(unsigned char elf_class, uint16_t machine) {
    std::string head(64, '\0');
    head.replace(0, SELFMAG, ELFMAG);
    head[EI_CLASS] = static_cast<char>(elf_class);
    head[EI_DATA] = ELFDATA2LSB;
    head[18] = static_cast<char>(machine & 0xff);
    head[19] = static_cast<char>(machine >> 8);
    return head;
  }

  static void expect_refused(const std::string& name, ErrorCode code, const std::string& said) {
    auto target = resolve_target(name);
    ASSERT_FALSE(target.ok()) << name;
    EXPECT_EQ(target.error().code, code);
    EXPECT_THAT(target.error().message, HasSubstr(said));
    EXPECT_THAT(target.error().message, HasSubstr("'" + name + "'"));
  }

  std::string folder_ = "/tmp/hardmeter-target-XXXXXX";
};

TEST_F(Target, IsFoundInPathOrByItsPath) {
  auto found = resolve_target("sh");
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(*found, HasSubstr("/sh"));
  std::string script = file("script", "#!/bin/sh\n");
  auto by_path = resolve_target(script);
  ASSERT_TRUE(by_path.ok());
  EXPECT_EQ(*by_path, script);
}

TEST_F(Target, InPathIsTheFirstThatCanRun) {
  std::filesystem::create_directories(folder_ + "/a/tool");
  std::filesystem::create_directories(folder_ + "/b");
  std::filesystem::create_directories(folder_ + "/c");
  file("b/tool", "", 0644);
  std::string right = file("c/tool", "#!/bin/sh\n");
  std::string before = std::getenv("PATH");
  ::setenv("PATH", (folder_ + "/a:" + folder_ + "/b:" + folder_ + "/c").c_str(), 1);
  auto found = resolve_target("tool");
  ::setenv("PATH", before.c_str(), 1);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(*found, right);
}

TEST_F(Target, WhatIsNotThereIsSaid) {
  expect_refused("no-such-program-anywhere", ErrorCode::kNotFound, "there is no such program in PATH");
  expect_refused(folder_ + "/nothing", ErrorCode::kNotFound, "No such file");
  expect_refused("", ErrorCode::kNotFound, "cannot run");
}

TEST_F(Target, WhatCannotRunIsSaid) {
  expect_refused(folder_, ErrorCode::kInvalidArgument, "it is a folder");
  expect_refused(file("plain", "text", 0644), ErrorCode::kPermission,
                 "it is not executable (chmod +x makes it so)");
}

TEST_F(Target, OtherMachinesProgramsAreRefused) {
  expect_refused(file("thirtytwo", elf(ELFCLASS32, EM_386)), ErrorCode::kUnsupported, "is a 32-bit program");
  expect_refused(file("x32", elf(ELFCLASS32, EM_X86_64)), ErrorCode::kUnsupported, "is a 32-bit program");
  expect_refused(file("arm", elf(ELFCLASS64, EM_AARCH64)), ErrorCode::kUnsupported,
                 "is not an x86-64 program");
  EXPECT_TRUE(resolve_target(file("good", elf(ELFCLASS64, EM_X86_64))).ok());
}

TEST_F(Target, WhatChangesItsUserIsRefused) {
  std::string good = elf(ELFCLASS64, EM_X86_64);
  expect_refused(file("setuid", good, 04755), ErrorCode::kUnsupported, "it is set-uid or has capabilities");
  expect_refused(file("setgid", good, 02755), ErrorCode::kUnsupported, "it is set-uid or has capabilities");
}

TEST_F(Target, PrivilegedProgramsOfPathAreFound) {
  file("setuid", "x", 04755);
  file("plain", "x", 0755);
  std::string before = std::getenv("PATH");
  ::setenv("PATH", folder_.c_str(), 1);
  std::vector<std::string> found = privileged_programs();
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_THAT(found, ::testing::ElementsAre(folder_ + "/setuid"));
}

}  // namespace
}  // namespace hm::soft
