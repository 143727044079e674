// SPDX-License-Identifier: MIT
// What happened to processes and threads, as the records between the samples tell.
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

// The process replaced its program: its mappings are gone.
struct Exec {
  uint32_t pid = 0;
};

// A process got the mappings of another.
struct Fork {
  uint32_t pid = 0;
  uint32_t parent_pid = 0;
};

// From now on the thread is this row of the named threads.
struct Rename {
  uint32_t pid = 0;
  uint32_t tid = 0;
  uint32_t row = 0;
};

struct Change {
  size_t position = 0;  // in the RecordIndex, of the record that tells it
  std::variant<MapUser, MapKernel, Exec, Fork, Rename> what;
};

}  // namespace hm::profile
