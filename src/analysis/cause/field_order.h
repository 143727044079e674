// SPDX-License-Identifier: MIT
// Determines which members of a type a loop uses together, and which members only lie between them.
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

// A member and its offset in the type.
struct LaidOut {
  std::string name;
  uint64_t offset = 0, bytes = 0;

  bool operator==(const LaidOut&) const = default;
};

// Each direct member of the type appears once in the first three lists.
struct FieldOrder {
  std::vector<std::string> together;  // members that the loop uses, most samples first
  std::vector<std::string> others;    // members sampled only outside the loop, most samples first
  std::vector<std::string> not_met;   // members without samples in the recording, in declaration order
  std::string type;
  uint64_t bytes = 0;            // size of the type
  std::vector<LaidOut> members;  // all members, in declaration order

  bool operator==(const FieldOrder&) const = default;
};

// Counts the samples of the whole recording, of all events, in each member.
class MemberSamples {
 public:
  explicit MemberSamples(const profile::Profile& profile);

  // Returns the order for the type that contains `field` (a row of Profile::fields). `near` are the loop's
  // accesses near the field. Returns nullopt if the type has fewer than two members.
  [[nodiscard]] std::optional<FieldOrder> order_for(uint32_t field,
                                                    std::span<const symbol::NearAccess> near) const;

 private:
  const profile::Profile& profile_;
  std::map<uint32_t, std::vector<uint64_t>> by_type_;  // counts by member index, by type
};

}  // namespace hm::cause
