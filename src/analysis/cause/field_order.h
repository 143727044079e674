// SPDX-License-Identifier: MIT
// Which members of a type belong together, as a loop uses them, and which only lie between them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "symbol/code/address_source.h"

namespace hm::cause {

// A member, and where it lies in its type.
struct LaidOut {
  std::string name;
  uint64_t offset = 0, bytes = 0;

  bool operator==(const LaidOut&) const = default;
};

// The type's own members, each named once.
struct FieldOrder {
  std::vector<std::string> together;  // that the loop uses, the most sampled first
  std::vector<std::string> others;    // that were sampled elsewhere, likewise
  std::vector<std::string> not_met;   // in no sample of the recording, as declared
  std::string type;
  uint64_t bytes = 0;            // of the type
  std::vector<LaidOut> members;  // all of them, as declared

  bool operator==(const FieldOrder&) const = default;
};

// How many samples of the whole recording, of all events, lie in each member.
class MemberSamples {
 public:
  explicit MemberSamples(const profile::Profile& profile);

  // Of the type that `field` (a row of Profile::fields) lies in, used by a loop that accesses `near` it.
  // nullopt where the type has fewer than two members.
  [[nodiscard]] std::optional<FieldOrder> order_for(uint32_t field,
                                                    std::span<const symbol::NearAccess> near) const;

 private:
  const profile::Profile& profile_;
  std::map<uint32_t, std::vector<uint64_t>> by_type_;  // by index of the member
};

}  // namespace hm::cause
