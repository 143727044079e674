// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <sys/personality.h>

#include <cstdlib>

#include "running.h"

namespace hm::soft_pmu_test {

// The C library chooses its functions by what the processor has: what Valgrind does not give programs is not
// chosen where they run on the processor itself either. The comma at the end keeps glibc 2.36 from reading on
// past the string, into the environment and the kernel's random bytes.
inline constexpr const char* kProcessor =
    "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-ERMS,-FSRM,-RTM,-Prefer_No_"
    "VZEROUPPER,";

// Programs run with the same environment and the same addresses every time: what they inherit.
class WithPlainEnvironment : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    engine();  // while the environment says so
    ::clearenv();
    ::setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
    ::setenv("GLIBC_TUNABLES", kProcessor, 1);
    ::setenv("PERL_HASH_SEED", "0", 1);
    ::setenv("PERL_PERTURB_KEYS", "0", 1);
    ::personality(ADDR_NO_RANDOMIZE);
  }
};

}  // namespace hm::soft_pmu_test
