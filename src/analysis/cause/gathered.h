// SPDX-License-Identifier: MIT
// The samples of one place, as they are added up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analysis/cause/class_estimate.h"
#include "analysis/cause/place.h"
#include "analysis/cause/shape.h"
#include "profile/event_counts.h"
#include "profile/profile.h"

namespace hm::cause {

// A histogram of a quantity of samples; each sample has the weight of its period.
template <typename Value>
class Tally {
 public:
  void add(Value value, std::optional<uint64_t> period) {
    Count& count = counts_.try_emplace(value, Count{0, counts_.size()}).first->second;
    count.events += period.value_or(1);
  }
  // Returns the value with the most events, the smallest if several have as many; nullopt if none was added.
  [[nodiscard]] std::optional<Value> most() const {
    return most_by([](const auto& a, const auto& b) { return a.first < b.first; });
  }
  // Like most(), but returns the value that was added first if several have as many: for indices into the
  // profile's tables, whose order has no meaning.
  [[nodiscard]] std::optional<Value> first_of_most() const {
    return most_by([](const auto& a, const auto& b) { return a.second.order < b.second.order; });
  }
  [[nodiscard]] size_t size() const { return counts_.size(); }

 private:
  struct Count {
    uint64_t events = 0;
    size_t order = 0;  // number of other values that were added earlier
  };

  template <typename Before>
  [[nodiscard]] std::optional<Value> most_by(Before before) const {
    auto most = counts_.end();
    for (auto each = counts_.begin(); each != counts_.end(); ++each) {
      bool is_more = most == counts_.end() || each->second.events > most->second.events;
      if (is_more || (each->second.events == most->second.events && before(*each, *most))) most = each;
    }
    return most == counts_.end() ? std::nullopt : std::optional<Value>(most->first);
  }

  std::unordered_map<Value, Count> counts_;
};

// What part of the samples that tell say yes.
class Answers {
 public:
  void add(std::optional<uint64_t> answer, std::optional<uint64_t> period) {
    if (!answer) return;
    asked_.add(0, period);
    if (*answer != 0) yes_.add(period);
  }
  // nullopt where none tells.
  [[nodiscard]] std::optional<profile::Share> share() const { return asked_.share(0, yes_); }
  // As profile::EventTotals has it.
  void take_for_alike(double design_effect) { asked_.take_for_alike(design_effect); }

 private:
  profile::EventTotals asked_{1};
  profile::EventCount yes_;
};

// How many lines missed between two uses.
class ReuseTally {
 public:
  void add(const profile::Samples& samples, size_t sample);
  [[nodiscard]] std::optional<Reuse> median() const;

 private:
  std::map<std::pair<uint64_t, bool>, uint64_t> counts_;  // events, by lines and whether there were more
  uint64_t events_ = 0;
};

// What the software PMU's cost model adds to an access for its translation.
struct TranslationCost {
  double second_tlb = 0, page_walk = 0;  // cycles
};

class Gathered {
 public:
  // `classes`: of the level that the event is about; null: it is about none.
  void add(const profile::Profile& profile, size_t sample, const profile::Column* classes);

  [[nodiscard]] const profile::EventCount& count() const { return count_; }
  [[nodiscard]] const std::vector<uint32_t>& samples() const { return samples_; }
  // The location with the most events, of several the one that was sampled first.
  [[nodiscard]] uint32_t location() const { return locations_.first_of_most().value_or(0); }
  // The field that most events of the instruction at location() access; 0 if unknown.
  [[nodiscard]] uint32_t field() const;
  [[nodiscard]] uint64_t most_missed_line() const { return lines_.most().value_or(0); }
  // Whether most of its misses are for what other cores write: as the classes say, else the data sources.
  [[nodiscard]] bool is_shared() const;
  // The class of sharing by the bytes that were used on the line.
  [[nodiscard]] record::MissClass sharing(const profile::Profile& profile, const SharedLine& line) const;
  // As far as samples of hardware hold it.
  [[nodiscard]] Observed observed(const profile::Profile& profile) const;
  // In the mean, of the samples that say how their address was translated.
  [[nodiscard]] double translation_cycles(const TranslationCost& cost) const;
  // Of the instruction with the most samples, whose code it is.
  [[nodiscard]] Walk walk(const symbol::AddressFacts& code) const {
    auto found = steps_.find(location());
    std::span<const int64_t> steps;
    if (found != steps_.end()) steps = found->second;
    return walk_of(steps, code, kLineBytes);
  }

  // Share of the most frequent offset within a line among the events with an address; nullopt if none has
  // one.
  [[nodiscard]] std::optional<profile::Share> at_one_offset() const;

  // Of a recording in bursts, as profile::EventTotals has it.
  void take_for_alike(double design_effect);

  // Sets all of a place's members that samples alone tell.
  void describe(const profile::Profile& profile, Place& place) const;

 private:
  static constexpr uint32_t kClasses = 1 + static_cast<uint32_t>(record::kLastMissClass);

  void add_access(const profile::Samples& samples, size_t sample, std::optional<uint64_t> period);
  void add_source(uint64_t source, std::optional<uint64_t> period);
  void add_class(std::optional<uint64_t> miss_class, std::optional<uint64_t> period);
  void describe_classes(Place& place) const;
  void describe_levels(Place& place) const;
  void describe_objects(const profile::Profile& profile, std::vector<ObjectShare>& objects) const;

  profile::EventCount count_;
  std::vector<uint32_t> samples_;  // rows of Profile::samples
  Tally<uint32_t> locations_;
  Tally<uint64_t> access_bytes_;
  Tally<uint64_t> lines_;
  std::unordered_set<uint64_t> pages_;
  std::vector<uint64_t> addresses_;
  std::map<uint64_t, profile::EventCount> offsets_;  // of addresses in their lines
  profile::EventTotals addressed_{1};                // events with an address
  std::vector<size_t> shared_;                       // samples of lines that another core had
  profile::EventCount taken_, stores_;               // events: of `shared_`, and stores
  std::map<uint32_t, std::vector<int64_t>> steps_;   // by location
  profile::Latencies cycles_;
  std::map<uint64_t, profile::EventCount> sources_;  // by data source that says something
  profile::EventTotals levels_{1};                   // of these
  uint64_t unclassified_ = 0;
  Answers next_line_, huge_pages_, aliases_;
  ReuseTally reuse_;
  profile::EventTotals by_class_{kClasses};  // by MissClass
  profile::EventTotals classified_{1};
  profile::EventTotals all_{1};
  std::map<std::pair<uint32_t, uint32_t>, profile::EventCount> objects_;  // by object and field
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> fields_;              // events, by location and field
};

}  // namespace hm::cause
