// SPDX-License-Identifier: MIT
// Signatures: Intel SDM volume 2, CPUID leaf 1; AMD revision guides; MIDR_EL1 of the Technical Reference
// Manuals.
#include "event/hardware/cpu_model.h"

#include <gtest/gtest.h>

#include "event/hardware/known_cpus.h"

namespace hm::event {
namespace {

TEST(CpuModel, FromCpuid) {
  EXPECT_EQ(cpu_from_cpuid("GenuineIntel", 0x00050654), (CpuModel{Vendor::kIntel, 6, 0x55, 4}));
  EXPECT_EQ(cpu_from_cpuid("GenuineIntel", 0x00000f29), (CpuModel{Vendor::kIntel, 0xf, 2, 9}));
  EXPECT_EQ(cpu_from_cpuid("AuthenticAMD", 0x00a10f11), (CpuModel{Vendor::kAmd, 0x19, 0x11, 1}));
  EXPECT_EQ(cpu_from_cpuid("CentaurHauls", 0x000006fe).vendor, Vendor::kUnknown);
}

TEST(CpuModel, FromMidr) {
  EXPECT_EQ(cpu_from_midr(0x413fd0c1), (CpuModel{Vendor::kArm, 0, 0xd0c, 1}));
  EXPECT_EQ(cpu_from_midr(0x480fd010).vendor, Vendor::kUnknown);
}

TEST(KnownCpus, EachNameIsItsOwnModel) {
  for (const KnownCpu& cpu : known_cpus()) {
    EXPECT_EQ(find_known_cpu(cpu.name), &cpu);
    EXPECT_EQ(identify(cpu.model), &cpu) << cpu.name;
  }
  EXPECT_EQ(find_known_cpu("z80"), nullptr);
}

TEST(KnownCpus, TellsNeighboursApart) {
  EXPECT_EQ(identify({Vendor::kIntel, 6, 0x55, 4})->name, "skylake-sp");
  EXPECT_EQ(identify({Vendor::kIntel, 6, 0x55, 7})->name, "cascadelake-sp");
  EXPECT_EQ(identify({Vendor::kIntel, 6, 0xcf})->name, "sapphire-rapids");
  EXPECT_EQ(identify({Vendor::kIntel, 6, 0xae})->name, "granite-rapids");
  EXPECT_EQ(identify({Vendor::kIntel, 6, 0xaf})->name, "sierra-forest");
  EXPECT_EQ(identify({Vendor::kIntel, 6, 0xdd})->name, "clearwater-forest");
  EXPECT_EQ(identify({Vendor::kIntel, 6, 0xbf})->name, "alder-lake");
  EXPECT_EQ(identify({Vendor::kIntel, 6, 0xbe})->name, "alder-lake-n");
  EXPECT_EQ(identify({Vendor::kIntel, 6, 0xb6})->name, "grand-ridge");
  for (uint32_t model : {0xaau, 0xacu, 0xb5u}) {
    EXPECT_EQ(identify({Vendor::kIntel, 6, model})->name, "meteor-lake") << model;
  }
  for (uint32_t model : {0xc5u, 0xc6u}) {
    EXPECT_EQ(identify({Vendor::kIntel, 6, model})->name, "arrow-lake") << model;
  }
  EXPECT_EQ(identify({Vendor::kIntel, 6, 0xbd})->name, "lunar-lake");
  for (uint32_t model : {0xccu, 0xd5u, 0xe5u}) {
    EXPECT_EQ(identify({Vendor::kIntel, 6, model})->name, "panther-lake") << model;
  }
  EXPECT_EQ(identify({Vendor::kIntel, 18, 1}), nullptr);
  EXPECT_EQ(identify({Vendor::kAmd, 0x19, 0x21})->name, "zen3");
  EXPECT_EQ(identify({Vendor::kAmd, 0x19, 0x61})->name, "zen4");
  EXPECT_EQ(identify({Vendor::kAmd, 0x17, 0x71})->name, "zen2");
  EXPECT_EQ(identify({Vendor::kAmd, 0x17, 0x01}), nullptr);
  for (uint32_t model : {0x00u, 0x02u, 0x11u, 0x24u, 0x44u, 0x60u, 0x70u}) {
    EXPECT_EQ(identify({Vendor::kAmd, 0x1a, model})->name, "zen5") << model;
  }
  for (uint32_t model : {0x50u, 0x5fu, 0x80u, 0xafu, 0xc0u}) {
    EXPECT_EQ(identify({Vendor::kAmd, 0x1a, model})->name, "zen6") << model;
  }
  for (uint32_t model : {0x30u, 0xb0u, 0xd0u}) EXPECT_EQ(identify({Vendor::kAmd, 0x1a, model}), nullptr);
  EXPECT_EQ(identify({Vendor::kAmd, 0x1b, 0x00}), nullptr);
  EXPECT_EQ(identify({Vendor::kUnknown, 6, 0x55}), nullptr);
  EXPECT_EQ(identify({Vendor::kArm, 0, 0xd83})->name, "neoverse-v3");
  EXPECT_EQ(identify({Vendor::kArm, 0, 0xd8e})->name, "neoverse-n3");
  EXPECT_EQ(identify({Vendor::kArm, 0, 0xd4a}), nullptr);  // Neoverse E1
}

#if defined(__x86_64__)
TEST(CpuModel, TheHostIsAnX86Processor) { EXPECT_GE(host_cpu().family, 6u); }
#endif

}  // namespace
}  // namespace hm::event
