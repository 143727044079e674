// SPDX-License-Identifier: MIT
// Features of this machine's processor that determine which code a program's libraries choose.
#pragma once

#include <string>
#include <string_view>

namespace hm::host {

/// Returns the features by which C libraries choose their memory and string functions, separated by blanks
/// and in alphabetical order. Appends the tunables that hide some of them from glibc. Empty if /proc/cpuinfo
/// lists no features.
[[nodiscard]] std::string cpu_features();

/// Like cpu_features(), but from the text of /proc/cpuinfo and the value of GLIBC_TUNABLES.
[[nodiscard]] std::string cpu_features_in(std::string_view cpu_info, std::string_view tunables);

/// Returns the sizes of the first processor's caches, "L1d 32K, L1i 32K, L2 1024K, L3 32768K": beyond which
/// size a library copies past the caches depends on them. Empty if the system does not report them.
[[nodiscard]] std::string cpu_caches();

}  // namespace hm::host
