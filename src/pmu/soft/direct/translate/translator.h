// SPDX-License-Identifier: MIT
// Copies a block of the target's code, and inserts the measurements that the session needs: checks of code
// lines and data accesses, branch records, counters.
#pragma once

#include <stdint.h>

#include "model/cost/dataflow.h"
#include "pmu/soft/direct/core/plan.h"
#include "pmu/soft/direct/translate/code_cache.h"
#include "pmu/soft/direct/translate/copy.h"
#include "pmu/soft/direct/translate/program_facts.h"
#include "pmu/soft/direct/translate/superblock.h"
#include "pmu/soft/direct/translate/touch_plan.h"
#include "pmu/soft/sampling/access_info.h"
#include "pmu/soft/sampling/instruction_class.h"

namespace hm::soft::direct {

struct ElementsPlan;

class Translator {
 public:
  // Copies are written to `arena` of `cache`.
  Translator(const Plan& plan, CodeCache& cache, Arena& arena, ProgramFacts& program)
      : plan_(plan), cache_(cache), program_(program), hot_(arena.hot), cold_(arena.cold) {}

  // Copies `source`.
  Block translate(const Superblock& source);
  // Makes a copy for the entry of a function inside which threads are collected: it exits at once.
  Block translate_entry(uint64_t source);

 private:
  // Counts of the block up to the current step.
  struct Progress {
    uint16_t slots = 0;
    uint16_t loads = 0;
    uint16_t stores = 0;
  };

  // Neighbouring accesses that share a check (translator_groups.cc).
  struct Group {
    bool open = false;    // the last check has passed, but its stamp is not written
    bool beside = false;  // the last access is still `displacement` bytes from these registers
    bool writes = false;  // stores pass, too
    uint8_t base = kNoReg;
    uint8_t index = kNoReg;
    uint8_t scale = 0;
    int64_t displacement = 0;
    unsigned ticks = 0;
  };

  // Returns the map of a step that begins at the current position.
  [[nodiscard]] StepMap map_here(uint64_t address, bool flags_saved) const;
  void step(const Step& each);
  void observe_heap_at(const Step& first);
  void accesses(const Step& each);
  void look_at_others(const Step& each);
  void leave_with_trap_flag(const Step& popf);
  void keep_fs_base();
  Spills copy(const Step& each);
  Spills copy_limited(const Step& each);
  Spills copy_as_it_is(const Step& each);
  [[nodiscard]] bool is_absent(const Step& each) const;

  // translator_source.cc
  void check_source(const Superblock& source);
  void compare_source(uint64_t address, uint32_t bytes);
  void compare_operand(uint64_t address, uint32_t width, Memory place);

  // translator_checks.cc
  void check_lines(const Step& each);
  void check_line(uint64_t line, unsigned ticks, bool flags_live);
  void access(const Access& each, bool flags_live);
  void check_data(const Access& each, AccessInfo info, unsigned ticks, bool flags_live);
  [[nodiscard]] uint8_t* filter(Emitter& out, const Access& each, AccessInfo info) const;
  [[nodiscard]] static int32_t passing_of(const Access& each);
  void call_where(uint8_t* fails, const Access& each, AccessInfo info);
  void stamp(Emitter& out, unsigned ticks) const;
  void emit_hint_index(Emitter& out) const;
  void emit_data_address(Emitter& out, const Access& each) const;
  void call_data(Emitter& out, Thunk thunk, const Access& each, AccessInfo info);
  static uint8_t* call_thunk(Emitter& out, Thunk thunk);
  static void hold_flags(Emitter& out);
  static void release_flags(Emitter& out);
  static void save_flags(Emitter& out);
  static void restore_flags(Emitter& out);
  void repeated_string(const Step& each);

  // translator_touch.cc
  [[nodiscard]] bool touches() const { return plan_.mode == Mode::kTouching; }
  [[nodiscard]] bool is_covered(const Access& each) const;
  void touch(const Access& each, bool flags_live);
  void touch_line(const Access& each, uint32_t offset, bool keeps_flags);
  void touch_code_line(uint64_t line);
  static uint8_t* leave_to_switch(Emitter& out);

  // translator_samples.cc
  void look_for_sample(const Step& first);
  void look_for_sample_in_string(const Step& each);
  void leave_for_sample(uint64_t address, uint32_t slots, bool flags_live);

  // translator_restartable.cc
  void leave_if_restarted(const Step& first);
  [[nodiscard]] bool stores_in_sequence(const Step& each, RestartableSequence& sequence) const;
  Spills copy_in_sequence(const Step& each, const RestartableSequence& sequence);
  void restart(const RestartableSequence& sequence);

  // translator_groups.cc
  [[nodiscard]] bool may_group(bool flags_live) const;
  [[nodiscard]] bool joins(const Access& each) const;
  void open_group(const Access& each, unsigned ticks);
  void check_beside(const Access& each, AccessInfo info, unsigned ticks);
  void close_group();
  void follow_group(const Step& each);

  // translator_elements.cc
  [[nodiscard]] bool is_by_elements(const Access& each) const;
  [[nodiscard]] bool is_selected_in_place(const Access& each) const;
  void store_selection(const Access& each, const ElementsPlan& plan);
  void touch_selected(const Access& each, bool flags_live);
  void elements(const Access& each, bool flags_live);
  void count_elements(const Access& each);

  // translator_events.cc
  void count_instruction();
  void count_down(event::EventId id, uint32_t events, bool flags_live);
  uint8_t* count_down_in_place(event::EventId id, uint32_t events);
  void watch(const Access& each, AccessInfo info, bool flags_live);
  void leave_straight_line(bool flags_live);
  void predict(BranchKind kind, bool flags_live);
  void push_predicted_return();
  void predict_return(bool flags_live);
  void predict_condition(Emitter& out, bool taken, bool flags_live);
  uint8_t* add_mean_cost_between_windows(bool taken);
  void report_clock(bool flags_live);
  void call_about_branch(Emitter& out, Thunk thunk, uint32_t what, bool flags_live);

  // translator_branches.cc
  void conditional_jump(const Step& each);
  void counted_jump(const Step& each);
  void jump(const Step& each);
  void call(const Step& each);
  void indirect_call(const Step& each);
  void indirect_jump(const Step& each);
  void ret(const Step& each);
  void system_call(const Step& each);
  void leave(Emitter& out, uint32_t exit);
  void leave_where_taken(const Step& each, uint8_t* jump);
  void leave_to_target(const Step& each, BranchKind kind);
  void take_target(const Step& each);
  void push_return_address(const Step& each);
  void go_to(Emitter& out, uint64_t target, bool flags_live);
  [[nodiscard]] bool may_leave() const {
    return plan_.held != nullptr || (plan_.looks_at_tick() && !plan_.samples_ahead);
  }
  uint8_t* leave_when_due(Emitter& out);
  uint8_t* leave_unless_held(Emitter& out);
  void lead(uint8_t* end, uint64_t target);
  [[nodiscard]] bool may_be_loop(uint64_t target) const;
  [[nodiscard]] bool keeps_target() const;
  static void target_to_core(Emitter& out);
  void go_to_indirect(bool flags_live);
  void leave_indirect(Emitter& out, bool flags_live);
  uint8_t* look_for_flags_reader(uint8_t* miss, uint64_t table);
  void settle(Emitter& out, bool flags_live);
  void settle_aside(Emitter& out, bool flags_live);
  void add_path_time(Emitter& out, bool flags_live);
  void time_path();
  void add_address_sources();
  static void add_to_core(Emitter& out, uint64_t field, uint32_t amount, bool flags_live);
  void record_branch_into(Emitter& out, const Step& each, BranchKind kind, uint64_t target);

  const Plan& plan_;
  CodeCache& cache_;
  ProgramFacts& program_;
  Emitter& hot_;
  Emitter& cold_;
  Progress progress_;
  Group group_;
  TouchPlan touch_plan_;
  unsigned step_number_ = 0;           // position in the block of the step that is being copied
  const Superblock* block_ = nullptr;  // that is being copied
  const Step* step_ = nullptr;         // the step that is being copied
  bool flags_live_behind_ = true;      // status flags are live behind that step, if it does not branch
  InstructionClass kind_;              // class of that step's instruction
  Spills spills_;                      // spills of that step's copy
  model::FlowInstruction path_[Superblock::kMaxSteps];  // of the first steps of the block
  unsigned timed_steps_ = 0;                            // number of these steps
  uint64_t sites_[Superblock::kMaxSteps] = {};          // of the steps' first loads (AddressSources); 0: none
  uint32_t max_slots_ = 0;   // of the block, if samples are found ahead; a repetition counts once
  uint32_t path_time_ = 0;   // of the path to the last exit, in parts of a cycle (model::Costs::kPerCycle)
  uint32_t added_time_ = 0;  // of it, added to the core's work
  uint8_t* code_ = nullptr;  // first byte of the block's hot code
  uint8_t* cold_code_ = nullptr;  // first byte of the block's cold code
  uint64_t source_ = 0;           // address of the block's source
  bool checks_source_ = false;    // the block first compares its source
  // Jumps that are taken if the source has changed.
  static constexpr unsigned kMaxOperands = 6;  // of the comparison with one step, which has at most 15 bytes
  uint8_t* differs_[Superblock::kMaxSteps * kMaxOperands] = {};
  unsigned differs_count_ = 0;
  uint32_t lines_ = 0;                    // code lines checked
  uint32_t body_ = 0;                     // offset of the code behind the first check
  uint64_t current_line_ = ~uint64_t{0};  // the code line already checked in this block
};

// Emits the instruction with which touching copies write to the touch table at a computed address.
// touch_bytes_at() returns the instruction's length if it is at `code`, otherwise 0. It faults if the
// program's access, which follows it, is going to fault.
void emit_touch(Emitter& out);
unsigned touch_bytes_at(const uint8_t* code);

}  // namespace hm::soft::direct
