// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/defined_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace hm::soft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Returns null if this processor lacks instructions of the named one.
std::unique_ptr<Session> defined_as(const std::string& cpu, uint64_t seed = 0) {
  auto session = std::make_unique<Session>();
  Status defined = define_machine({cpu, seed, {}}, *session);
  if (defined) return session;
  EXPECT_EQ(defined.error().code, ErrorCode::kUnsupported) << defined.error().message;
  return nullptr;
}

const CpuidLeaf* leaf_of(const DefinedMachine& machine, uint32_t leaf, uint32_t subleaf = kAnySubleaf) {
  for (uint32_t i = 0; i < machine.leaf_count; ++i) {
    if (machine.leaves[i].leaf == leaf && machine.leaves[i].subleaf == subleaf) return &machine.leaves[i];
  }
  return nullptr;
}

TEST(DefinedMachine, EveryProcessorHasTheLeavesThatLibrariesRead) {
  for (std::string_view name : defined_cpus()) {
    auto session = defined_as(std::string(name), 5);
    if (session == nullptr) continue;
    const DefinedMachine& machine = session->defined;
    EXPECT_NE(machine.on, 0u);
    EXPECT_EQ(machine.seed, 5u);
    for (uint32_t leaf : {0u, 1u, 2u, 0x80000000u, 0x80000001u, 0x80000002u, 0x80000008u})
      EXPECT_NE(leaf_of(machine, leaf), nullptr) << name << " " << leaf;
    EXPECT_EQ(machine.hwcap, leaf_of(machine, 1)->d);
    EXPECT_EQ(leaf_of(machine, 4, 0)->c, 63u) << "32 KiB in 8 ways have 64 sets";
  }
}

TEST(DefinedMachine, HasATextAboutItsProcessor) {
  for (std::string_view name : defined_cpus()) {
    auto session = defined_as(std::string(name));
    if (session == nullptr) continue;
    std::string text = session->defined.processor;
    EXPECT_THAT(text, StartsWith("processor\t: 0\nvendor_id\t: GenuineIntel\n"));
    EXPECT_THAT(text, HasSubstr("model name\t: hardmeter " + std::string(name) + "\n"));
    EXPECT_EQ(text.substr(text.size() - 19), "power management:\n\n") << "the text is complete";
    bool has_avx2 = name == "x86-64-v3" || name == "x86-64-v4";
    EXPECT_EQ(text.find(" avx2") != std::string::npos, has_avx2) << name;
    EXPECT_EQ(text.find(" avx512vl\n") != std::string::npos, name == "x86-64-v4") << name;
  }
}

// Bits of the x86-64 psABI's levels.
TEST(DefinedMachine, AProcessorHasTheFeaturesOfItsLevelAndNoOthers) {
  constexpr uint32_t kAvx = 1u << 28, kSse42 = 1u << 20, kAvx2 = 1u << 5, kAvx512 = 1u << 16, kErms = 1u << 9;
  if (auto session = defined_as("x86-64-v1")) EXPECT_EQ(leaf_of(session->defined, 1)->c, 0u);
  if (auto session = defined_as("x86-64-v2")) {
    EXPECT_EQ(leaf_of(session->defined, 1)->c & (kAvx | kSse42), kSse42);
    EXPECT_EQ(leaf_of(session->defined, 0xd, 0), nullptr);
    EXPECT_NE(session->absent.features, 0u);
  }
  if (auto session = defined_as("x86-64-v3")) {
    EXPECT_EQ(leaf_of(session->defined, 7, 0)->b & (kAvx2 | kAvx512 | kErms), kAvx2);
    EXPECT_EQ(session->defined.xcr0, 7u);
    EXPECT_EQ(leaf_of(session->defined, 0xd, 0)->b, 832u);
  }
  if (auto session = defined_as("x86-64-v4")) EXPECT_EQ(session->absent.features, 0u);
}

TEST(DefinedMachine, AnUnknownProcessorIsRefused) {
  Session session{};
  Status defined = define_machine({"pentium", 0, {}}, session);
  ASSERT_FALSE(defined);
  EXPECT_EQ(defined.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(defined.error().message, HasSubstr("'pentium'; it has x86-64-v1, x86-64-v2"));
}

TEST(DefinedMachine, TheEnvironmentHasFewVariables) {
  EXPECT_THAT(defined_environment({}), ElementsAre(StartsWith("PATH="), "HOME=/", "LANG=C.UTF-8", "TZ=UTC0"));
  EXPECT_THAT(defined_environment({"", 0, {"HOME=/root", "A=b"}}),
              ElementsAre(StartsWith("PATH="), "LANG=C.UTF-8", "TZ=UTC0", "HOME=/root", "A=b"));
}

}  // namespace
}  // namespace hm::soft
