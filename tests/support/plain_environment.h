// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <sys/personality.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>

#include "running.h"

namespace hm::soft_pmu_test {

// The C library selects its functions by the processor's features. This setting hides features that Valgrind
// does not provide from programs that run natively, too. glibc 2.41 uses rep stosb under Valgrind even if
// ERMS is hidden, so the thresholds exclude it. The comma at the end keeps glibc 2.36 from reading on past
// the string, into the environment and the kernel's random bytes.
inline constexpr const char* kProcessor =
    "glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000:"
    "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-ERMS,-FSRM,-RTM,-Prefer_No_"
    "VZEROUPPER,";

// Runs programs with the same environment and the same addresses every time; child processes inherit both.
class WithPlainEnvironment : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    engine();  // while the environment variable is set
    ::clearenv();
    ::setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
    ::setenv("GLIBC_TUNABLES", kProcessor, 1);
    ::setenv("PERL_HASH_SEED", "0", 1);
    ::setenv("PERL_PERTURB_KEYS", "0", 1);
    ::personality(ADDR_NO_RANDOMIZE);
  }
};

// Calls measure() with an environment longer by each of these bytes, so that the stack begins at different
// offsets in a line and in its page. Otherwise the path of the tools' folder, which is in the environment,
// determines the stack's address.
template <typename Measure>
void at_stack_places(std::initializer_list<size_t> bytes, Measure&& measure) {
  for (size_t each : bytes) {
    ::setenv("HARDMETER_TEST_PADDING", std::string(each, 'x').c_str(), 1);
    measure();
  }
  ::unsetenv("HARDMETER_TEST_PADDING");
}

// Range of a value over several stack addresses.
struct Range {
  uint64_t least = ~uint64_t{0}, most = 0;
  void add(uint64_t value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

}  // namespace hm::soft_pmu_test
