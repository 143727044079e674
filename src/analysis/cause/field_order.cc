// SPDX-License-Identifier: MIT
#include "analysis/cause/field_order.h"

#include <algorithm>

namespace hm::cause {
namespace {

using Members = std::vector<symbol::TypeMember>;

// Marks the members that overlap [from, from + bytes) of an element. `marked` has one flag per member.
void mark(const Members& members, int64_t from, uint64_t bytes, std::vector<bool>& marked) {
  auto end = from + static_cast<int64_t>(std::max<uint64_t>(bytes, 1));
  for (size_t i = 0; i < members.size(); ++i) {
    auto first = static_cast<int64_t>(members[i].offset);
    auto last = first + static_cast<int64_t>(std::max<uint64_t>(members[i].size, 1));
    if (from < last && first < end) marked[i] = true;
  }
}

std::string name_of(const symbol::TypeMember& member) {
  return member.name.empty() ? "(" + member.type + ")" : member.name;
}

}  // namespace

MemberSamples::MemberSamples(const profile::Profile& profile) : profile_(profile) {
  std::map<uint32_t, uint64_t> by_field;
  for (uint32_t field : profile.samples.field) ++by_field[field];
  for (const auto& [field, samples] : by_field) {
    if (field == 0) continue;
    const profile::FieldRow& row = profile.fields[field];
    const Members& members = profile.types[row.type].layout.members;
    std::vector<uint64_t>& counts = by_type_[row.type];
    counts.resize(members.size());
    std::vector<bool> met(members.size());
    mark(members, static_cast<int64_t>(row.offset), 1, met);
    for (size_t i = 0; i < met.size(); ++i) counts[i] += met[i] ? samples : 0;
  }
}

std::optional<FieldOrder> MemberSamples::order_for(uint32_t field,
                                                   std::span<const symbol::NearAccess> near) const {
  const profile::FieldRow& row = profile_.fields[field];
  const symbol::TypeLayout& layout = profile_.types[row.type].layout;
  auto counts = by_type_.find(row.type);
  if (layout.members.size() < 2 || layout.size == 0 || counts == by_type_.end()) return std::nullopt;
  auto size = static_cast<int64_t>(layout.size);
  std::vector<bool> used(layout.members.size());
  for (const symbol::NearAccess& access : near) {
    int64_t from = (static_cast<int64_t>(row.offset) + access.offset) % size;
    if (from < 0) from += size;
    mark(layout.members, from, access.bytes, used);
    mark(layout.members, from - size, access.bytes, used);  // part that runs into the next element
  }
  std::vector<size_t> order;
  for (size_t i = 0; i < used.size(); ++i) order.push_back(i);
  std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return counts->second[i]; });
  FieldOrder found;
  found.type = layout.name;
  found.bytes = layout.size;
  for (const symbol::TypeMember& member : layout.members)
    found.members.push_back({name_of(member), member.offset, member.size});
  for (size_t i : order) {
    std::vector<std::string>& part = used[i]                  ? found.together
                                     : counts->second[i] != 0 ? found.others
                                                              : found.not_met;
    part.push_back(name_of(layout.members[i]));
  }
  return found;
}

}  // namespace hm::cause
