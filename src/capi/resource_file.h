// SPDX-License-Identifier: MIT
// The resource file, .hardmeterrc: configures the measurement of each part of a program that measures itself.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "base/result.h"
#include "event/selection.h"

namespace hm::capi {

enum class Format { kDump, kPerf };

// Maximum number of samples of precise events, the same as in the original.
inline constexpr uint64_t kMaxPreciseSamples = 524270;
inline constexpr uint64_t kMaxSamples = 1'000'000'000;

struct Resource {
  std::string name;
  bool user = false;
  bool kernel = false;
  event::Selection event;
  std::string dump_file;  // with unexpanded %Y and so on
  Format format = Format::kDump;
  uint64_t count = 2000;      // maximum number of samples
  uint64_t interval = 10000;  // events per sample; nanoseconds for the clock
};

// Returns HARDMETERRC, else $HOME/.hardmeterrc. Fails with kNotFound if neither variable is set.
[[nodiscard]] Result<std::string> resource_path();

// Parses one resource of the file's text. `path` is for error messages. Fails with kNotFound if there is no
// such resource, with kInvalidArgument, the line and the reason if the text is invalid.
[[nodiscard]] Result<Resource> find_resource(std::string_view text, std::string_view name,
                                             const std::string& path);

// Expands "%Y %y %m %d %H %M %S %P" and "%%": year, year of the century, month, day, hour, minute, second of
// the local time, process ID. Other text is unchanged.
[[nodiscard]] std::string expand_dump_file(const std::string& pattern, std::time_t now, int pid);

}  // namespace hm::capi
