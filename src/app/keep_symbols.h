// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace hm::app {

// Which files and symbol maps of a recording are copied to perf's cache (symbol/files/kept_files.h).
enum class KeepSymbols : uint8_t {
  kNever,
  kLost,  // those that will not be at their paths: deleted files, files of containers, maps of compiled code
  kAll,
};

}  // namespace hm::app
