// SPDX-License-Identifier: MIT
// Measures how often branches inferred from stacks of calls alone, or of returns alone, are right. Usage:
// inferred_branches RECORDING, of the software PMU with -b call,ret. Half of each stack is removed and
// inferred (profile/missing_branches.h). Prints, for calls alone and for returns alone: the number of gaps
// between two recorded branches, the percentage of gaps with exactly the branches that ran, and the
// percentage of removed branches that were inferred.
#include <fmt/format.h>

#include <vector>

#include "profile/loader.h"
#include "profile/missing_branches.h"
#include "record/reader.h"
#include "symbol/file_resolver.h"

namespace hm {
namespace {

struct Tally {
  size_t gaps = 0, right_gaps = 0, missing = 0, inferred = 0;
};

struct Jump {
  uint32_t from, to;  // functions
  bool is_call;
};

// Oldest first. A call leads to the beginning of a function, a return never does.
std::vector<Jump> stack_of(const profile::Profile& profile, size_t sample) {
  std::vector<Jump> jumps;
  profile::Slice slice = profile.samples.branches_of(sample);
  for (uint32_t i = slice.count; i-- > 0;) {
    const profile::Branch& branch = profile.samples.branches[slice.offset + i];
    const profile::Location& to = profile.locations[branch.to];
    jumps.push_back({profile.locations[branch.from].function, to.function,
                     profile.functions[to.function].start == to.address});
  }
  return jumps;
}

// Counts the gaps behind recorded branches.
void compare(const std::vector<Jump>& stack, uint32_t sampled, bool calls, Tally& tally) {
  for (size_t i = 0; i < stack.size();) {
    if (stack[i].is_call != calls) {
      ++i;
      continue;
    }
    size_t next = i + 1;
    std::vector<uint32_t> left;
    for (; next < stack.size() && stack[next].is_call != calls; ++next) left.push_back(stack[next].from);
    uint32_t behind = next < stack.size() ? stack[next].from : sampled;
    std::vector<uint32_t> found;
    if (stack[i].to != behind) found.push_back(stack[i].to);
    ++tally.gaps;
    tally.right_gaps += found == left ? 1 : 0;
    tally.missing += left.size();
    tally.inferred += !found.empty() && !left.empty() && found.front() == left.front() ? 1 : 0;
    i = next;
  }
}

int measure(const char* path) {
  Result<record::Reader> reader = record::Reader::open(path);
  if (!reader) {
    fmt::print(stderr, "{}\n", reader.error().message);
    return 1;
  }
  symbol::FileResolver resolver;
  Result<profile::Profile> profile = profile::load(*reader, resolver, {.needs = {.chains = false}});
  if (!profile) return 1;
  for (bool calls : {true, false}) {
    Tally tally;
    for (size_t i = 0; i < profile->samples.size(); ++i) {
      uint32_t sampled = profile->locations[profile->samples.location[i]].function;
      compare(stack_of(*profile, i), sampled, calls, tally);
    }
    const auto percent = [](size_t part, size_t all) {
      return 100 * static_cast<double>(part) / static_cast<double>(std::max<size_t>(all, 1));
    };
    fmt::print("{} {} {:.1f} {:.1f}\n", calls ? "calls" : "returns", tally.gaps,
               percent(tally.right_gaps, tally.gaps), percent(tally.inferred, tally.missing));
  }
  return 0;
}

}  // namespace
}  // namespace hm

int main(int count, char** arguments) { return count == 2 ? hm::measure(arguments[1]) : 2; }
