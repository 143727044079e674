// SPDX-License-Identifier: MIT
#include "host/cpu_features.h"

#include <gtest/gtest.h>

namespace hm::host {
namespace {

constexpr const char* kInfo =
    "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu erms avx2 sse4_2 hypervisor\n"
    "vmx flags\t: ept\nprocessor\t: 1\nflags\t\t: fpu\n";

TEST(CpuFeatures, AreThoseThatLibrariesChooseBy) {
  EXPECT_EQ(cpu_features_in(kInfo, ""), "avx2 erms sse4_2");
  EXPECT_EQ(cpu_features_in("", ""), "");
  EXPECT_EQ(cpu_features_in("flags", ""), "");
}

TEST(CpuFeatures, NameTheTunablesThatHideThem) {
  EXPECT_EQ(cpu_features_in(kInfo, "glibc.malloc.check=1:glibc.cpu.hwcaps=-AVX2"),
            "avx2 erms glibc.cpu.hwcaps=-AVX2 sse4_2");
}

}  // namespace
}  // namespace hm::host
