// SPDX-License-Identifier: MIT
// Layout of the feature sections, shared by their decoder and their encoder.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "record/features.h"

namespace hm::record {

// A string is stored as its size and its bytes with a NUL, padded to a multiple of this (NAME_ALIGN in
// tools/perf).
inline constexpr size_t kTextAlignment = 64;

inline constexpr uint32_t kCacheVersion = 1;

// The features that consist of a single string.
struct TextFeature {
  unsigned bit;
  std::optional<std::string> Features::*member;
};

inline constexpr std::array kTextFeatures{
    TextFeature{kFeatureHostname, &Features::hostname}, TextFeature{kFeatureOsRelease, &Features::os_release},
    TextFeature{kFeatureVersion, &Features::version},   TextFeature{kFeatureArch, &Features::arch},
    TextFeature{kFeatureCpuDesc, &Features::cpu_desc},  TextFeature{kFeatureCpuId, &Features::cpu_id}};

}  // namespace hm::record
