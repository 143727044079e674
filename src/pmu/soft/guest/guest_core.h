// SPDX-License-Identifier: MIT
// One modelled core of a guest: turns the accesses of a virtual CPU into events, separately for user mode and
// kernel mode.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "pmu/soft/guest/guest_address.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/code_pages.h"
#include "pmu/soft/sampling/counters.h"
#include "pmu/soft/sampling/modelled_core.h"
#include "pmu/soft/sampling/time_slice.h"

namespace hm::soft::guest {

enum class Mode : uint8_t { kUser, kKernel };
inline constexpr unsigned kModes = 2;

// An instruction of translated code.
struct Site {
  uint64_t ip = 0;
};

// A translated block of code.
struct Block {
  Mode mode = Mode::kUser;
  uint32_t instructions = 0;
  std::vector<uint64_t> lines;  // physical numbers of its lines of code, in order
  std::vector<Site> sites;      // its instructions
  // For each core, the presence words of the page of each line; null: not known yet.
  std::vector<std::vector<model::CodePage*>> pages;
};

class GuestCore {
 public:
  // Counts of each mode are added to `totals`; null: the mode is not measured.
  GuestCore(unsigned number, Session& session, const ModelPlan& plan, model::SharedLevels& shared,
            const std::array<ThreadTotals*, kModes>& totals);

  void run(Block& block);
  void access(const Site& site, uint64_t address, uint64_t physical, uint32_t bytes, bool stores);
  void enter_space(uint64_t page_table) { space_ = page_table; }
  // Adds the counts since the last call to the totals.
  void settle();

 private:
  struct Running;
  friend struct Running;

  // The counts of one mode.
  struct Part {
    Counters counters;
    TimeSlice slice;
    FrequentEvents frequent;
    ThreadTotals* totals = nullptr;
  };

  void enter(Mode mode);
  void fetch(Block& block, uint32_t index);
  model::CodePage* page_of(uint64_t line);
  Part& part() { return parts_[static_cast<unsigned>(mode_)]; }

  unsigned number_;
  Session& session_;
  std::unique_ptr<CoreFilters> filters_ = std::make_unique<CoreFilters>();
  std::unique_ptr<CodePages> code_pages_ = std::make_unique<CodePages>();
  ModelledCore core_{};
  std::array<Part, kModes> parts_{};
  Mode mode_ = Mode::kKernel;
  uint64_t space_ = 0;
  Tick now_ = kFirstTick;
};

}  // namespace hm::soft::guest
