// SPDX-License-Identifier: MIT
// Accumulates the samples of one place.
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
#include "analysis/cause/hot_location.h"
#include "analysis/cause/shape.h"
#include "profile/event_counts.h"
#include "profile/profile.h"

namespace hm::cause {

// A histogram of a quantity of samples; each sample has the weight of its period.
template <typename Value>
class Tally {
 public:
  void add(Value value, uint64_t events) {
    Count& count = counts_.try_emplace(value, Count{0, counts_.size()}).first->second;
    count.events += events;
  }
  // Returns the value with the most events; the smallest value breaks ties. Returns nullopt if none was
  // added.
  [[nodiscard]] std::optional<Value> most() const {
    return most_by([](const auto& a, const auto& b) { return a.first < b.first; });
  }
  // Like most(), but the first value added breaks ties. Meant for indices into the profile's tables.
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

// Fraction of samples with a non-zero flag, among the samples that have the flag.
class Answers {
 public:
  void add(std::optional<uint64_t> answer, std::optional<uint64_t> period) {
    if (!answer) return;
    asked_.add(0, period);
    if (*answer != 0) yes_.add(period);
  }
  // Returns nullopt if no sample has the flag.
  [[nodiscard]] std::optional<profile::Share> share() const { return asked_.share(0, yes_); }
  // Sets the design effect of burst sampling, as profile::EventTotals does.
  void take_for_alike(double design_effect) { asked_.take_for_alike(design_effect); }

 private:
  profile::EventTotals asked_{1};
  profile::EventCount yes_;
};

// Distribution of the number of lines that missed between two uses of a line.
class ReuseTally {
 public:
  void add(const profile::Samples& samples, size_t sample);
  [[nodiscard]] std::optional<Reuse> median() const;

 private:
  std::map<std::pair<uint64_t, bool>, uint64_t> counts_;  // events; the flag marks lower bounds
  uint64_t events_ = 0;
};

// Cost of address translation per access in the software PMU's cost model.
struct TranslationCost {
  double second_tlb = 0, page_walk = 0;  // cycles
};

class Gathered {
 public:
  // `miss_class`: at the cache level that the event concerns; nullopt if it is unknown.
  void add(const profile::Profile& profile, size_t sample, std::optional<uint64_t> miss_class);

  [[nodiscard]] const profile::EventCount& count() const { return count_; }
  [[nodiscard]] const std::vector<uint32_t>& samples() const { return samples_; }
  // Returns the location with the most events; the first sampled location breaks ties.
  [[nodiscard]] uint32_t location() const { return locations_.first_of_most().value_or(0); }
  // Returns the field that most events of the instruction at location() access; 0 if unknown.
  [[nodiscard]] uint32_t field() const;
  [[nodiscard]] uint64_t most_missed_line() const { return lines_.most().value_or(0); }
  // Returns true if sharing causes at least half of the misses, by miss class or, without classes, by data
  // source.
  [[nodiscard]] bool is_shared() const;
  // Returns the sharing class, derived from the bytes of the line that each thread uses.
  [[nodiscard]] record::MissClass sharing(const profile::Profile& profile, const SharedLine& line) const;
  // Returns the evidence that hardware samples contain.
  [[nodiscard]] Observed observed(const profile::Profile& profile) const;
  // Returns the mean translation cost in cycles, over the samples with access information.
  [[nodiscard]] double translation_cycles(const TranslationCost& cost) const;
  // Returns the walk of the instruction with the most samples; `code` must describe this instruction.
  [[nodiscard]] Walk walk(const symbol::AddressFacts& code) const {
    auto found = steps_.find(location());
    std::span<const int64_t> steps;
    if (found != steps_.end()) steps = found->second;
    return walk_of(steps, code, kLineBytes);
  }

  // Returns the share of the events with the most common offset within their lines; nullopt without
  // addresses.
  [[nodiscard]] std::optional<profile::Share> at_one_offset() const;

  // The heap blocks that most misses fall into.
  struct Blocks {
    uint64_t bytes = 0;     // most common size; 0: unknown
    bool separate = false;  // the most missed block has at most half of the misses, and most are in blocks
  };
  [[nodiscard]] Blocks blocks() const;

  // Sets the design effect of a recording in bursts, as profile::EventTotals does.
  void take_for_alike(double design_effect);

  // Sets all members of `place` that depend on the samples only.
  void describe(const profile::Profile& profile, HotLocation& place) const;

 private:
  static constexpr uint32_t kClasses = 1 + static_cast<uint32_t>(record::kLastMissClass);

  void add_access(const profile::Samples& samples, size_t sample, std::optional<uint64_t> period);
  void add_source(uint64_t source, std::optional<uint64_t> period);
  void add_class(std::optional<uint64_t> miss_class, std::optional<uint64_t> period);
  void describe_classes(HotLocation& place) const;
  void describe_levels(HotLocation& place) const;
  void describe_objects(const profile::Profile& profile, std::vector<ObjectShare>& objects) const;

  profile::EventCount count_;
  std::vector<uint32_t> samples_;  // rows of Profile::samples
  Tally<uint32_t> locations_;
  Tally<uint64_t> access_bytes_;
  Tally<uint64_t> lines_;
  std::unordered_set<uint64_t> pages_;
  std::unordered_map<uint64_t, uint64_t> blocks_;  // events by the start of the heap block
  Tally<uint64_t> block_bytes_;
  std::vector<uint64_t> addresses_;
  std::map<uint64_t, profile::EventCount> offsets_;  // of addresses in their lines
  profile::EventTotals addressed_{1};                // events with an address
  std::vector<size_t> shared_;                       // samples of lines that another core held
  profile::EventCount taken_, stores_;               // events of `shared_`; events of stores
  std::map<uint32_t, std::vector<int64_t>> steps_;   // by location
  profile::Latencies cycles_;
  std::map<uint64_t, profile::EventCount> sources_;  // by data source; only sources with access information
  profile::EventTotals levels_{1};                   // totals of sources_
  uint64_t unclassified_ = 0;
  Answers next_line_, huge_pages_, aliases_, by_kernel_;
  ReuseTally reuse_;
  profile::EventTotals by_class_{kClasses};  // by MissClass
  profile::EventTotals classified_{1};
  profile::EventTotals all_{1};
  std::map<std::pair<uint32_t, uint32_t>, profile::EventCount> objects_;  // by object and field
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> fields_;              // events, by location and field
};

}  // namespace hm::cause
