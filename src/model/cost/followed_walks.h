// SPDX-License-Identifier: MIT
// Recognizes the misses of walks that a prefetcher follows: streams of neighbouring lines in a page (as
// Intel's and AMD's stream prefetchers), and constant distances between the misses of an instruction (stride
// prefetchers; Fu, Patel and Janssens, "Stride Directed Prefetching in Scalar Processors", MICRO 1992).
// Freestanding.
//
// The models of the caches do not see prefetched lines: counts of misses do not depend on prefetchers.
#pragma once

#include <stdint.h>

#include "model/cost/costs.h"

namespace hm::model {

class FollowedWalks {
 public:
  // If a prefetcher may have fetched the line that the instruction at `site` misses, returns the distance in
  // lines from the miss before in this walk, else 0.
  uint64_t step_to(uint64_t line, uint64_t site, const Costs& costs) {
    uint64_t of_stream = step_of_stream(line, costs), of_site = step_of_site(line, site);
    return of_stream != 0 ? of_stream : of_site;
  }

 private:
  static constexpr uint64_t kLinesPerPage = 64;  // of 4 KiB, whatever the pages are
  static constexpr uint32_t kStreams = 32, kSites = 64;
  static constexpr int64_t kNear = 4;       // lines between two misses of a stream
  static constexpr uint8_t kConfirmed = 2;  // equal steps until a prefetcher follows

  struct Stream {
    uint64_t page = ~uint64_t{0};
    uint64_t line = 0;  // last miss
    bool down = false;
    uint8_t steps = 0;  // in this direction
  };
  struct Site {
    uint64_t site = 0;
    uint64_t line = 0;
    int64_t step = 0;
    uint8_t steps = 0;  // equal ones
  };

  uint64_t step_of_stream(uint64_t line, const Costs& costs) {
    uint64_t page = line / kLinesPerPage;
    Stream& stream = streams_[page % kStreams];
    if (stream.page != page) return begin(stream, line, page, costs);
    auto step = static_cast<int64_t>(line - stream.line);
    stream.line = line;
    if (step == 0) return stream.steps >= kConfirmed ? 1 : 0;
    if (step > kNear || step < -kNear) {
      stream.steps = 0;
      return 0;
    }
    bool down = step < 0;
    bool followed = stream.steps >= kConfirmed && down == stream.down;
    stream.steps = down == stream.down ? saturated(stream.steps + 1) : 1;
    stream.down = down;
    return followed ? size_of(step) : 0;
  }

  // A walk that comes from a neighbouring page goes on, if prefetchers cross pages.
  uint64_t begin(Stream& stream, uint64_t line, uint64_t page, const Costs& costs) {
    bool up = costs.crosses_pages && comes_from(page - 1, false, line);
    bool down = costs.crosses_pages && comes_from(page + 1, true, line);
    stream = {page, line, down, up || down ? kConfirmed : uint8_t{0}};
    return up || down ? 1 : 0;
  }
  [[nodiscard]] bool comes_from(uint64_t page, bool down, uint64_t line) const {
    const Stream& before = streams_[page % kStreams];
    auto step = static_cast<int64_t>(down ? before.line - line : line - before.line);
    return before.page == page && before.down == down && before.steps >= kConfirmed && step > 0 &&
           step <= kNear;
  }

  uint64_t step_of_site(uint64_t line, uint64_t site) {
    Site& entry = sites_[(site ^ site >> 6) % kSites];
    if (entry.site != site) {
      entry = {site, line, 0, 0};
      return 0;
    }
    auto step = static_cast<int64_t>(line - entry.line);
    entry.line = line;
    if (step == 0) return entry.steps >= kConfirmed ? 1 : 0;
    bool followed = step == entry.step && entry.steps >= kConfirmed;
    entry.steps = step == entry.step ? saturated(entry.steps + 1) : 1;
    entry.step = step;
    return followed ? size_of(step) : 0;
  }

  static uint64_t size_of(int64_t step) { return static_cast<uint64_t>(step < 0 ? -step : step); }
  static uint8_t saturated(int steps) { return static_cast<uint8_t>(steps > 200 ? 200 : steps); }

  Stream streams_[kStreams] = {};
  Site sites_[kSites] = {};
};

}  // namespace hm::model
