// SPDX-License-Identifier: MIT
// The resource file, .hardmeterrc: what each part of a program that measures itself wants to have measured.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "base/result.h"
#include "event/selection.h"

namespace hm::capi {

enum class Format { kDump, kPerf };

// Samples of precise events: as many as the original could hold.
inline constexpr uint64_t kMostPreciseSamples = 524270;
inline constexpr uint64_t kMostSamples = 1'000'000'000;

struct Resource {
  std::string name;
  bool user = false;
  bool kernel = false;
  event::Selection event;
  std::string dump_file;  // with its %Y and so on
  Format format = Format::kDump;
  uint64_t count = 2000;      // most samples
  uint64_t interval = 10000;  // events per sample; of the clock, nanoseconds
};

// HARDMETERRC, else $HOME/.hardmeterrc. kNotFound where neither variable is set.
[[nodiscard]] Result<std::string> resource_path();

// One resource of the file's text. `path` is for the sentences. kNotFound: there is no such resource;
// kInvalidArgument: what is wrong, and in which line.
[[nodiscard]] Result<Resource> find_resource(std::string_view text, std::string_view name,
                                             const std::string& path);

// "%Y %y %m %d %H %M %S %P" and "%%" replaced: year, year of the century, month, day, hour, minute, second of
// the local time, process. Others stay as they are.
[[nodiscard]] std::string expand_dump_file(const std::string& pattern, std::time_t now, int pid);

}  // namespace hm::capi
