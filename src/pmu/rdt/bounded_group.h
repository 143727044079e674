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

// Returns the ways of a last-level cache as a mask (info/L3/cbm_mask); 0 if the processor cannot allocate
// ways.
[[nodiscard]] uint64_t ways_of_caches(const Resctrl& resctrl);

// Returns the schemata text that restricts a control group to these ways of every cache: "L3:0=f;1=f". If
// code and data have separate masks (CDP), the text has a line for each.
[[nodiscard]] std::string schemata_lines(const Resctrl& resctrl, const std::vector<uint32_t>& domains,
                                         uint64_t ways);

// A control group of this provider. Its threads allocate into some ways of the caches only (Intel CAT, AMD L3
// CAE). The restriction ends with the object, or at the next start if this process was killed.
class BoundedGroup final : public Group {
 public:
  // Fails with kUnsupported if the processor cannot allocate cache ways or all its classes of service are in
  // use, and with kInvalidArgument if the processor rejects the mask.
  [[nodiscard]] static Result<std::unique_ptr<BoundedGroup>> make(std::shared_ptr<ResctrlState> state,
                                                                  uint64_t ways);
  ~BoundedGroup() override;

  // Fails with kUnsupported if another program restricts or monitors the thread.
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
