// SPDX-License-Identifier: MIT
#include "view/exports/callgrind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "view/exports/stacks.h"
#include "view/exports/text.h"

namespace hm::exports {
namespace {

using Costs = std::vector<uint64_t>;  // by index of the exported event

struct CallCost {
  uint64_t samples = 0;
  Costs costs;
};

// Costs of one location itself, and of its calls by the row of the called function.
struct PlaceCost {
  Costs self;
  std::map<uint32_t, CallCost> calls;
};

void add_cost(Costs& costs, size_t column, uint64_t weight, size_t columns) {
  costs.resize(columns);
  costs[column] += weight;
}

// Costs by location.
class CostTable {
 public:
  explicit CostTable(const Selection& selection) : selection_(selection), events_(events_of(selection)) {
    Stacks stacks(selection);
    Weights weights(selection);
    std::vector<size_t> column(selection.profile.events.size());
    for (size_t i = 0; i < events_.size(); ++i) column[events_[i]] = i;
    total_.resize(events_.size());
    for (size_t sample : selection.samples)
      add(stacks.locations_of(sample), column[selection.profile.samples.event[sample]], weights.of(sample));
  }

  [[nodiscard]] const std::vector<uint32_t>& events() const { return events_; }
  [[nodiscard]] const std::map<uint32_t, PlaceCost>& places() const { return places_; }
  [[nodiscard]] const Costs& total() const { return total_; }

 private:
  // A call that is in the chain several times costs the sample only once.
  void add(const std::vector<uint32_t>& locations, size_t column, uint64_t weight) {
    total_[column] += weight;
    add_cost(places_[locations.front()].self, column, weight, events_.size());
    std::set<std::pair<uint32_t, uint32_t>> seen;
    for (size_t i = 1; i < locations.size(); ++i) {
      uint32_t callee = selection_.profile.locations[locations[i - 1]].function;
      bool calls_itself = selection_.profile.locations[locations[i]].function == callee;
      if (calls_itself || !seen.insert({locations[i], callee}).second) continue;
      CallCost& call = places_[locations[i]].calls[callee];
      ++call.samples;
      add_cost(call.costs, column, weight, events_.size());
    }
  }

  Selection selection_;
  std::vector<uint32_t> events_;
  std::map<uint32_t, PlaceCost> places_;
  Costs total_;
};

// Names of one kind. Each name is spelled out at its first use, "(3) name", and then abbreviated, "(3)". The
// number in front makes names that look like a number unambiguous.
class CompressedNames {
 public:
  std::string of(std::string_view name) {
    auto [found, is_new] = numbers_.try_emplace(std::string(name), numbers_.size() + 1);
    if (!is_new) return fmt::format("({})", found->second);
    return fmt::format("({}) {}", found->second, name.empty() ? "???" : one_line(name));
  }

 private:
  std::map<std::string, size_t> numbers_;
};

// Converts an event name to a word of letters, digits and underscores. The recorded name is in the line that
// describes the event.
std::string event_word(std::string_view name, const std::vector<std::string>& taken) {
  std::string word(name);
  std::ranges::replace_if(
      word, [](unsigned char each) { return std::isalnum(each) == 0; }, '_');
  if (word.empty() || std::isdigit(static_cast<unsigned char>(word.front())) != 0) word.insert(0, "_");
  while (std::ranges::find(taken, word) != taken.end()) word += '_';
  return word;
}

class CallgrindFile {
 public:
  CallgrindFile(const Selection& selection, const Write& write)
      : profile_(selection.profile), stacks_(selection), costs_(selection), pieces_(write) {}

  Status write_all() {
    add_head();
    for (const auto& [location, cost] : costs_.places())
      locations_of_[profile_.locations[location].function].push_back(location);
    for (const auto& [function, locations] : locations_of_) add_function(function, locations);
    return pieces_.finish();
  }

 private:
  void add_head() {
    pieces_ << "# callgrind format\nversion: 1\ncreator: hardmeter\n";
    std::string command = fmt::format("{}", fmt::join(profile_.origin().command, " "));
    if (!command.empty()) pieces_ << fmt::format("cmd: {}\n", one_line(command));
    pieces_ << "positions: instr line\n";
    std::vector<std::string> words;
    for (uint32_t event : costs_.events()) {
      const std::string& name = profile_.events[event].name;
      words.push_back(event_word(name, words));
      pieces_ << fmt::format("event: {} : {}\n", words.back(), one_line(name));
    }
    pieces_ << fmt::format("events: {}\nsummary: {}\n", fmt::join(words, " "),
                           fmt::join(costs_.total(), " "));
  }

  // Returns the function's source file, taken from its first location that has costs.
  [[nodiscard]] const std::string& file_of(uint32_t function) {
    return stacks_.at(locations_of_.at(function).front()).back().file;
  }

  void add_function(uint32_t function, const std::vector<uint32_t>& locations) {
    const profile::FunctionRow& row = profile_.functions[function];
    std::string file = file_of(function);
    pieces_ << fmt::format("\nob={}\n", objects_.of(profile_.dsos[row.dso].path))
            << fmt::format("fl={}\n", files_.of(file)) << fmt::format("fn={}\n", functions_.of(row.name));
    for (uint32_t location : locations) {
      const Frame& inner = stacks_.at(location).front();
      if (inner.file != file) pieces_ << fmt::format("fi={}\n", files_.of(inner.file));
      file = inner.file;
      add_place(location, inner.line);
    }
  }

  void add_place(uint32_t location, uint32_t line) {
    const PlaceCost& cost = costs_.places().at(location);
    std::string place = fmt::format("{:#x} {}", profile_.locations[location].address, line);
    if (!cost.self.empty()) pieces_ << fmt::format("{} {}\n", place, fmt::join(cost.self, " "));
    for (const auto& [function, call] : cost.calls) add_call(place, function, call);
  }

  void add_call(const std::string& place, uint32_t function, const CallCost& call) {
    const profile::FunctionRow& row = profile_.functions[function];
    pieces_ << fmt::format("cob={}\n", objects_.of(profile_.dsos[row.dso].path))
            << fmt::format("cfi={}\n", files_.of(file_of(function)))
            << fmt::format("cfn={}\n", functions_.of(row.name))
            << fmt::format("calls={} {:#x} 0\n{} {}\n", call.samples, row.start, place,
                           fmt::join(call.costs, " "));
  }

  const profile::Profile& profile_;
  Stacks stacks_;
  CostTable costs_;
  Pieces pieces_;
  CompressedNames objects_, files_, functions_;
  std::map<uint32_t, std::vector<uint32_t>> locations_of_;  // locations that have costs, by function
};

}  // namespace

Status write_callgrind(const Selection& selection, const Write& write) {
  return CallgrindFile(selection, write).write_all();
}

}  // namespace hm::exports
