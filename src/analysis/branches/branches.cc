// SPDX-License-Identifier: MIT
#include "analysis/branches/branches.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "profile/relative_periods.h"

namespace hm::branches {
namespace {

// Accumulates one row; `first` is the branch that supplies the row's source and target.
struct Group {
  const profile::Branch* first = nullptr;
  uint64_t entries = 0;
  uint64_t mispredicted = 0;
  uint64_t predicted = 0;
  // The same, each entry with its sample's weight.
  double weight = 0, mispredicted_weight = 0, known_weight = 0, timed_weight = 0, cycles = 0;

  void add(const record::BranchEntry& entry, double by) {
    ++entries;
    weight += by;
    mispredicted += entry.mispredicted ? 1 : 0;
    predicted += entry.predicted ? 1 : 0;
    mispredicted_weight += entry.mispredicted ? by : 0;
    known_weight += entry.mispredicted || entry.predicted ? by : 0;
    timed_weight += entry.cycles > 0 ? by : 0;
    cycles += by * entry.cycles;
  }
};

bool is_call_stack(const profile::Event& event) {
  return record::is_call_stack(event.attr.branch_sample_type);
}

class Analysis {
 public:
  Analysis(const profile::Profile& profile, const Options& options, profile::Filter filter)
      : profile_(profile), options_(options), filter_(std::move(filter)), periods_(profile) {}

  Branches run() {
    const profile::Samples& samples = profile_.samples;
    for (size_t sample = 0; sample < samples.size(); ++sample) {
      profile::Slice slice = samples.branches_of(sample);
      if (slice.count == 0 || !filter_.passes(profile_, sample)) continue;
      if (is_call_stack(profile_.events[samples.event[sample]])) continue;
      ++result_.samples;
      for (const profile::Branch& branch : std::span(samples.branches).subspan(slice.offset, slice.count))
        add(branch, periods_.of(sample));
    }
    finish();
    return std::move(result_);
  }

 private:
  // Returns the group key of a location: branches with equal keys share a row.
  [[nodiscard]] uint32_t number_of(uint32_t location) const {
    return options_.group == GroupBy::kAddress ? location : profile_.locations[location].function;
  }

  void add(const profile::Branch& branch, double weight) {
    if (branch.entry.from == 0 && branch.entry.to == 0) {
      ++result_.empty_entries;
      return;
    }
    ++result_.entries;
    all_weight_ += weight;
    uint64_t key = uint64_t{number_of(branch.from)} << 32 | number_of(branch.to);
    auto [found, is_new] = group_of_.try_emplace(key, groups_.size());
    if (is_new) groups_.push_back({.first = &branch});
    groups_[found->second].add(branch.entry, weight);
  }

  [[nodiscard]] BranchEndpoint endpoint(uint32_t index) const {
    const profile::Location& location = profile_.locations[index];
    BranchEndpoint endpoint{.function = profile_.functions[location.function].name,
                            .dso = std::string(profile_.dsos[location.dso].name()),
                            .address = {}};
    if (options_.group == GroupBy::kAddress) endpoint.address = location.address;
    return endpoint;
  }

  [[nodiscard]] Row make_row(const Group& group) const {
    Row row{.from = endpoint(group.first->from),
            .to = endpoint(group.first->to),
            .entries = group.entries,
            .share = group.weight / all_weight_,
            .mispredicted = group.mispredicted,
            .predicted = group.predicted,
            .mean_cycles = {}};
    if (group.timed_weight > 0) row.mean_cycles = group.cycles / group.timed_weight;
    if (group.known_weight > 0) row.misprediction_rate = group.mispredicted_weight / group.known_weight;
    return row;
  }

  // Sorts the rows by weight; rows of equal weight keep the order of their first sample.
  void finish() {
    std::ranges::stable_sort(groups_, std::ranges::greater(), &Group::weight);
    result_.group = options_.group;
    result_.all_rows = groups_.size();
    size_t shown = options_.limit == 0 ? groups_.size() : std::min(options_.limit, groups_.size());
    for (size_t i = 0; i < shown; ++i) result_.rows.push_back(make_row(groups_[i]));
  }

  const profile::Profile& profile_;
  const Options& options_;
  profile::Filter filter_;
  profile::RelativePeriods periods_;
  double all_weight_ = 0;
  std::unordered_map<uint64_t, size_t> group_of_;  // index into groups_, by the keys of source and target
  std::vector<Group> groups_;
  Branches result_;
};

}  // namespace

Result<GroupBy> parse_group(std::string_view text) {
  if (text == "function" || text == "symbol_from,symbol_to") return GroupBy::kFunction;
  if (text == "ip") return GroupBy::kAddress;
  return make_error(ErrorCode::kInvalidArgument,
                    "cannot sort branches by '{}': use function (or symbol_from,symbol_to) or ip", text);
}

Result<Branches> find_branches(const profile::Profile& profile, const Options& options,
                               const symbol::Resolver* resolver) {
  Result<profile::Filter> filter = profile::Filter::make(profile, options.filter, resolver);
  if (!filter.ok()) return filter.error();
  Branches result = Analysis(profile, options, *std::move(filter)).run();
  if (result.samples == 0 && std::ranges::any_of(profile.events, is_call_stack)) {
    return make_error(
        ErrorCode::kNotFound,
        "this recording's branch stacks hold calls that had not returned, not executed branches: show the calls with report -g, or record with -b");
  }
  if (result.samples == 0) {
    return make_error(
        ErrorCode::kNotFound,
        "no sample has a branch stack: record with -b, and check that samples pass the filters");
  }
  return result;
}

}  // namespace hm::branches
