// SPDX-License-Identifier: MIT
#include "analysis/annotate/annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "profile/lookup.h"
#include "symbol/name_in_file.h"
#include "symbol/object_code.h"

namespace hm::annotate {
namespace {

using profile::EventCounts;
// Samples of one address, instruction or line.
struct Gathered {
  EventCounts counts;
  profile::Latencies cycles;  // empty if latencies are not requested

  explicit Gathered(size_t events) : counts(events) {}
  void add(const Gathered& part) {
    for (size_t event = 0; event < counts.size(); ++event) counts[event].add(part.counts[event]);
    cycles.add(part.cycles);
  }
};
using ByAddress = std::map<uint64_t, Gathered>;
using ByLine = std::map<std::pair<std::string, uint32_t>, Gathered>;

class Analysis {
 public:
  Analysis(const profile::Profile& profile, const symbol::Resolver& resolver, const Options& options,
           profile::Filter filter)
      : profile_(profile),
        resolver_(resolver),
        options_(options),
        filter_(std::move(filter)),
        inside_(profile.events.size()) {
    for (uint32_t event = 0; event < profile.events.size(); ++event) {
      if (filter_.passes_event(event)) events_.push_back(event);
    }
  }

  Result<Annotation> run() {
    std::optional<uint32_t> function = hottest_function();
    if (!function)
      return make_error(
          ErrorCode::kNotFound,
          "no sample passes the filters; hardmeter report lists the functions that have samples");
    collect(*function);
    describe(*function);
    add_instructions();
    add_lines();
    add_moved_sources();
    add_doubtful_sources();
    return std::move(result_);
  }

 private:
  // Returns the function with the most samples. If the filter names a function, also lists the other matches.
  std::optional<uint32_t> hottest_function() {
    std::map<uint32_t, EventCounts> counts;
    for (size_t i = 0; i < profile_.samples.size(); ++i) {
      if (!filter_.passes(profile_, i)) continue;
      uint32_t function = profile_.locations[profile_.samples.location[i]].function;
      EventCounts& of_function = counts.try_emplace(function, profile_.events.size()).first->second;
      of_function[profile_.samples.event[i]].add(profile_.samples.period.at(i));
    }
    auto hottest = std::ranges::max_element(
        counts, [&](const auto& a, const auto& b) { return hotter(b.second, a.second); });
    if (hottest == counts.end()) return std::nullopt;
    if (options_.filter.function) list_others(counts, hottest->first);
    return hottest->first;
  }

  void list_others(const std::map<uint32_t, EventCounts>& counts, uint32_t shown) {
    for (const auto& [function, events] : counts) {
      if (function == shown) continue;
      const profile::FunctionRow& row = profile_.functions[function];
      OtherFunction other{row.name, {}, std::string(profile_.dsos[row.dso].name()), 0};
      for (uint32_t event : events_) other.samples += events[event].samples;
      result_.others.push_back(std::move(other));
    }
    name_files(counts, shown);
    std::ranges::stable_sort(result_.others, std::greater(), &OtherFunction::samples);
  }

  // `functions` has the shown function, and the others in the order of result_.others.
  void name_files(const std::map<uint32_t, EventCounts>& functions, uint32_t shown) {
    std::vector<profile::FunctionFiles> all;
    size_t shown_index = 0;
    for (const auto& [function, counts] : functions) {
      if (function == shown) shown_index = all.size();
      all.push_back(files_of(function));
    }
    std::vector<std::string> files = profile::distinct_files(all);
    const std::set<std::string> paths(files.begin(), files.end());
    shown_file_ = files[shown_index];
    shown_short_file_ = symbol::short_file(shown_file_, paths);
    files.erase(files.begin() + static_cast<ptrdiff_t>(shown_index));
    for (size_t i = 0; i < files.size(); ++i) {
      result_.others[i].file = files[i];
      result_.others[i].short_file = symbol::short_file(files[i], paths);
    }
  }

  // Returns the source files of the function with a symbol, by the first of its locations.
  [[nodiscard]] profile::FunctionFiles files_of(uint32_t function) const {
    auto location = std::ranges::find(profile_.locations, function, &profile::Location::function);
    if (location == profile_.locations.end()) return {};
    auto index = static_cast<uint32_t>(location - profile_.locations.begin());
    return profile::files_of_function(profile_, resolver_, index);
  }

  // Returns true if `a` has more of the first event; later events break ties.
  bool hotter(const EventCounts& a, const EventCounts& b) const {
    for (uint32_t event : events_) {
      if (a[event].weight() != b[event].weight()) return a[event].weight() > b[event].weight();
    }
    return false;
  }

  void collect(uint32_t function) {
    for (size_t i = 0; i < profile_.samples.size(); ++i) {
      const profile::Location& location = profile_.locations[profile_.samples.location[i]];
      if (location.function != function || !filter_.passes(profile_, i)) continue;
      Gathered& here = by_address_.try_emplace(location.address, profile_.events.size()).first->second;
      here.counts[profile_.samples.event[i]].add(profile_.samples.period.at(i));
      inside_.add(profile_.samples.event[i], profile_.samples.period.at(i));
      if (options_.latencies)
        here.cycles.add(profile_.samples.latency_cycles.at(i), profile_.samples.period.at(i));
    }
  }

  void describe(uint32_t function) {
    const profile::FunctionRow& row = profile_.functions[function];
    object_ = object_of(profile_, resolver_, row.dso);
    build_id_ = profile_.dsos[row.dso].build_id;
    result_.function = row.name;
    result_.inlined = inlined_into(function);
    if (std::ranges::find(result_.others, row.name, &OtherFunction::function) != result_.others.end()) {
      result_.file = shown_file_;
      result_.short_file = shown_short_file_;
    }
    result_.dso = profile_.dsos[row.dso].name();
    result_.start = row.start;
    result_.size = row.size;
    result_.latencies = options_.latencies;
    profile::EventTotals all(profile_);
    for (uint32_t event : events_) {
      const profile::EventCount& count = inside_.counts()[event];
      result_.events.push_back(
          {profile_.events[event].name, count.samples, count.estimated, all.share(event, count)});
    }
  }

  // Returns the inlined function that the filter names, by the first of its samples in the function.
  [[nodiscard]] std::string inlined_into(uint32_t function) const {
    const std::optional<std::string>& wanted = options_.filter.function;
    if (!wanted || profile::may_name(*wanted, profile_.functions[function].name)) return {};
    std::vector<bool> seen(profile_.locations.size());
    for (uint32_t location : profile_.samples.location) {
      if (profile_.locations[location].function != function || seen[location]) continue;
      seen[location] = true;
      for (const symbol::Frame& frame : frames_at(profile_, resolver_, location)) {
        if (frame.inlined && profile::may_name(*wanted, frame.function)) return frame.function;
      }
    }
    return {};
  }

  std::vector<Count> to_counts(const EventCounts& counts) const {
    std::vector<Count> shown;
    for (uint32_t event : events_) {
      shown.push_back({counts[event].samples, counts[event].estimated, inside_.share(event, counts[event])});
    }
    return shown;
  }

  symbol::SourceLine line_of(uint64_t address) const {
    if (object_ == nullptr) return {};
    if (options_.inlines) return object_->line_at(address);
    std::optional<uint64_t> offset = object_->offset_of(address);
    if (!offset) return {};
    symbol::Frame function = object_->frames_at(*offset).back();
    return {std::move(function.file), function.line};
  }

  Result<std::vector<symbol::Instruction>> instructions() const {
    if (object_ == nullptr) return make_error(ErrorCode::kNotFound, "the code is in no mapped file");
    return symbol::instructions_of(*object_, result_.start, result_.size, options_.syntax);
  }

  void add_instructions() {
    Result<std::vector<symbol::Instruction>> found = instructions();
    if (!found.ok()) {
      result_.no_code = found.error().message;
      for (const auto& [address, samples] : by_address_) add_instruction(address, "", samples);
      return;
    }
    for (const symbol::Instruction& instruction : *found) {
      uint64_t end = instruction.address + instruction.length;
      Gathered samples(profile_.events.size());
      auto to = by_address_.lower_bound(end);
      for (auto at = by_address_.lower_bound(instruction.address); at != to; ++at) samples.add(at->second);
      add_instruction(
          instruction.address,
          instruction.text + target_name(instruction) + profile::data_remark(*object_, instruction), samples);
    }
  }

  // Returns " <name>" for a call or jump that leaves this function, else "".
  std::string target_name(const symbol::Instruction& instruction) const {
    bool inside = !instruction.target || *instruction.target - result_.start < result_.size;
    std::string target = inside ? std::string() : object_->symbol_at(*instruction.target);
    return target.empty() ? target : " <" + target + ">";
  }

  void add_instruction(uint64_t address, std::string text, const Gathered& samples) {
    symbol::SourceLine place = line_of(address);
    result_.instructions.push_back({address, std::move(text), std::move(place.file), place.line,
                                    to_counts(samples.counts), samples.cycles.describe()});
  }

  void add_context(ByLine& by_line) const {
    std::vector<std::pair<std::string, uint32_t>> around;
    for (const auto& [place, gathered] : by_line) {
      uint32_t before = std::min(options_.context, place.second);
      for (uint32_t i = 0; place.second != 0 && i <= before + options_.context; ++i)
        around.emplace_back(place.first, place.second - before + i);
    }
    for (auto& place : around) {
      if (by_line.contains(place) || !resolver_.source_text(place.first, place.second, build_id_)) continue;
      by_line.try_emplace(std::move(place), profile_.events.size());
    }
  }

  void add_lines() {
    ByLine by_line;
    for (const auto& [address, samples] : by_address_) {
      symbol::SourceLine place = line_of(address);
      std::pair key(place.line == 0 ? "" : std::move(place.file), place.line);
      by_line.try_emplace(std::move(key), profile_.events.size()).first->second.add(samples);
    }
    add_context(by_line);
    std::vector<const ByLine::value_type*> order;
    for (const auto& entry : by_line) order.push_back(&entry);
    std::ranges::stable_sort(
        order, [&](const auto* a, const auto* b) { return hotter(a->second.counts, b->second.counts); });
    for (const auto* entry : order) {
      const auto& [file, line] = entry->first;
      result_.lines.push_back({file, line, resolver_.source_text(file, line, build_id_),
                               to_counts(entry->second.counts), entry->second.cycles.describe()});
    }
  }

  void add_moved_sources() {
    std::set<std::string> files;
    for (const Line& line : result_.lines) {
      if (line.file.empty() || !files.insert(line.file).second) continue;
      std::optional<symbol::SourceFile> here = resolver_.source_file(line.file, build_id_);
      if (here && here->path != line.file)
        result_.moved_sources.push_back({line.file, here->path, here->guessed});
    }
  }

  // The hottest lines come first.
  void add_doubtful_sources() {
    std::set<std::string> files;
    for (const Line& line : result_.lines) {
      if (line.line == 0 || line.file.empty() || !files.insert(line.file).second) continue;
      if (std::string problem = problem_of(line); !problem.empty())
        result_.doubtful_sources.push_back({line.file, std::move(problem)});
    }
  }

  // `line` is the first of its file.
  [[nodiscard]] std::string problem_of(const Line& line) const {
    std::optional<symbol::SourceFile> here = resolver_.source_file(line.file, build_id_);
    if (!here) return "not found on this machine (--source-map FROM=TO)";
    if (!resolver_.source_text(line.file, 1, build_id_)) return "cannot be read";
    if (!line.source) return fmt::format("has no line {} here, so it is another version", line.line);
    std::optional<int64_t> built = object_ == nullptr ? std::nullopt : object_->modified_s();
    bool is_newer = built && here->modified_s > *built;
    return is_newer ? "is newer than the program, so the lines may be others" : "";
  }

  const profile::Profile& profile_;
  const symbol::Resolver& resolver_;
  const Options& options_;
  profile::Filter filter_;
  profile::EventTotals inside_;
  std::vector<uint32_t> events_;
  ByAddress by_address_;
  const symbol::Object* object_ = nullptr;
  std::string build_id_;                       // of the function's object
  std::string shown_file_, shown_short_file_;  // of the function, if the filter names one
  Annotation result_;
};

}  // namespace

Result<Annotation> annotate(const profile::Profile& profile, const symbol::Resolver& resolver,
                            const Options& options) {
  Result<profile::Filter> filter =
      profile::Filter::make(profile, options.filter, options.inlines ? &resolver : nullptr);
  if (!filter.ok()) return filter.error();
  return Analysis(profile, resolver, options, *std::move(filter)).run();
}

}  // namespace hm::annotate
