// SPDX-License-Identifier: MIT
#include "analysis/cause/shared_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "record/extension.h"

namespace hm::cause {

void LineUses::add(const profile::Profile& profile, size_t sample) {
  using record::AccessKind;
  const profile::Samples& samples = profile.samples;
  std::optional<uint64_t> address = samples.address.at(sample);
  auto line = lines_.find(address.value_or(0) / line_bytes_);
  if (!address || *address == 0 || line == lines_.end()) return;
  auto kind = static_cast<AccessKind>(samples.access_kind.at(sample).value_or(0));
  bool writes = kind == AccessKind::kStore || kind == AccessKind::kReadModifyWrite;
  bool has_object = !samples.object.empty();
  User user(samples.thread[sample], *address % line_bytes_, samples.access_bytes.at(sample).value_or(0),
            has_object ? samples.object[sample] : 0, has_object ? samples.field[sample] : 0, writes);
  ++line->second[user];
}

SharedLine LineUses::describe(const profile::Profile& profile, uint64_t line) const {
  SharedLine described{line * line_bytes_, 0, {}};
  auto found = lines_.find(line);
  if (found == lines_.end()) return described;
  for (const auto& [user, samples] : found->second) {
    const auto& [thread, offset, bytes, object, field, writes] = user;
    const profile::Thread& who = profile.threads[thread];
    described.samples += samples;
    described.users.push_back({fmt::format("{} {}", who.comm, who.tid), offset, bytes,
                               object == 0 ? "" : profile.object_text(object),
                               field == 0 ? "" : profile.fields[field].text, writes, samples});
  }
  std::ranges::stable_sort(described.users, std::greater(), &LineUser::samples);
  return described;
}

}  // namespace hm::cause
