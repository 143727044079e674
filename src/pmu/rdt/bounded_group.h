// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/rdt/resctrl_group.h"

namespace hm::rdt {

// The ways of a last-level cache, as a mask (info/L3/cbm_mask); 0 where the processor does not allocate them.
[[nodiscard]] uint64_t ways_of_caches(const Resctrl& resctrl);

// What is written into a control group's schemata to bound it to these ways of every cache: "L3:0=f;1=f".
// Where code and data have masks of their own, a line for each.
[[nodiscard]] std::string schemata_lines(const Resctrl& resctrl, const std::vector<uint32_t>& domains,
                                         uint64_t ways);

// A control group of this provider's own, whose threads bring lines into some ways of the caches only (Intel
// CAT, AMD L3 CAE). When it goes, and at the next start where it was killed, they may use what all may.
class BoundedGroup final : public Group {
 public:
  // kUnsupported where the processor does not allocate its cache, or its classes of service are all in use;
  // kInvalidArgument for a mask that it does not take.
  [[nodiscard]] static Result<std::unique_ptr<BoundedGroup>> make(std::shared_ptr<ResctrlState> state,
                                                                  uint64_t ways);
  ~BoundedGroup() override;

  // kUnsupported for a thread that somebody else has bounded or has monitored.
  Status add(pid_t thread) override;
  std::vector<Reading> read() override;

 private:
  BoundedGroup(std::shared_ptr<ResctrlState> state, OwnedFolder folder)
      : state_(std::move(state)),
        folder_(std::move(folder)),
        counters_(state_->counters_of(state_->below_root(folder_))),
        threads_(folder_.path()) {}

  std::shared_ptr<ResctrlState> state_;
  OwnedFolder folder_;
  CounterFiles counters_;
  ThreadsFile threads_;
};

}  // namespace hm::rdt
