// SPDX-License-Identifier: MIT
#include "analysis/cause/gathered.h"

#include <linux/perf_event.h>

#include <functional>
#include <string>
#include <tuple>

#include "profile/data_source.h"

namespace hm::cause {

using record::MissClass;

namespace {

// Puts rows with larger shares first; equal ones keep their order.
template <typename Row>
void sort_by_share(std::vector<Row>& rows) {
  std::ranges::stable_sort(rows, std::greater(), [](const Row& row) { return row.share.value; });
}

}  // namespace

void ReuseTally::add(const profile::Samples& samples, size_t sample) {
  std::optional<uint64_t> exact = samples.reuse_lines.at(sample);
  std::optional<uint64_t> least = samples.reuse_lines_at_least.at(sample);
  if (!exact && !least) return;
  uint64_t events = samples.events_of(sample);
  counts_[{exact ? *exact : *least, !exact}] += events;
  events_ += events;
}

std::optional<Reuse> ReuseTally::median() const {
  uint64_t before = 0;
  for (const auto& [reuse, events] : counts_) {
    before += events;
    if (2 * before >= events_) return Reuse{reuse.first, reuse.second};
  }
  return std::nullopt;
}

void Gathered::add(const profile::Profile& profile, size_t sample, std::optional<uint64_t> miss_class) {
  const profile::Samples& samples = profile.samples;
  std::optional<uint64_t> period = samples.period.at(sample);
  count_.add(period);
  samples_.push_back(static_cast<uint32_t>(sample));
  all_.add(0, period);
  locations_.add(samples.location[sample], samples.events_of(sample));
  add_access(samples, sample, period);
  if (!samples.object.empty()) {
    objects_[{samples.object[sample], samples.field[sample]}].add(period);
    fields_[{samples.location[sample], samples.field[sample]}] += samples.events_of(sample);
  }
  add_class(miss_class, period);
  next_line_.add(samples.next_line_hits.at(sample), period);
  if (std::optional<uint64_t> replay = samples.load_replay.at(sample))
    aliases_.add(*replay == static_cast<uint64_t>(record::LoadReplay::kAlias) ? 1 : 0, period);
  huge_pages_.add(samples.huge_page_hits.at(sample), period);
  by_kernel_.add(samples.by_kernel.at(sample).value_or(0), period);
  reuse_.add(samples, sample);
}

void Gathered::add_access(const profile::Samples& samples, size_t sample, std::optional<uint64_t> period) {
  if (std::optional<uint64_t> address = samples.address.at(sample); address && *address != 0) {
    addresses_.push_back(*address);
    offsets_[*address % kLineBytes].add(period);
    addressed_.add(0, period);
    lines_.add(*address / kLineBytes, samples.events_of(sample));
    pages_.insert(*address / kPageBytes);
  }
  if (std::optional<uint64_t> bytes = samples.access_bytes.at(sample))
    access_bytes_.add(*bytes, samples.events_of(sample));
  if (std::optional<uint64_t> block = samples.heap_start.at(sample)) {
    blocks_[*block] += samples.events_of(sample);
    block_bytes_.add(samples.heap_bytes.at(sample).value_or(0), samples.events_of(sample));
  }
  cycles_.add(samples.latency_cycles.at(sample), period);
  if (std::optional<uint64_t> source = samples.data_source.at(sample)) {
    if (profile::has_access_kind(*source)) add_source(*source, period);
    perf_mem_data_src met{};
    met.val = *source;
    // A locked access takes the line from the core that holds it, whether modified or not.
    bool taken = (met.mem_snoop & PERF_MEM_SNOOP_HIT) != 0 && (met.mem_lock & PERF_MEM_LOCK_LOCKED) != 0;
    if ((met.mem_snoop & PERF_MEM_SNOOP_HITM) != 0 || taken) {
      shared_.push_back(sample);
      taken_.add(period);
    }
    if ((met.mem_op & PERF_MEM_OP_STORE) != 0) stores_.add(period);
  }
  for (const profile::Column& column : samples.step_bytes) {
    if (std::optional<uint64_t> step = column.at(sample))
      steps_[samples.location[sample]].push_back(static_cast<int64_t>(*step));
  }
}

void Gathered::take_for_alike(double design_effect) {
  for (Answers* each : {&next_line_, &huge_pages_, &aliases_, &by_kernel_})
    each->take_for_alike(design_effect);
  for (profile::EventTotals* each : {&classified_, &all_}) each->take_for_alike(design_effect);
}

void Gathered::add_class(std::optional<uint64_t> miss_class, std::optional<uint64_t> period) {
  if (!miss_class || *miss_class == 0 || *miss_class >= kClasses) {
    ++unclassified_;
    return;
  }
  by_class_.add(static_cast<uint32_t>(*miss_class), period);
  classified_.add(0, period);
}

uint32_t Gathered::field() const {
  uint32_t field = 0;
  uint64_t most = 0;
  uint32_t here = location();
  for (auto i = fields_.lower_bound({here, 0}); i != fields_.end() && i->first.first == here; ++i) {
    if (i->second <= most) continue;
    most = i->second;
    field = i->first.second;
  }
  return field;
}

bool Gathered::is_shared() const {
  uint64_t shared = 0, all = 0;
  for (uint32_t i = 1; i < kClasses; ++i) {
    uint64_t events = by_class_.counts()[i].weight();
    all += events;
    bool is_sharing = i >= static_cast<uint32_t>(MissClass::kTrueSharing) &&
                      i <= static_cast<uint32_t>(MissClass::kSharing);
    if (is_sharing) shared += events;
  }
  if (all == 0) return !shared_.empty() && 2 * taken_.weight() >= count_.weight();
  return shared != 0 && 2 * shared >= all;
}

MissClass Gathered::sharing(const profile::Profile& profile, const SharedLine& line) const {
  LineUses own(kLineBytes);
  own.watch(line.address / kLineBytes);
  for (size_t sample : shared_) own.add(profile, sample);
  return sharing_of(own.describe(profile, line.address / kLineBytes), line);
}

Observed Gathered::observed(const profile::Profile& profile) const {
  Observed place{
      .addresses = addresses_,
      .events = static_cast<double>(count_.estimated.value_or(0)),
      .modified_elsewhere = static_cast<double>(taken_.weight()) / static_cast<double>(count_.weight()),
      .stores = 2 * stores_.weight() > count_.weight()};
  std::map<profile::ObjectKind, uint64_t> kinds;
  for (const auto& [what, count] : objects_) kinds[profile.objects[what.first].kind] += count.weight();
  auto most = std::ranges::max_element(kinds, {}, [](const auto& entry) { return entry.second; });
  if (most != kinds.end()) place.memory = most->first;
  return place;
}

std::optional<profile::Share> Gathered::at_one_offset() const {
  if (addresses_.empty()) return std::nullopt;
  auto by_weight = [](const auto& entry) { return entry.second.weight(); };
  return addressed_.share(0, std::ranges::max_element(offsets_, {}, by_weight)->second);
}

Gathered::Blocks Gathered::blocks() const {
  uint64_t all = 0, most = 0;
  for (const auto& [start, events] : blocks_) {
    all += events;
    most = std::max(most, events);
  }
  return {block_bytes_.most().value_or(0), 2 * all >= count_.weight() && 2 * most <= all && all != 0};
}

void Gathered::describe(const profile::Profile& profile, HotLocation& place) const {
  place.samples = count_.samples;
  place.estimated = count_.estimated;
  place.access_bytes = access_bytes_.most();
  place.latency = cycles_.describe();
  place.lines = lines_.size();
  place.pages = pages_.size();
  place.aliases = aliases_.share();
  place.next_line = next_line_.share();
  place.huge_pages = huge_pages_.share();
  if (auto by_kernel = by_kernel_.share(); by_kernel && by_kernel->value > 0) place.by_kernel = by_kernel;
  place.reuse = reuse_.median();
  if (place.reuse && !profile.features.caches.empty())
    place.reuse->line_bytes = profile.features.caches.front().line_bytes;
  describe_classes(place);
  describe_levels(place);
  describe_objects(profile, place.objects);
}

void Gathered::describe_classes(HotLocation& place) const {
  place.unclassified = unclassified_;
  for (uint32_t i = 0; i < kClasses; ++i) {
    const profile::EventCount& part = by_class_.counts()[i];
    if (part.samples == 0) continue;
    profile::Share share = classified_.share(0, part).value_or(profile::Share{});
    place.classes.push_back({static_cast<MissClass>(i), part.samples, share});
  }
  sort_by_share(place.classes);
}

void Gathered::add_source(uint64_t source, std::optional<uint64_t> period) {
  sources_[source].add(period);
  levels_.add(0, period);
}

void Gathered::describe_levels(HotLocation& place) const {
  std::map<std::string, profile::EventCount> by_level;
  for (const auto& [source, count] : sources_) by_level[profile::level_of(source)].add(count);
  for (const auto& [level, count] : by_level)
    place.levels.push_back({level, count.samples, levels_.share(0, count).value_or(profile::Share{})});
  sort_by_share(place.levels);
}

double Gathered::translation_cycles(const TranslationCost& cost) const {
  double cycles = 0, all = 0;
  for (const auto& [value, events] : sources_) {
    perf_mem_data_src source{};
    source.val = value;
    auto count = static_cast<double>(events.weight());
    bool missed = (source.mem_dtlb & PERF_MEM_TLB_MISS) != 0;
    bool second = (source.mem_dtlb & PERF_MEM_TLB_L2) != 0;
    cycles += count * (missed ? cost.page_walk : second ? cost.second_tlb : 0);
    all += count;
  }
  return all == 0 ? 0 : cycles / all;
}

void Gathered::describe_objects(const profile::Profile& profile, std::vector<ObjectShare>& objects) const {
  constexpr size_t kMost = 3;
  bool none_is_known =
      std::ranges::all_of(objects_, [](const auto& entry) { return entry.first.first == 0; });
  if (none_is_known) return;
  // Sums up the elements of an array, which are separate fields with equal names.
  std::map<std::pair<uint32_t, std::string>, profile::EventCount> by_name;
  for (const auto& [what, count] : objects_)
    by_name[{what.first, what.second == 0 ? "" : profile.fields[what.second].text}].add(count);
  for (const auto& [what, count] : by_name) {
    profile::Share share = all_.share(0, count).value_or(profile::Share{});
    objects.push_back({profile.object_text(what.first), what.second, count.samples, share});
  }
  // Recordings of one run may number their objects differently, so names break ties.
  std::ranges::sort(objects, {}, [](const ObjectShare& row) { return std::tie(row.object, row.field); });
  sort_by_share(objects);
  objects.resize(std::min(objects.size(), kMost));
}

}  // namespace hm::cause
