// SPDX-License-Identifier: GPL-2.0-or-later
// Adds the session's instrumentation to one superblock. A block is divided into segments. A segment ends at
// each exit, where the hot counters are updated.
#pragma once

#include <stdint.h>

#include "call_outs.h"
#include "ir_builder.h"
#include "pmu/soft/sampling/demand.h"
#include "record/extension.h"
#include "site.h"

namespace hm::soft::vg {

class Instrumenter {
 public:
  Instrumenter(const Demand& demand, IRSB* in);
  IRSB* run();

 private:
  struct Instruction {
    uint64_t address = 0;
    uint32_t length = 0;
    InstructionClass kind;
    bool bit_of_register = false;  // bt, bts, btr, btc with register operands: VEX uses the stack for them
    // The last load: the store of a read-modify-write then needs no separate check.
    IRExpr* load_address = nullptr;
    uint32_t load_bytes = 0;
    uint32_t loads = 0;
    uint32_t stores = 0;
  };

  // Totals of the current segment.
  struct Segment {
    uint16_t slots = 0;
    uint16_t loads = 0;
    uint16_t stores = 0;
  };

  struct Access {
    IRExpr* address;
    uint32_t bytes;
    record::AccessKind kind;
    bool locked = false;
    IRExpr* guard = nullptr;  // null: unconditional
  };

  // instrument.cc
  void statement(IRStmt* statement);
  void write_temp(IRStmt* statement);
  void end_segment();
  void end_block();
  void count_down(event::EventId id, uint64_t events);
  [[nodiscard]] Site site_here(SiteKind kind) const;
  [[nodiscard]] Site call_site(void (*thunk)(), uint32_t info = 0) const;

  // instrument_collection.cc
  void look_at_collection(uint64_t address);
  void check_activation_end(BranchKind kind);
  void only_where_collecting();
  [[nodiscard]] IRExpr* if_collecting(IRExpr* value);

  // instrument_heap.cc
  void look_at_heap(uint64_t address);
  void look_for_allocators_return(BranchKind kind);

  // instrument_code.cc
  void begin_instruction(uint64_t address, uint32_t length);
  void end_instruction();
  void fetch_lines(uint64_t address, uint32_t length);
  void count_instruction_class();

  // instrument_data.cc
  void access(const Access& access);
  void load(IRExpr* address, uint32_t bytes, IRExpr* guard = nullptr);
  void store(IRExpr* address, uint32_t bytes, IRExpr* guard = nullptr);
  void prefetch(IRExpr* address);
  void compare_and_swap(const IRCAS* cas);
  void dirty_call(const IRDirty* dirty);
  void count_skipped(IRExpr* guard, bool is_store);
  void watch(const Access& access);

  // instrument_branches.cc
  void side_exit(IRStmt* exit);
  void block_exit();
  void conditional_branch(IRStmt* exit);
  void push_branch(IRExpr* to, IRExpr* taken);
  void predict(BranchKind kind, IRExpr* target);

  [[nodiscard]] uint32_t size_of(IRType type) const { return static_cast<uint32_t>(sizeofIRType(type)); }

  const Demand& demand_;
  IRSB* in_;
  IRSB* out_;
  IrBuilder ir_;
  Instruction instruction_;
  Segment segment_;
  bool started_ = false;                  // after the preamble
  IRExpr* collecting_ = nullptr;          // g_collecting; null if everything is collected
  uint64_t current_line_ = ~uint64_t{0};  // the code line already checked in this block
};

}  // namespace hm::soft::vg
