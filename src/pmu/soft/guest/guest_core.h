// SPDX-License-Identifier: MIT
// One modelled core of a guest: turns the accesses of a virtual CPU into events, separately for user mode and
// kernel mode.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "pmu/soft/guest/guest_address.h"
#include "pmu/soft/guest/page_sizes.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/code_pages.h"
#include "pmu/soft/sampling/counters.h"
#include "pmu/soft/sampling/demand.h"
#include "pmu/soft/sampling/modelled_core.h"
#include "pmu/soft/sampling/time_slice.h"

namespace hm::soft::guest {

enum class Mode : uint8_t { kUser, kKernel };
inline constexpr unsigned kModes = 2;

// An instruction of translated code. QEMU runs one translation of a physical page at all its addresses;
// `ip` is that of the first one.
struct Site {
  uint64_t ip = 0;
};

// By how much a block's code lies above the addresses of its sites, in one address space.
struct Shift {
  uint64_t known_for = ~uint64_t{0};  // GuestCore::mapping_key()
  uint64_t bytes = 0;
};

// A line of a block's code for one core. `page`: the presence words of its page; null: not known yet.
struct CodeLine {
  model::CodePage* page = nullptr;
  uint32_t in_page = 0;
};

// A translated block of code.
struct Block {
  Mode mode = Mode::kUser;
  uint32_t instructions = 0;
  std::vector<uint64_t> lines;        // physical numbers of its lines of code, in order
  std::vector<uint32_t> first_sites;  // for each line, the index of the first instruction in it
  std::vector<Site> sites;            // its instructions
  // Of each core in turn, as many as `lines`.
  std::vector<CodeLine> code;
  std::vector<Shift> shifts;  // for each core

  // Makes room for what `cores` cores know of the block.
  void resize(size_t cores) {
    code.resize(cores * lines.size());
    shifts.resize(cores);
  }
};

// A sample that is due, with the guest's own addresses.
struct DueSample {
  EventId event{};
  uint64_t id = 0;      // of the event
  uint64_t period = 0;  // how many events it represents
  Cause cause;
  unsigned cpu = 0;
  Mode mode = Mode::kUser;
  uint64_t run_cycles = 0;
  uint64_t physical_address = 0;  // of the data; 0: there is none
  // Whether the registers of the virtual CPU are those at the instruction. False if it has run before.
  bool at_instruction = true;
};

// Both functions are empty if no samples are taken.
struct Sampling {
  std::function<void(const DueSample&)> take;
  // Returns the address of an instruction of the block that the virtual CPU is in.
  std::function<uint64_t(unsigned cpu)> instruction_pointer;
};

class GuestCore {
 public:
  // Counts of each mode are added to `totals`; null: the mode is not measured. `page_sizes`: null: all pages
  // have the geometry's size.
  GuestCore(unsigned number, Session& session, const ModelPlan& plan, model::SharedLevels& shared,
            const std::array<ThreadTotals*, kModes>& totals, Sampling sampling = {},
            PageSizes* page_sizes = nullptr);

  void run(Block& block);
  void access(const Site& site, uint64_t address, uint64_t physical, uint32_t bytes, bool stores);
  // `page_table`: its physical address (CR3).
  void enter_space(uint64_t page_table);
  // Code may be at other addresses from now on.
  void change_mappings() { mappings_ = (mappings_ + 1) % kPageBytes; }
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
  void fetch(const Block& block, uint32_t index, CodeLine& line);
  [[nodiscard]] bool passes(uint64_t address, uint64_t physical, uint32_t bytes, bool stores);
  void remember(uint64_t address, uint64_t physical);
  [[nodiscard]] uint64_t tagged(uint64_t address) const;
  [[nodiscard]] uint64_t mapping_key() const { return page_table_ | mappings_; }
  [[nodiscard]] uint64_t shift_of(Block& block) const;
  void sample_instructions(const Block& block);
  void sample_clock();
  void take(EventId id, Cause cause, Tick now, bool at_instruction);
  model::CodePage* page_of(uint64_t line);
  Part& part() { return parts_[static_cast<unsigned>(mode_)]; }

  unsigned number_;
  Session& session_;
  Sampling sampling_;
  Demand demand_;
  std::unique_ptr<CoreFilters> filters_ = std::make_unique<CoreFilters>();
  std::unique_ptr<CodePages> code_pages_ = std::make_unique<CodePages>();
  // For each slot of the filter, the physical number of its line. A page table may change meanwhile.
  std::unique_ptr<uint64_t[]> physical_lines_;
  uint64_t hint_mask_ = 0;
  ModelledCore core_{};
  std::array<Part, kModes> parts_{};
  Mode mode_ = Mode::kKernel;
  PageSizes* page_sizes_;
  uint64_t page_table_ = 0;
  std::unordered_map<uint64_t, uint64_t> spaces_{{0, 0}};  // their numbers, by page table
  uint64_t space_ = 0;                                     // the number of the current one
  uint64_t mappings_ = 0;  // how often mappings have changed, modulo the bytes of a page
  uint64_t shift_ = 0;     // of the current block
  uint64_t physical_ = 0;  // of the data of the current access
  uint64_t last_ip_ = 0;   // of the last instruction of the last block
  Tick now_ = kFirstTick;
};

}  // namespace hm::soft::guest
