// SPDX-License-Identifier: MIT
#include "analysis/cause/shared_line.h"

#include <fmt/format.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <span>

#include "record/extension.h"

namespace hm::cause {

namespace {

bool overlap(const LineUser& a, const LineUser& b) {
  return a.offset < b.offset + std::max<uint64_t>(b.bytes, 1) &&
         b.offset < a.offset + std::max<uint64_t>(a.bytes, 1);
}

}  // namespace

bool writes(const profile::Samples& samples, size_t sample) {
  using record::AccessKind;
  if (std::optional<uint64_t> kind = samples.access_kind.at(sample))
    return *kind == static_cast<uint64_t>(AccessKind::kStore) ||
           *kind == static_cast<uint64_t>(AccessKind::kReadModifyWrite);
  perf_mem_data_src source{};
  source.val = samples.data_source.at(sample).value_or(0);
  return (source.mem_op & PERF_MEM_OP_STORE) != 0;
}

record::MissClass sharing_of(const SharedLine& own, const SharedLine& all) {
  constexpr size_t kMost = 200;  // users are sorted, most events first
  double same = 0, others = 0;
  for (const LineUser& one : std::span(own.users).first(std::min(own.users.size(), kMost))) {
    for (const LineUser& other : std::span(all.users).first(std::min(all.users.size(), kMost))) {
      if (one.thread == other.thread || (!one.writes && !other.writes)) continue;
      (overlap(one, other) ? same : others) +=
          static_cast<double>(one.events) * static_cast<double>(other.events);
    }
  }
  if (same + others == 0) return record::MissClass::kSharing;
  return same > others ? record::MissClass::kTrueSharing : record::MissClass::kFalseSharing;
}

void LineTally::add(const profile::Profile& profile, size_t sample) {
  const profile::Samples& samples = profile.samples;
  bool has_object = !samples.object.empty();
  User user(samples.thread[sample], samples.address.at(sample).value_or(0) % line_bytes_,
            samples.access_bytes.at(sample).value_or(0), has_object ? samples.object[sample] : 0,
            has_object ? samples.field[sample] : 0, writes(samples, sample));
  counts_[user].add(samples.period.at(sample));
}

SharedLine LineTally::describe(const profile::Profile& profile, uint64_t line) const {
  SharedLine described{line * line_bytes_, 0, 0, {}};
  for (const auto& [user, count] : counts_) {
    const auto& [thread, offset, bytes, object, field, writes_there] = user;
    const profile::Thread& who = profile.threads[thread];
    described.samples += count.samples;
    described.events += count.weight();
    described.users.push_back({fmt::format("{} {}", who.comm, who.tid), offset, bytes,
                               object == 0 ? "" : profile.object_text(object),
                               field == 0 ? "" : profile.fields[field].text, writes_there, count.samples,
                               count.weight()});
  }
  std::ranges::stable_sort(described.users, std::greater(), &LineUser::events);
  return described;
}

void LineUses::add(const profile::Profile& profile, size_t sample) {
  std::optional<uint64_t> address = profile.samples.address.at(sample);
  auto line = lines_.find(address.value_or(0) / line_bytes_);
  if (address && *address != 0 && line != lines_.end()) line->second.add(profile, sample);
}

SharedLine LineUses::describe(const profile::Profile& profile, uint64_t line) const {
  auto found = lines_.find(line);
  return found == lines_.end() ? SharedLine{line * line_bytes_, 0, 0, {}}
                               : found->second.describe(profile, line);
}

}  // namespace hm::cause
