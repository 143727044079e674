// SPDX-License-Identifier: MIT
#include "host/cpu_features.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "host/host_caches.h"

namespace hm::host {
namespace {

constexpr std::string_view kFlagsKey = "flags";
constexpr std::string_view kTunable = "glibc.cpu.";
// The kernel's names (arch/x86/include/asm/cpufeatures.h) of the features that the selectors of glibc and
// other libraries check (sysdeps/x86/cpu-features.c of glibc).
constexpr std::string_view kChoosing[] = {
    "abm",      "avx",      "avx2",  "avx512bw", "avx512cd", "avx512dq",  "avx512f", "avx512vbmi",
    "avx512vl", "avx_vnni", "bmi1",  "bmi2",     "erms",     "f16c",      "fma",     "fsrm",
    "fsrs",     "fzrm",     "lzcnt", "movbe",    "popcnt",   "rtm",       "sse4_1",  "sse4_2",
    "ssse3",    "sse4a",    "fma4",  "xop",      "vaes",     "vpclmulqdq"};

std::string_view line_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with(key)) return line;
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return {};
}

// Returns "glibc.cpu.hwcaps=-AVX2" from "glibc.malloc.check=1:glibc.cpu.hwcaps=-AVX2".
std::set<std::string> cpu_tunables(std::string_view tunables) {
  std::set<std::string> found;
  std::istringstream list{std::string(tunables)};
  for (std::string one; std::getline(list, one, ':');) {
    if (one.starts_with(kTunable)) found.insert(one);
  }
  return found;
}

}  // namespace

std::string cpu_features_in(std::string_view cpu_info, std::string_view tunables) {
  std::string_view line = line_of(cpu_info, kFlagsKey);
  size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  std::istringstream flags{std::string(line.substr(colon + 1))};
  std::set<std::string> found;
  for (std::string flag; flags >> flag;) {
    if (std::ranges::find(kChoosing, flag) != std::end(kChoosing)) found.insert(flag);
  }
  found.merge(cpu_tunables(tunables));
  return fmt::format("{}", fmt::join(found, " "));
}

std::string cpu_features() {
  std::ifstream file("/proc/cpuinfo");
  std::stringstream text;
  text << file.rdbuf();
  const char* tunables = std::getenv("GLIBC_TUNABLES");
  return cpu_features_in(text.str(), tunables == nullptr ? "" : tunables);
}

std::string cpu_caches() {
  std::string text;
  for (const HostCache& cache : host_caches(0)) {
    const char* kind = cache.type == "Data" ? "d" : cache.type == "Instruction" ? "i" : "";
    text +=
        fmt::format("{}L{}{} {}K", text.empty() ? "" : ", ", cache.level, kind, cache.size_bytes() / 1024);
  }
  return text;
}

}  // namespace hm::host
