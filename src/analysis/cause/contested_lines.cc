// SPDX-License-Identifier: MIT
#include "analysis/cause/contested_lines.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profile/lookup.h"

namespace hm::cause {
namespace {

bool is_of_accesses(std::string_view event) { return event == "memory_loads" || event == "memory_stores"; }

// Identifies a line in all processes that map it: the memory (shared memory or process ID) and the line in
// it.
using LineKey = std::pair<uint64_t, uint64_t>;

LineKey key_of(const profile::Profile& profile, size_t sample, uint64_t address) {
  if (std::optional<uint64_t> shared = profile.samples.shared_address.at(sample))
    return {UINT64_MAX, *shared / kLineBytes};
  return {profile.threads[profile.samples.thread[sample]].pid, address / kLineBytes};
}

// Samples of one line, in order of time.
struct Uses {
  std::vector<size_t> samples;
  uint32_t first_thread = 0;
  bool by_several = false;
  bool written = false;
};

// Accesses within one window.
class Window {
 public:
  void add(uint32_t thread, uint64_t accesses, bool writes) {
    by_thread_[thread] += accesses;
    all_ += accesses;
    if (writes) written_ += accesses;
  }
  // Each write transfers the line to the writer, and afterwards each other thread fetches it back at most
  // once.
  [[nodiscard]] uint64_t max_handovers() const {
    uint64_t most = 0;
    for (const auto& [thread, accesses] : by_thread_) most = std::max(most, accesses);
    uint64_t by_turns = std::min(all_, 2 * (all_ - most));
    return std::min(by_turns, written_ * by_thread_.size());
  }

 private:
  std::map<uint32_t, uint64_t> by_thread_;
  uint64_t all_ = 0;
  uint64_t written_ = 0;
};

class Search {
 public:
  Search(const profile::Profile& profile, const profile::Filter& filter, const symbol::Resolver* inlines)
      : profile_(profile), filter_(filter), inlines_(inlines) {}

  ContestedLines run(size_t limit) {
    gather();
    ContestedLines found;
    found.accesses_sampled = sampled_;
    std::vector<std::pair<uint64_t, const Uses*>> order;
    for (const auto& [key, uses] : lines_) {
      if (!uses.by_several || !uses.written) continue;
      if (uint64_t handovers = max_handovers(uses); handovers != 0) order.emplace_back(handovers, &uses);
    }
    std::ranges::sort(order, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second->samples.front() < b.second->samples.front();
    });
    found.all = order.size();
    if (limit != 0) order.resize(std::min(order.size(), limit));
    for (const auto& [handovers, uses] : order) found.lines.push_back(describe(*uses, handovers));
    return found;
  }

 private:
  void gather() {
    std::vector<bool> wanted;
    for (const profile::Event& event : profile_.events) wanted.push_back(is_of_accesses(event.name));
    // Requires both events, because otherwise threads that only read or only write would be missing.
    if (std::ranges::count(wanted, true) < 2) return;
    const profile::Samples& samples = profile_.samples;
    for (size_t i = 0; i < samples.size(); ++i) {
      if (!wanted[samples.event[i]] || !filter_.passes(profile_, i)) continue;
      std::optional<uint64_t> address = samples.address.at(i);
      if (!address || *address == 0) continue;
      ++sampled_;
      Uses& uses = lines_[key_of(profile_, i, *address)];
      if (uses.samples.empty()) uses.first_thread = samples.thread[i];
      uses.by_several |= samples.thread[i] != uses.first_thread;
      uses.written |= writes(samples, i);
      uses.samples.push_back(i);
    }
  }

  [[nodiscard]] uint64_t max_handovers(const Uses& uses) const {
    std::map<uint64_t, Window> windows;
    for (size_t sample : uses.samples) {
      uint64_t window = profile_.samples.time_ns.at(sample).value_or(0) / kContestWindowNs;
      windows[window].add(profile_.samples.thread[sample], profile_.samples.events_of(sample),
                          writes(profile_.samples, sample));
    }
    uint64_t sum = 0;
    for (const auto& [time, window] : windows) sum += window.max_handovers();
    return sum;
  }

  [[nodiscard]] ContestedLine describe(const Uses& uses, uint64_t handovers) const {
    ContestedLine line;
    line.max_handovers = handovers;
    LineTally tally(kLineBytes);
    std::map<std::string, uint64_t> functions;
    uint64_t written = 0;
    for (size_t sample : uses.samples) {
      tally.add(profile_, sample);
      uint64_t accesses = profile_.samples.events_of(sample);
      line.accesses += accesses;
      if (writes(profile_.samples, sample)) written += accesses;
      functions[function_at(profile_.samples.location[sample])] += accesses;
    }
    uint64_t address = profile_.samples.address.at(uses.samples.front()).value_or(0);
    line.line = tally.describe(profile_, address / kLineBytes);
    line.sharing = sharing_of(line.line, line.line);
    line.written = line.accesses == 0 ? 0 : static_cast<double>(written) / static_cast<double>(line.accesses);
    line.functions = most_used(functions);
    return line;
  }

  [[nodiscard]] std::string function_at(uint32_t location) const {
    if (inlines_ != nullptr) return written_functions_at(profile_, *inlines_, location).front().name;
    return profile_.functions[profile_.locations[location].function].name;
  }

  static std::vector<std::string> most_used(const std::map<std::string, uint64_t>& functions) {
    constexpr size_t kMost = 3;
    std::vector<std::pair<uint64_t, std::string>> order;
    order.reserve(functions.size());
    for (const auto& [name, accesses] : functions) order.emplace_back(accesses, name);
    std::ranges::sort(order, std::greater());
    std::vector<std::string> names;
    for (size_t i = 0; i < order.size() && i < kMost; ++i) names.push_back(order[i].second);
    return names;
  }

  const profile::Profile& profile_;
  const profile::Filter& filter_;
  const symbol::Resolver* inlines_;
  uint64_t sampled_ = 0;
  std::map<LineKey, Uses> lines_;
};

}  // namespace

ContestedLines find_contested_lines(const profile::Profile& profile, const profile::Filter& filter,
                                    size_t limit, const symbol::Resolver* inlines) {
  return Search(profile, filter, inlines).run(limit);
}

}  // namespace hm::cause
