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

// Level of detail of the frames between a sample and its outermost caller.
struct Detail {
  bool inlines = true;  // show inlined functions, not only functions with a symbol
  bool lines = false;   // show the calling lines of each function separately
};

// Assigns numbers to the functions, or lines of functions, that contain the profile's locations.
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

  // Returns the frames of a location, innermost first. The list is never empty and ends with the function
  // that has a symbol.
  const std::vector<uint32_t>& at(uint32_t location);
  // Appends the frames of the sample's callers until `path` has at least `most` entries. The frames of the
  // last location are all kept, even beyond `most`.
  void add_callers(size_t sample, size_t most, std::vector<uint32_t>& path);
  // Returns the relative weight of a sample (profile/relative_periods.h).
  [[nodiscard]] double weight(size_t sample) const { return periods_.of(sample); }
  [[nodiscard]] const Frame& operator[](uint32_t number) const { return *frames_[number]; }

 private:
  [[nodiscard]] std::vector<Frame> frames_of(uint32_t location) const;
  uint32_t number_of(Frame frame);

  const profile::Profile& profile_;
  const symbol::Resolver& resolver_;
  Detail detail_;
  profile::RelativePeriods periods_;
  std::vector<std::vector<uint32_t>> by_location_;  // empty: not resolved yet
  std::map<Frame, uint32_t> numbers_;
  std::vector<const Frame*> frames_;  // frames by number
};

}  // namespace hm::callers
