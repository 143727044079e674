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
  // Returns true if a prefetcher has fetched the line that the instruction at `site` misses.
  bool follows(uint64_t line, uint64_t site, const Costs& costs) {
    bool by_stream = stream_follows(line, costs);
    bool by_stride = stride_follows(line, site, costs);
    return by_stream || by_stride;
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

  bool stream_follows(uint64_t line, const Costs& costs) {
    uint64_t page = line / kLinesPerPage;
    Stream& stream = streams_[page % kStreams];
    if (stream.page != page) return begin(stream, line, page, costs);
    auto step = static_cast<int64_t>(line - stream.line);
    stream.line = line;
    if (step == 0) return stream.steps >= kConfirmed;
    if (step > kNear || step < -kNear) {
      stream.steps = 0;
      return false;
    }
    bool down = step < 0;
    bool followed = stream.steps >= kConfirmed && down == stream.down;
    stream.steps = down == stream.down ? saturated(stream.steps + 1) : 1;
    stream.down = down;
    return followed;
  }

  // A walk that comes from a neighbouring page goes on, if prefetchers cross pages.
  bool begin(Stream& stream, uint64_t line, uint64_t page, const Costs& costs) {
    bool up = costs.crosses_pages && comes_from(page - 1, false, line);
    bool down = costs.crosses_pages && comes_from(page + 1, true, line);
    stream = {page, line, down, up || down ? kConfirmed : uint8_t{0}};
    return up || down;
  }
  [[nodiscard]] bool comes_from(uint64_t page, bool down, uint64_t line) const {
    const Stream& before = streams_[page % kStreams];
    auto step = static_cast<int64_t>(down ? before.line - line : line - before.line);
    return before.page == page && before.down == down && before.steps >= kConfirmed && step > 0 &&
           step <= kNear;
  }

  bool stride_follows(uint64_t line, uint64_t site, const Costs& costs) {
    Site& entry = sites_[(site ^ site >> 6) % kSites];
    if (entry.site != site) {
      entry = {site, line, 0, 0};
      return false;
    }
    auto step = static_cast<int64_t>(line - entry.line);
    entry.line = line;
    if (step == 0) return entry.steps >= kConfirmed;
    bool followed = step == entry.step && entry.steps >= kConfirmed && is_short(step, costs);
    entry.steps = step == entry.step ? saturated(entry.steps + 1) : 1;
    entry.step = step;
    return followed;
  }

  static bool is_short(int64_t step, const Costs& costs) {
    return step <= int64_t{costs.longest_step} && step >= -int64_t{costs.longest_step};
  }
  static uint8_t saturated(int steps) { return static_cast<uint8_t>(steps > 200 ? 200 : steps); }

  Stream streams_[kStreams] = {};
  Site sites_[kSites] = {};
};

}  // namespace hm::model
