// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "profile/relative_periods.h"
#include "symbol/resolver.h"

namespace hm::callers {

// What is told apart on the way outwards from a sample.
struct Detail {
  bool inlines = true;  // functions that were inlined, not only those with a symbol
  bool lines = false;   // the lines of a function that call
};

// Numbers the functions, or lines of functions, that locations stand for.
class FrameNumbers {
 public:
  FrameNumbers(const profile::Profile& profile, const symbol::Resolver& resolver, Detail detail)
      : profile_(profile),
        resolver_(resolver),
        detail_(detail),
        periods_(profile),
        by_location_(profile.locations.size()) {}

  struct Frame {
    std::string function;
    uint32_t dso = 0;
    bool inlined = false;
    std::string file{};
    uint32_t line = 0;
    auto operator<=>(const Frame&) const = default;  // NOLINT(modernize-use-nullptr)
  };

  // Of a location, innermost first, never empty: the last is the function with a symbol.
  const std::vector<uint32_t>& at(uint32_t location);
  // Appends those of the sample's callers, until there are `most`; the last location is not cut.
  void add_callers(size_t sample, size_t most, std::vector<uint32_t>& path);
  // How much a sample counts for among others (profile/relative_periods.h).
  [[nodiscard]] double weight(size_t sample) const { return periods_.of(sample); }
  [[nodiscard]] const Frame& operator[](uint32_t number) const { return *frames_[number]; }

 private:
  [[nodiscard]] std::vector<Frame> frames_of(uint32_t location) const;
  uint32_t number_of(Frame frame);

  const profile::Profile& profile_;
  const symbol::Resolver& resolver_;
  Detail detail_;
  profile::RelativePeriods periods_;
  std::vector<std::vector<uint32_t>> by_location_;  // empty: not asked for so far
  std::map<Frame, uint32_t> numbers_;
  std::vector<const Frame*> frames_;  // by number
};

}  // namespace hm::callers
