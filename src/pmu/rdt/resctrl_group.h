// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "pmu/rdt/counter_files.h"
#include "pmu/rdt/member_files.h"
#include "pmu/rdt/owned_folder.h"
#include "pmu/rdt/provider.h"
#include "pmu/rdt/resctrl.h"
#include "pmu/rdt/thread_places.h"

namespace hm::rdt {

// State shared by a provider and its groups.
class ResctrlState {
 public:
  ResctrlState(Resctrl resctrl, const std::string& proc);
  ResctrlState(const ResctrlState&) = delete;
  ResctrlState& operator=(const ResctrlState&) = delete;
  ~ResctrlState() = default;

  [[nodiscard]] const Resctrl& resctrl() const { return resctrl_; }
  [[nodiscard]] ThreadPlaces& thread_places() { return thread_places_; }
  [[nodiscard]] CounterFiles counters_of(const std::string& group) const;  // `group`: path below the root

  [[nodiscard]] std::string below_root(const OwnedFolder& folder) const {
    return folder.path().substr(resctrl_.root().size() + 1);
  }
  // Whether this provider made the group with this path below the root.
  [[nodiscard]] bool is_own(const std::string& group) const { return own_.contains(group); }
  [[nodiscard]] Result<OwnedFolder> make_group(const std::string& control);
  void own(const OwnedFolder& folder) { own_.insert(below_root(folder)); }
  void forget_group(const OwnedFolder& folder) { own_.erase(below_root(folder)); }

  // Returns a number that changes when a domain may have been added. Looks for domains once per as many
  // readings as there are groups, i.e. once per refresh.
  [[nodiscard]] uint64_t domains_version();
  [[nodiscard]] const std::vector<uint32_t>& domains() const { return domains_; }

 private:
  void look_for_domains();

  Resctrl resctrl_;
  std::unordered_set<std::string> own_;
  ThreadPlaces thread_places_;
  std::vector<uint32_t> domains_;
  std::shared_ptr<DescriptorBudget> budget_;
  uint64_t domains_version_ = 0;
  size_t readings_since_look_ = 0;
};

// A group of the provider: one monitor group in each control group that has members.
class ResctrlGroup final : public Group {
 public:
  explicit ResctrlGroup(std::shared_ptr<ResctrlState> state) : state_(std::move(state)) {}
  ~ResctrlGroup() override;
  ResctrlGroup(const ResctrlGroup&) = delete;
  ResctrlGroup& operator=(const ResctrlGroup&) = delete;

  Status add(pid_t thread) override;
  std::vector<Reading> read() override;

  // Skips threads that have ended or that other programs monitor.
  Status add_all(const std::vector<pid_t>& threads);
  // Called once. Fails with kUnsupported if another group monitors one of the CPUs already, and with
  // kNotFound if one is not online.
  Status add_cpus(const std::vector<uint32_t>& cpus);

 private:
  struct Part {
    std::string control;
    OwnedFolder folder;
    CounterFiles counters;
    ThreadsFile threads;
  };

  // Result of adding a thread to the group.
  struct Placed {
    bool has_ended = false;
    std::string foreign = {};  // the other program's group that keeps the thread; else empty
  };

  // Returns the part in this control group, and makes it if necessary.
  Result<Part*> part_in(const std::string& control);
  Result<Placed> place(pid_t thread);
  void close_thread_files();

  std::shared_ptr<ResctrlState> state_;
  std::deque<Part> parts_;
};

}  // namespace hm::rdt
