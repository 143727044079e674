// SPDX-License-Identifier: MIT
#include "analysis/cause/cause.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "symbol/disassembly.h"

namespace hm::cause {
namespace {

using record::MissClass;

constexpr uint64_t kLineBytes = 64;
constexpr uint64_t kPageBytes = 4096;

// Of the classes of the caches' levels, the one that an event is about; null where it is about none.
const profile::Column* classes_of(std::string_view event, const profile::Samples& samples) {
  if (event == "l2_cache_miss" || event == "shared_line_hit") return &samples.l2_class;
  if (event == "l3_cache_miss") return &samples.l3_class;
  constexpr std::array<std::string_view, 6> kOfFirstLevel{"l1_cache_miss",   "l1_store_miss",
                                                          "split_load_miss", "split_store_miss",
                                                          "icache_miss",     "split_fetch_miss"};
  return std::ranges::find(kOfFirstLevel, event) != kOfFirstLevel.end() ? &samples.l1_class : nullptr;
}

// Adds up numbers that samples have, by value.
template <typename Value>
class Tally {
 public:
  void add(Value value) { ++counts_[value]; }
  [[nodiscard]] std::optional<Value> most() const {
    auto most = std::ranges::max_element(counts_, {}, [](const auto& entry) { return entry.second; });
    if (most == counts_.end()) return std::nullopt;
    return most->first;
  }
  [[nodiscard]] size_t size() const { return counts_.size(); }

 private:
  std::map<Value, uint64_t> counts_;
};

// A place in the making.
class Gathered {
 public:
  void add(const profile::Profile& profile, size_t sample, const profile::Column* classes) {
    const profile::Samples& samples = profile.samples;
    std::optional<uint64_t> period = samples.period.at(sample);
    count_.add(period);
    locations_.add(samples.location[sample]);
    if (std::optional<uint64_t> address = samples.address.at(sample); address && *address != 0) {
      lines_.add(*address / kLineBytes);
      pages_.insert(*address / kPageBytes);
    }
    if (std::optional<uint64_t> bytes = samples.access_bytes.at(sample)) access_bytes_.add(*bytes);
    if (std::optional<uint64_t> cycles = samples.latency_cycles.at(sample)) {
      latency_sum_ += static_cast<double>(*cycles);
      ++latencies_;
    }
    for (const profile::Column& column : samples.step_bytes) {
      if (std::optional<uint64_t> step = column.at(sample)) steps_.push_back(static_cast<int64_t>(*step));
    }
    if (!samples.object.empty()) objects_[{samples.object[sample], samples.field[sample]}].add(period);
    all_.add(0, period);
    add_class(classes == nullptr ? std::nullopt : classes->at(sample), period);
  }

  [[nodiscard]] const profile::EventCount& count() const { return count_; }
  // The one with the most samples.
  [[nodiscard]] uint32_t location() const { return locations_.most().value_or(0); }

  void describe(const profile::Profile& profile, Place& place) const {
    place.samples = count_.samples;
    place.estimated = count_.estimated;
    place.access_bytes = access_bytes_.most();
    if (latencies_ != 0) place.latency_cycles = latency_sum_ / static_cast<double>(latencies_);
    place.lines = lines_.size();
    place.pages = pages_.size();
    place.unclassified = unclassified_;
    for (uint32_t i = 0; i < kClasses; ++i) {
      const profile::EventCount& part = by_class_.counts()[i];
      if (part.samples != 0)
        place.classes.push_back({static_cast<MissClass>(i), part.samples, share_of_class(part)});
    }
    std::ranges::stable_sort(place.classes, std::greater(), &ClassShare::samples);
    describe_objects(profile, place.objects);
  }

  // The type that most samples lie in, as far as known: 0 is unknown.
  [[nodiscard]] uint32_t field() const {
    auto most =
        std::ranges::max_element(objects_, {}, [](const auto& entry) { return entry.second.samples; });
    return most == objects_.end() ? 0 : most->first.second;
  }

  [[nodiscard]] uint64_t most_missed_line() const { return lines_.most().value_or(0); }
  // Whether most of its misses are for what other cores write.
  [[nodiscard]] bool is_shared() const {
    uint64_t shared = 0, all = 0;
    for (uint32_t i = 1; i < kClasses; ++i) {
      uint64_t samples = by_class_.counts()[i].samples;
      all += samples;
      if (i >= static_cast<uint32_t>(MissClass::kTrueSharing)) shared += samples;
    }
    return shared != 0 && 2 * shared >= all;
  }

  [[nodiscard]] Walk walk(symbol::AddressSource source) const { return walk_of(steps_, source, kLineBytes); }

 private:
  static constexpr uint32_t kClasses = 1 + static_cast<uint32_t>(MissClass::kSharing);

  void describe_objects(const profile::Profile& profile, std::vector<ObjectShare>& objects) const {
    constexpr size_t kMost = 3;
    bool none_is_known =
        std::ranges::all_of(objects_, [](const auto& entry) { return entry.first.first == 0; });
    if (none_is_known) return;
    for (const auto& [what, count] : objects_) {
      const auto& [object, field] = what;
      profile::Share share = all_.share(0, count).value_or(profile::Share{});
      objects.push_back(
          {profile.object_text(object), field == 0 ? "" : profile.fields[field].text, count.samples, share});
    }
    std::ranges::stable_sort(objects, std::greater(), &ObjectShare::samples);
    objects.resize(std::min(objects.size(), kMost));
  }

  void add_class(std::optional<uint64_t> miss_class, std::optional<uint64_t> period) {
    if (!miss_class || *miss_class == 0 || *miss_class >= kClasses) {
      ++unclassified_;
      return;
    }
    by_class_.add(static_cast<uint32_t>(*miss_class), period);
    classified_.add(0, period);
  }

  [[nodiscard]] profile::Share share_of_class(const profile::EventCount& part) const {
    return classified_.share(0, part).value_or(profile::Share{});
  }

  profile::EventCount count_;
  Tally<uint32_t> locations_;
  Tally<uint64_t> access_bytes_;
  Tally<uint64_t> lines_;
  std::set<uint64_t> pages_;
  std::vector<int64_t> steps_;
  double latency_sum_ = 0;
  uint64_t latencies_ = 0;
  uint64_t unclassified_ = 0;
  profile::EventTotals by_class_{kClasses};  // by MissClass
  profile::EventTotals classified_{1};
  profile::EventTotals all_{1};
  std::map<std::pair<uint32_t, uint32_t>, profile::EventCount> objects_;  // by object and field
};

class Analysis {
 public:
  Analysis(const profile::Profile& profile, const Options& options, profile::Filter filter)
      : profile_(profile), options_(options), filter_(std::move(filter)), totals_(profile) {}

  Causes run() {
    std::vector<std::map<Key, Gathered>> by_event(profile_.events.size());
    for (size_t sample = 0; sample < profile_.samples.size(); ++sample) {
      if (!filter_.passes(profile_, sample)) continue;
      uint32_t event = profile_.samples.event[sample];
      by_event[event][key_of(profile_.samples.location[sample])].add(
          profile_, sample, classes_of(profile_.events[event].name, profile_.samples));
    }
    Causes causes;
    for (uint32_t event = 0; event < by_event.size(); ++event) {
      if (by_event[event].empty()) continue;
      causes.events.push_back(causes_of(event, by_event[event]));
      describe_shared_lines(event, causes.events.back().places);
    }
    return causes;
  }

 private:
  // Object, file and line; where there is no line, object and place.
  using Key = std::tuple<uint32_t, std::string, uint64_t>;

  const Key& key_of(uint32_t location) {
    auto [found, is_new] = keys_.try_emplace(location);
    if (is_new) {
      symbol::SourceLine line = profile_.innermost_line(location);
      uint32_t dso = profile_.locations[location].dso;
      found->second = line.line != 0 ? Key(dso, line.file, line.line) : Key(dso, "", location);
    }
    return found->second;
  }

  EventCauses causes_of(uint32_t event, const std::map<Key, Gathered>& places) {
    const profile::EventCount& all = totals_.counts()[event];
    EventCauses causes{profile_.events[event].name, all.samples, all.estimated, {}, places.size()};
    std::vector<const std::pair<const Key, Gathered>*> order;
    order.reserve(places.size());
    for (const auto& entry : places) order.push_back(&entry);
    std::ranges::stable_sort(order, std::greater(),
                             [](const auto* entry) { return entry->second.count().weight(); });
    for (const auto* entry : order) {
      if (options_.limit != 0 && causes.places.size() == options_.limit) break;
      std::optional<profile::Share> share = totals_.share(event, entry->second.count());
      if (share && share->value < options_.min_share) break;
      causes.places.push_back(place_of(event, entry->first, entry->second, share));
    }
    return causes;
  }

  Place place_of(uint32_t event, const Key& key, const Gathered& gathered,
                 std::optional<profile::Share> share) {
    const profile::Location& location = profile_.locations[gathered.location()];
    Place place;
    place.function = profile_.functions[location.function].name;
    place.dso = profile_.dsos[location.dso].name();
    place.file = std::get<1>(key);
    if (!place.file.empty()) place.line = static_cast<uint32_t>(std::get<2>(key));
    place.address = location.address;
    place.share = share;
    gathered.describe(profile_, place);
    symbol::AddressFacts code = read_code(location, place.instruction);
    place.walk = gathered.walk(code.source);
    if (place.samples < options_.min_samples) return place;
    Evidence evidence = evidence_of(profile_.events[event].name, place);
    evidence.element_bytes = element_bytes(gathered.field());
    evidence.used_bytes = used_bytes(code.near, evidence.element_bytes);
    place.advice = advise(evidence);
    if (gathered.is_shared())
      place.shared_line = SharedLine{.address = gathered.most_missed_line() * kLineBytes};
    return place;
  }

  // Of the few lines that places have named: most recordings have none, so that samples are not gathered by
  // line before.
  void describe_shared_lines(uint32_t event, std::vector<Place>& places) const {
    LineUses uses(kLineBytes);
    for (const Place& place : places) {
      if (place.shared_line) uses.watch(place.shared_line->address / kLineBytes);
    }
    if (uses.empty()) return;
    for (size_t sample = 0; sample < profile_.samples.size(); ++sample) {
      if (profile_.samples.event[sample] == event && filter_.passes(profile_, sample))
        uses.add(profile_, sample);
    }
    for (Place& place : places) {
      if (place.shared_line)
        place.shared_line = uses.describe(profile_, place.shared_line->address / kLineBytes);
    }
  }

  // What the function's code says of the instruction there, whose text it is.
  symbol::AddressFacts read_code(const profile::Location& location, std::string& text) const {
    const profile::FunctionRow& function = profile_.functions[location.function];
    symbol::Dso* object = profile_.object(location.dso);
    if (object == nullptr || function.size == 0) return {};
    Result<Bytes> code = object->code(function.start, function.size);
    uint64_t offset = location.address - function.start;
    if (!code.ok() || offset >= code->size()) return {};
    constexpr size_t kLongestInstruction = 15;
    Bytes instruction = code->subspan(offset, std::min(kLongestInstruction, code->size() - offset));
    text = symbol::disassemble(instruction, location.address).front().text;
    return symbol::address_facts(*code, function.start, location.address);
  }

  [[nodiscard]] uint64_t element_bytes(uint32_t field) const {
    return field == 0 ? 0 : profile_.types[profile_.fields[field].type].layout.size;
  }

  // How many bytes of an element a loop uses, also where it does several elements at once.
  static uint64_t used_bytes(const std::vector<symbol::NearAccess>& near, uint64_t element_bytes) {
    constexpr uint64_t kLargest = 4096;
    if (element_bytes == 0 || element_bytes > kLargest) return 0;
    std::vector<bool> used(element_bytes);
    auto size = static_cast<int64_t>(element_bytes);
    for (const symbol::NearAccess& access : near) {
      for (int64_t i = 0; i < std::min<int64_t>(access.bytes, size); ++i)
        used[static_cast<uint64_t>(((access.offset + i) % size + size) % size)] = true;
    }
    return static_cast<uint64_t>(std::ranges::count(used, true));
  }

  static Evidence evidence_of(std::string_view event, const Place& place) {
    Evidence evidence{.event = event, .walk = place.walk, .access_bytes = place.access_bytes.value_or(0)};
    for (const ClassShare& each : place.classes) {
      if (each.miss_class == MissClass::kCompulsory) evidence.compulsory = each.share.value;
      if (each.miss_class == MissClass::kCapacity) evidence.capacity = each.share.value;
      if (each.miss_class == MissClass::kConflict) evidence.conflict = each.share.value;
      if (each.miss_class == MissClass::kFalseSharing) evidence.false_sharing = each.share.value;
      if (each.miss_class == MissClass::kTrueSharing) evidence.true_sharing = each.share.value;
      if (each.miss_class == MissClass::kSharing) evidence.sharing = each.share.value;
    }
    evidence.exchanges = place.instruction.find("xchg") != std::string::npos;
    return evidence;
  }

  const profile::Profile& profile_;
  const Options& options_;
  profile::Filter filter_;
  profile::EventTotals totals_;
  std::map<uint32_t, Key> keys_;  // by location
};

}  // namespace

std::string_view name_of(MissClass miss_class) {
  switch (miss_class) {
    case MissClass::kNone:
      return "unknown";
    case MissClass::kCompulsory:
      return "compulsory";
    case MissClass::kCapacity:
      return "capacity";
    case MissClass::kConflict:
      return "conflict";
    case MissClass::kTrueSharing:
      return "true sharing";
    case MissClass::kFalseSharing:
      return "false sharing";
    case MissClass::kSharing:
      return "sharing";
  }
  return "unknown";
}

Result<Causes> find_causes(const profile::Profile& profile, const Options& options) {
  Result<profile::Filter> filter = profile::Filter::make(profile, options.filter);
  if (!filter.ok()) return filter.error();
  return Analysis(profile, options, *std::move(filter)).run();
}

}  // namespace hm::cause
