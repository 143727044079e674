// SPDX-License-Identifier: MIT
#include "analysis/cause/cause.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "analysis/callers/caller_tree.h"
#include "analysis/cause/event_subject.h"
#include "analysis/cause/find_container.h"
#include "analysis/cause/gathered.h"
#include "base/json.h"
#include "profile/lookup.h"
#include "record/run_description.h"
#include "symbol/object_code.h"
#include "symbol/source_name.h"

namespace hm::cause {
namespace {

using record::MissClass;

// Returns the sample's miss class at the cache level that the event concerns, or nullopt if it concerns no
// cache. Of a wait for data, the class at the last level that missed: it had to hit for the wait to be
// shorter.
std::optional<uint64_t> class_of(std::string_view event, const profile::Samples& samples, size_t sample) {
  const std::array<const profile::Column*, 3> levels{&samples.l1_class, &samples.l2_class, &samples.l3_class};
  uint32_t level = cache_level_of(event);
  if (level == 0) return std::nullopt;
  if (event != "memory_wait") return levels[level - 1]->at(sample);
  std::optional<uint64_t> last;
  for (const profile::Column* each : levels) {
    std::optional<uint64_t> at_level = each->at(sample);
    if (at_level.value_or(0) != 0) last = at_level;
  }
  return last;
}

// Returns the cost model from the software PMU's run description.
std::optional<TranslationCost> cost_of(const profile::Profile& profile) {
  nlohmann::json run = record::run_description(profile.features);
  auto model = run.find("cost_model_cycles");
  if (model == run.end() || !model->is_object()) return std::nullopt;
  return TranslationCost{static_cast<double>(record::number_in(*model, "second_tlb")),
                         static_cast<double>(record::number_in(*model, "page_walk"))};
}

// The whole program's cycles by the software PMU's cost model; nullopt if they were not measured.
struct RunCycles {
  std::optional<double> all, waits;
  std::map<std::string, uint64_t> counted;  // events, by name
};

RunCycles run_cycles_of(const profile::Profile& profile) {
  profile::Origin origin = profile.origin();
  if (origin.has_few_bursts()) return {};
  bool runs = !origin.cycles && origin.cycles_so_far;
  const auto& totals = runs ? origin.totals_so_far : origin.totals;
  std::optional<uint64_t> cycles = runs ? origin.cycles_so_far : origin.cycles;
  RunCycles run{.counted = totals};
  if (cycles.value_or(0) != 0) run.all = static_cast<double>(*cycles);
  if (auto waits = totals.find("memory_wait"); waits != totals.end() && waits->second != 0)
    run.waits = static_cast<double>(waits->second);
  return run;
}

// Removes template arguments, parameters, and the type that a template function's name begins with.
std::string template_name(std::string_view function) {
  constexpr std::string_view kOperator = "operator";
  std::string name;
  int depth = 0;
  for (char each : function) {
    bool is_operator = depth == 0 && std::string_view(name).find(kOperator) != std::string_view::npos;
    if (depth == 0 && each == '(') break;
    if (each == '<' && !is_operator) ++depth;
    if (depth == 0) name += each;
    if (each == '>' && depth > 0) --depth;
  }
  bool has_type = name.find(kOperator) == std::string::npos && name.find(' ') != std::string::npos;
  return has_type ? name.substr(name.rfind(' ') + 1) : name;
}

class Analysis {
 public:
  Analysis(const profile::Profile& profile, const symbol::Resolver& resolver, const Options& options,
           profile::Filter filter)
      : profile_(profile),
        resolver_(resolver),
        options_(options),
        filter_(std::move(filter)),
        totals_(profile),
        frames_(profile, resolver, {.inlines = options.inlines, .lines = true}) {}

  Causes run() {
    std::vector<std::map<Key, Gathered>> by_event(profile_.events.size());
    for (size_t sample = 0; sample < profile_.samples.size(); ++sample) {
      if (!filter_.passes(profile_, sample)) continue;
      uint32_t event = profile_.samples.event[sample];
      std::optional<uint64_t> miss_class = class_of(profile_.events[event].name, profile_.samples, sample);
      by_event[event][key_of(profile_.samples.location[sample])].add(profile_, sample, miss_class);
      if (miss_class == static_cast<uint64_t>(MissClass::kNoHistory))
        totals_.add_to(no_history_, profile_, sample);
    }
    Causes causes;
    for (uint32_t event = 0; event < by_event.size(); ++event) {
      if (by_event[event].empty()) continue;
      causes.events.push_back(causes_of(event, by_event[event]));
      if (no_history_.counts[event].samples != 0)
        causes.events.back().no_history = totals_.share(event, no_history_);
    }
    causes.contested =
        find_contested_lines(profile_, filter_, options_.limit, options_.inlines ? &resolver_ : nullptr);
    return causes;
  }

 private:
  // Object file, source file, line or location, and function. Instances of a template are one place,
  // functions that a macro defines in one line are several.
  using Key = std::tuple<uint32_t, std::string, uint64_t, std::string>;

  const Key& key_of(uint32_t location) {
    auto [found, is_new] = keys_.try_emplace(location);
    if (is_new) {
      symbol::SourceLine line = options_.inlines ? line_at(profile_, resolver_, location)
                                                 : outer_line_at(profile_, resolver_, location);
      uint32_t dso = profile_.locations[location].dso;
      found->second =
          line.line != 0 ? Key(dso, line.file, line.line, template_at(location)) : Key(dso, "", location, "");
    }
    return found->second;
  }

  // Returns the name of the location's function without template arguments.
  [[nodiscard]] std::string template_at(uint32_t location) const {
    return template_name(symbol::source_name(function_at(location)));
  }

  [[nodiscard]] std::string function_at(uint32_t location) const {
    if (options_.inlines) return written_functions_at(profile_, resolver_, location).front().name;
    return profile_.functions[profile_.locations[location].function].name;
  }

  [[nodiscard]] std::vector<callers::Caller> callers_of(const Gathered& place) {
    constexpr double kMinShare = 0.05;
    callers::CallerTree tree(profile_, frames_, callers::RowKind::kPlace);
    for (uint32_t sample : place.samples()) tree.add(sample);
    return tree.callers(kMinShare);
  }

  EventCauses causes_of(uint32_t event, std::map<Key, Gathered>& places) {
    for (auto& [key, place] : places) place.take_for_alike(totals_.design_effect(event));
    const profile::EventCount& all = totals_.counts()[event];
    EventCauses causes{profile_.events[event].name, all.samples, all.estimated, {}, places.size()};
    std::vector<const std::pair<const Key, Gathered>*> order;
    order.reserve(places.size());
    for (const auto& entry : places) order.push_back(&entry);
    std::ranges::stable_sort(order, std::greater(),
                             [](const auto* entry) { return entry->second.count().weight(); });
    std::vector<Shown> shown;
    for (const auto* entry : order) {
      if (options_.limit != 0 && causes.places.size() == options_.limit) break;
      std::optional<profile::Share> share = totals_.share(event, entry->second.count());
      if (share && share->value < options_.min_share) break;
      shown.push_back({&entry->second, {}, false});
      causes.places.push_back(place_of(event, entry->first, shown.back()));
      causes.places.back().share = share;
    }
    describe_shared_lines(event, shown, causes.places);
    std::set<uint64_t> exchanged = exchanged_lines(causes.places);
    for (size_t i = 0; i < shown.size(); ++i) {
      HotLocation& place = causes.places[i];
      place.advice = advice_on(event, shown[i], place, exchanged);
      if (place.advice && place.advice->pattern == Pattern::kHotAndColdFields)
        place.order = order_for(shown[i]);
    }
    return causes;
  }

  // Evidence about a displayed place from its samples and its code.
  struct Shown {
    const Gathered* gathered;
    symbol::AddressFacts code;
    bool loads_dispatch = false;
  };

  // Counts the members on first use, because most recordings need no counts.
  [[nodiscard]] std::optional<FieldOrder> order_for(const Shown& shown) {
    if (!members_) members_.emplace(profile_);
    return members_->order_for(shown.gathered->field(), shown.code.near);
  }

  [[nodiscard]] std::optional<double> wait_of(uint32_t event, const Gathered& gathered,
                                              const HotLocation& place) const {
    if (is_wait(profile_.events[event].name)) return 1;
    if (!place.latency) return std::nullopt;
    double mean = static_cast<double>(place.latency->total) / static_cast<double>(place.latency->samples);
    if (!cost_) return mean;
    double translation = gathered.translation_cycles(*cost_);
    // Overlap may hide a part of the translation.
    return is_about_data_tlb(profile_.events[event].name) ? std::min(translation, mean)
                                                          : std::max(mean - translation, 0.0);
  }

  HotLocation place_of(uint32_t event, const Key& key, Shown& shown) {
    const profile::Location& location = profile_.locations[shown.gathered->location()];
    HotLocation place;
    place.physical_function = profile_.functions[location.function].name;
    place.function = function_at(shown.gathered->location());
    place.dso = profile_.dsos[location.dso].name();
    place.file = std::get<1>(key);
    if (!place.file.empty()) place.line = static_cast<uint32_t>(std::get<2>(key));
    place.address = location.address;
    shown.gathered->describe(profile_, place);
    if (!is_of_kernel(place)) place.wait_cycles = wait_of(event, *shown.gathered, place);
    describe_cycles(event, place);
    place.too_little = too_little(place);
    if (cost_) place.levels.clear();  // miss classes of the software PMU are more precise than data sources
    keep_answers_to(profile_.events[event].name, place);
    read_code(location, place.instruction, shown);
    if (is_about_code(profile_.events[event].name))
      shown.code = {
          .source = symbol::AddressSource::kUnknown};  // the operand's address is irrelevant for code misses
    place.walk = shown.gathered->walk(shown.code);
    place.coverage = coverage_of(shown.code, kLineBytes);
    place.callers = callers_of(*shown.gathered);
    place.estimate = estimate(event, shown);
    bool seems_shared = place.estimate && place.estimate->miss_class == MissClass::kSharing;
    if (place.samples >= options_.min_samples && (shown.gathered->is_shared() || seems_shared))
      place.shared_line = SharedLine{.address = shown.gathered->most_missed_line() * kLineBytes};
    return place;
  }

  [[nodiscard]] std::optional<CacheShape> cache_of_event(uint32_t event) const {
    return cache_of(profile_.events[event].name, profile_.features.caches);
  }

  [[nodiscard]] std::optional<ClassEstimate> estimate(uint32_t event, const Shown& shown) const {
    Observed observed = shown.gathered->observed(profile_);
    observed.step_bytes = shown.code.step_bytes;
    return estimate_class(observed, cache_of_event(event));
  }

  // Returns how many events of the run each sampled event stands for: more than one if the samples are from a
  // part of the run, as those that `top` keeps, or those before a full disk.
  [[nodiscard]] double events_per_sampled(uint32_t event) const {
    auto counted = run_.counted.find(profile_.events[event].name);
    uint64_t sampled = totals_.counts()[event].estimated.value_or(0);
    if (counted == run_.counted.end() || counted->second == 0 || sampled == 0) return 1;
    return static_cast<double>(counted->second) / static_cast<double>(sampled);
  }

  void describe_cycles(uint32_t number, HotLocation& place) const {
    if (!place.wait_cycles || !place.estimated) return;
    std::string_view event = profile_.events[number].name;
    double cycles = *place.wait_cycles * static_cast<double>(*place.estimated) * events_per_sampled(number);
    const auto share_of = [&](double all) { return std::min(cycles / all, 1.0); };
    bool waits_for_data = is_about_data_caches(event) || is_about_data_tlb(event);
    if (run_.all && (waits_for_data || is_wait(event))) place.cycles_share = share_of(*run_.all);
    if (run_.waits && waits_for_data) place.waits_share = share_of(*run_.waits);
  }

  [[nodiscard]] std::optional<TooLittle> too_little(const HotLocation& place) const {
    if (place.samples < options_.min_samples) return TooLittle::kSamples;
    if (place.waits_share && *place.waits_share < options_.min_waits) return TooLittle::kWaits;
    return std::nullopt;
  }

  // The program's loops and types do not decide in which order the kernel uses a buffer.
  static bool is_of_kernel(const HotLocation& place) {
    constexpr double kMost = 0.5;
    return place.by_kernel && place.by_kernel->value > kMost;
  }

  static bool exchanges(const HotLocation& place) {
    return place.instruction.find("xchg") != std::string::npos;
  }

  // Returns the addresses of shared lines that are targets of exchange instructions, as used by locks.
  static std::set<uint64_t> exchanged_lines(const std::vector<HotLocation>& places) {
    std::set<uint64_t> lines;
    for (const HotLocation& place : places) {
      if (place.shared_line && exchanges(place)) lines.insert(place.shared_line->address);
    }
    return lines;
  }

  // Lowers the gain's lower bound to 0 if the miss class is only an estimate.
  [[nodiscard]] std::optional<Advice> advice_on(uint32_t event, const Shown& shown, const HotLocation& place,
                                                const std::set<uint64_t>& exchanged) {
    if (place.too_little || is_of_kernel(place)) return std::nullopt;
    Evidence evidence = evidence_of(profile_.events[event].name, place);
    evidence.one_element = shown.gathered->at_one_offset();
    evidence.line_is_exchanged = place.shared_line && exchanged.contains(place.shared_line->address);
    std::optional<CacheShape> cache = cache_of_event(event);
    if (cache && cache->sets != 0 && place.walk.step_bytes) {
      evidence.lines_kept = cache->sets_of_stride(magnitude(*place.walk.step_bytes)) * cache->ways;
    }
    if (cache) evidence.cache_lines = cache->lines();
    if (place.reuse && !place.reuse->at_least) evidence.reuse_lines = place.reuse->lines;
    Gathered::Blocks blocks = shown.gathered->blocks();
    evidence.block_bytes = blocks.bytes;
    evidence.separate_blocks = blocks.separate;
    FoundContainer container = find_container(profile_, frames_, *shown.gathered);
    evidence.container = container.container;
    evidence.container_basis = container.basis;
    evidence.iterates = container.iterates;
    evidence.in_chain_of_table = shown.code.in_chain_of_table;
    evidence.loads_dispatch = shown.loads_dispatch;
    if (cache && place.reuse && !place.reuse->at_least)
      evidence.kept_by_chance = cache->part_kept_by_chance(place.reuse->lines);
    evidence.physical = cache_level_of(evidence.event) > 1 && !profile_.samples.physical_address.empty();
    evidence.copies_or_compares = is_string_function(place.physical_function);
    evidence.element_bytes = element_bytes(shown.gathered->field());
    uint64_t of_each = evidence.element_bytes;
    if (blocks.separate) of_each = std::max(of_each, blocks.bytes);
    if (of_each == 0 && place.walk.shape == Shape::kStrided)
      of_each = magnitude(place.walk.step_bytes.value_or(0));
    evidence.used_bytes =
        used_bytes(shown.code.near, of_each);  // includes accesses of several elements per iteration
    std::optional<Advice> advice = advise(evidence);
    if (place.classes.empty() && place.estimate && advice && advice->gain) advice->gain->low = 0;
    if (advice && advice->gain && place.cycles_share)
      advice->gain->of_cycles = advice->gain->high * *place.cycles_share;
    return advice;
  }

  // Fills in the shared lines that `places` name. A separate pass, because most recordings have no shared
  // lines, so that grouping all samples by line would be wasted.
  void describe_shared_lines(uint32_t event, const std::vector<Shown>& shown,
                             std::vector<HotLocation>& places) const {
    LineUses uses(kLineBytes);
    for (const HotLocation& place : places) {
      if (place.shared_line) uses.watch(place.shared_line->address / kLineBytes);
    }
    if (uses.empty()) return;
    for (size_t sample = 0; sample < profile_.samples.size(); ++sample) {
      if (profile_.samples.event[sample] == event && filter_.passes(profile_, sample))
        uses.add(profile_, sample);
    }
    for (size_t i = 0; i < places.size(); ++i) {
      HotLocation& place = places[i];
      if (!place.shared_line) continue;
      place.shared_line = uses.describe(profile_, place.shared_line->address / kLineBytes);
      if (place.estimate && place.estimate->miss_class == MissClass::kSharing)
        place.estimate->miss_class = shown[i].gathered->sharing(profile_, *place.shared_line);
    }
  }

  // Analyses the function's code for the instruction at `location`; `text` receives its disassembly.
  void read_code(const profile::Location& location, std::string& text, Shown& shown) const {
    const profile::FunctionRow& function = profile_.functions[location.function];
    const symbol::Object* object = object_of(profile_, resolver_, location.dso);
    if (object == nullptr || location.address - function.start >= function.size) return;
    Result<symbol::Instruction> instruction = symbol::instruction_at(*object, location.address);
    if (!instruction) return;
    text = instruction->text + profile::data_remark(*object, *instruction);
    Result<Bytes> code = symbol::x86_64_code(*object, function.start, function.size);
    if (!code) return;
    shown.code = symbol::address_facts(*code, function.start, location.address);
    shown.loads_dispatch = symbol::loads_dispatch_table(*code, function.start, location.address);
  }

  [[nodiscard]] uint64_t element_bytes(uint32_t field) const {
    return field == 0 ? 0 : profile_.types[profile_.fields[field].type].layout.size;
  }

  // Matches memcpy, strlen and similar functions, including variants such as "__memmove_avx_unaligned_erms".
  static bool is_string_function(std::string_view function) {
    constexpr std::string_view kNames[] = {"memcpy",     "mempcpy", "memmove", "memset",  "memcmp",
                                           "memchr",     "memrchr", "strlen",  "strnlen", "strcpy",
                                           "strncpy",    "stpcpy",  "strcat",  "strcmp",  "strncmp",
                                           "strcasecmp", "strchr",  "strrchr", "strstr"};
    function.remove_prefix(std::min(function.find_first_not_of('_'), function.size()));
    return std::ranges::find(kNames, function.substr(0, function.find('_'))) != std::end(kNames);
  }

  // Clears results that concern the TLB for cache events, and vice versa: an access that misses the TLB may
  // hit the cache.
  static void keep_answers_to(std::string_view event, HotLocation& place) {
    if (!is_about_data_tlb(event)) {
      place.huge_pages.reset();
    } else {
      place.next_line.reset();
      place.reuse.reset();
    }
  }

  static double& part_of(Evidence& evidence, MissClass miss_class) {
    switch (miss_class) {
      case MissClass::kCompulsory:
        return evidence.compulsory;
      case MissClass::kCapacity:
        return evidence.capacity;
      case MissClass::kConflict:
        return evidence.conflict;
      case MissClass::kTrueSharing:
        return evidence.true_sharing;
      case MissClass::kFalseSharing:
        return evidence.false_sharing;
      case MissClass::kOtherProgram:
        return evidence.other_program;
      case MissClass::kNoHistory:
        return evidence.no_history;
      default:
        return evidence.sharing;
    }
  }

  static Evidence evidence_of(std::string_view event, const HotLocation& place) {
    Evidence evidence{.event = event, .walk = place.walk, .access_bytes = place.access_bytes.value_or(0)};
    for (const ClassShare& each : place.classes) part_of(evidence, each.miss_class) = each.share.value;
    if (place.classes.empty() && place.estimate) part_of(evidence, place.estimate->miss_class) = 1;
    if (place.aliases) evidence.aliases = place.aliases->value;
    if (place.huge_pages) evidence.huge_pages = place.huge_pages->value;
    evidence.exchanges = exchanges(place);
    return evidence;
  }

  const profile::Profile& profile_;
  const symbol::Resolver& resolver_;
  const Options& options_;
  profile::Filter filter_;
  profile::EventTotals totals_;
  profile::ClusteredCounts no_history_{profile::EventCounts(profile_.events.size())};
  std::optional<TranslationCost> cost_ = cost_of(profile_);  // set for recordings of the software PMU
  RunCycles run_ = run_cycles_of(profile_);
  callers::FrameNumbers frames_;
  std::map<uint32_t, Key> keys_;  // by location
  std::optional<MemberSamples> members_;
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
    case MissClass::kOtherProgram:
      return "evicted by another program";
    case MissClass::kNoHistory:
      return "no history";
  }
  return "unknown";
}

Result<Causes> find_causes(const profile::Profile& profile, const symbol::Resolver& resolver,
                           const Options& options) {
  Result<profile::Filter> filter =
      profile::Filter::make(profile, options.filter, options.inlines ? &resolver : nullptr);
  if (!filter.ok()) return filter.error();
  return Analysis(profile, resolver, options, *std::move(filter)).run();
}

}  // namespace hm::cause
