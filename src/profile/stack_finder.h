// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "profile/process_table.h"
#include "profile/profile.h"

namespace hm::profile {

// Finds the thread with the stack that contains a data address. Uses the mapping if the recording names it
// ("[stack]", "[stack:TID]") or a thread's stack pointer was seen to point into it. Otherwise uses the
// distance from the stack pointer.
class StackFinder {
 public:
  explicit StackFinder(const Profile& profile) : profile_(profile) {}

  struct Access {
    uint32_t thread = 0;  // row of Profile::threads
    uint64_t address = 0;
    std::optional<uint64_t> stack_pointer;
  };
  // Returns the row of the thread that owns the stack; nullopt if the address is in no stack. `mapping`
  // contains the address; nullptr if unknown.
  [[nodiscard]] std::optional<uint32_t> find(const AddressSpace& space, const Mapping* mapping,
                                             const Access& access);

 private:
  [[nodiscard]] std::optional<uint32_t> named_owner(const Mapping& mapping, const Access& access);
  [[nodiscard]] std::optional<uint32_t> seen_owner(const Mapping& mapping, const Access& access);
  [[nodiscard]] uint32_t row_of(uint32_t pid, uint32_t tid, uint32_t otherwise);

  const Profile& profile_;
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> seen_;  // keyed by pid and the mapping's start
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> rows_;  // keyed by pid and tid
};

}  // namespace hm::profile
