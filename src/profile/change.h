// SPDX-License-Identifier: MIT
// Changes to processes and threads, taken from the records between the samples.
#pragma once

#include <cstdint>
#include <variant>

#include "profile/address_space.h"

namespace hm::profile {

struct MapUser {
  uint32_t pid = 0;
  Mapping mapping;
};

struct MapKernel {
  Mapping mapping;
};

// The process executed another program: its mappings are gone.
struct Exec {
  uint32_t pid = 0;
};

// A process got a copy of its parent's mappings.
struct Fork {
  uint32_t pid = 0;
  uint32_t parent_pid = 0;
};

// From this change on, the thread corresponds to this row of the named threads.
struct Rename {
  uint32_t pid = 0;
  uint32_t tid = 0;
  uint32_t row = 0;
};

struct Change {
  size_t position = 0;  // of the record that reports the change, in the RecordIndex
  std::variant<MapUser, MapKernel, Exec, Fork, Rename> what;
};

}  // namespace hm::profile
