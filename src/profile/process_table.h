// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "profile/address_space.h"
#include "profile/change.h"

namespace hm::profile {

// Mappings with a version number that is unique among all processes and times; 0 if nothing was ever mapped.
struct NumberedSpace {
  AddressSpace mappings;
  uint32_t version = 0;
};

// The threads and mappings at one moment of the recording. A copy is a snapshot: it shares the mappings until
// either copy changes them.
class ProcessTable {
 public:
  // Applies a change. Returns the number of mappings that had to be copied.
  size_t apply(const Change& change);

  // Returns the row set by a Rename; nullopt for a thread that the recording has not named so far.
  [[nodiscard]] std::optional<uint32_t> thread(uint32_t pid, uint32_t tid) const;
  // Returns an empty space if no mappings are known.
  [[nodiscard]] const NumberedSpace& user(uint32_t pid) const;
  [[nodiscard]] const NumberedSpace& kernel() const { return kernel_; }

 private:
  size_t apply(const MapUser& map);
  size_t apply(const MapKernel& map);
  size_t apply(const Exec& exec);
  size_t apply(const Fork& fork);
  size_t apply(const Rename& rename);
  size_t add(const Mapping& mapping, NumberedSpace& space);

  std::unordered_map<uint64_t, uint32_t> rows_;  // keyed by pid and tid
  std::unordered_map<uint32_t, NumberedSpace> spaces_;
  NumberedSpace kernel_;
  NumberedSpace nothing_;
  uint32_t versions_ = 0;
};

}  // namespace hm::profile
