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

// The type's own members, each named once.
struct FieldOrder {
  std::vector<std::string> together;  // that the loop uses, the most sampled first
  std::vector<std::string> others;    // that were sampled elsewhere, likewise
  std::vector<std::string> not_met;   // in no sample of the recording, as declared

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
