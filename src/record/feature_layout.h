// SPDX-License-Identifier: MIT
// How the sections are laid out, shared by their reading and their writing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "record/features.h"

namespace hm::record {

// A string: its size, then its bytes with a NUL, filled up to a multiple of this (NAME_ALIGN in tools/perf).
inline constexpr size_t kTextAlignment = 64;

inline constexpr uint32_t kCacheVersion = 1;

// The features that are one string each.
struct TextFeature {
  unsigned bit;
  std::optional<std::string> Features::*member;
};

inline constexpr std::array kTextFeatures{
    TextFeature{kFeatureHostname, &Features::hostname}, TextFeature{kFeatureOsRelease, &Features::os_release},
    TextFeature{kFeatureVersion, &Features::version},   TextFeature{kFeatureArch, &Features::arch},
    TextFeature{kFeatureCpuDesc, &Features::cpu_desc},  TextFeature{kFeatureCpuId, &Features::cpu_id}};

}  // namespace hm::record
