// SPDX-License-Identifier: MIT
// Builds a PERF_RECORD_SAMPLE from an engine's data about an access. Freestanding.
#pragma once

#include <stdint.h>

#include "model/machine.h"
#include "model/stack_distances.h"
#include "pmu/soft/ring/session_layout.h"
#include "pmu/soft/sampling/heap_leaf.h"
#include "pmu/soft/sampling/record_builder.h"
#include "pmu/soft/sampling/run_time.h"
#include "record/extension.h"

namespace hm::soft {

// perf's register numbers (arch/x86/include/uapi/asm/perf_regs.h): the integer registers, the instruction
// pointer and the flags. Segment selectors are constant in 64-bit user mode and are left out.
inline constexpr uint64_t kRegisterMask = 0xff03ff;
inline constexpr unsigned kRegisterCount = 18;

// In the order of kRegisterMask's bits.
struct Registers {
  uint64_t ax, bx, cx, dx, si, di, bp, sp, ip, flags, r8, r9, r10, r11, r12, r13, r14, r15;
};
static_assert(sizeof(Registers) == kRegisterCount * 8);

struct BranchEntry {
  uint64_t from;
  uint64_t to;
};

// The last branches; the oldest is overwritten first. `next` is the index of the next one to write.
struct BranchStack {
  BranchEntry entries[kBranchDepth];
  uint64_t next;
};

// The fields of every sample; the session may add a call chain and a branch stack. If a sample carries a copy
// of the stack, the recorder adds the call chain.
inline constexpr uint64_t kSampleType =
    PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
    PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_REGS_INTR;

// Whether samples have the physical address of their data.
constexpr bool records_physical(const Session& session) {
  return session.geometry.physical || session.guest_modes != 0;
}

constexpr uint64_t sample_type(const Session& session) {
  return kSampleType | (session.call_chain_depth != 0 ? uint64_t{PERF_SAMPLE_CALLCHAIN} : 0) |
         (session.branch_filter != 0 ? uint64_t{PERF_SAMPLE_BRANCH_STACK} : 0) |
         (records_physical(session) ? uint64_t{PERF_SAMPLE_PHYS_ADDR} : 0);
}

// The access that caused the event, or the instruction if the event is not an access.
struct Cause {
  uint64_t ip = 0;
  uint64_t address = 0;
  uint16_t bytes = 0;
  record::AccessKind kind = record::AccessKind::kNone;
  bool locked = false;
  bool by_kernel = false;  // in a system call, on behalf of the program
  record::LoadReplay replay = record::LoadReplay::kNone;
  model::Outcome outcome;
  record::MissSteps steps{};  // of an access that missed
  record::WhatIf what_if{};
  bool has_depths = false;  // if the session models all sizes
  model::StackDistances::Depths depths{};
};

struct Moment {
  uint32_t pid = 0;
  uint32_t tid = 0;
  uint64_t time_ns = 0;
  uint64_t run_cycles = 0;  // ModelledCore::run_cycles_at()
  bool in_kernel = false;   // of a guest
  bool has_registers = true;
  Registers registers{};
  const uint64_t* call_chain = nullptr;  // return addresses, the sampled ip first
  uint32_t call_chain_length = 0;
  const BranchStack* branches = nullptr;
  const char* kernel_object = nullptr;    // what the data is; null: unknown, or not of a guest's kernel
  const HeapBlock* heap_block = nullptr;  // the block that holds the address; null: unknown
  const model::Machine* tlb = nullptr;    // the machine with the TLBs to record; null: none
  uint64_t physical_address = 0;          // of the data, if the models use physical addresses; 0: unknown
};

// Whether its address is a data address.
inline bool has_data_address(const Cause& cause) {
  return cause.kind != record::AccessKind::kNone && cause.kind != record::AccessKind::kFetch;
}

// perf_event_open(2), PERF_SAMPLE_DATA_SRC.
inline uint64_t data_source(const Cause& cause) {
  using record::AccessKind;
  perf_mem_data_src source{};
  source.mem_op = cause.kind == AccessKind::kStore             ? PERF_MEM_OP_STORE
                  : cause.kind == AccessKind::kFetch           ? PERF_MEM_OP_EXEC
                  : cause.kind == AccessKind::kNone            ? PERF_MEM_OP_NA
                  : cause.kind == AccessKind::kReadModifyWrite ? PERF_MEM_OP_LOAD | PERF_MEM_OP_STORE
                                                               : PERF_MEM_OP_LOAD;
  if (cause.kind == AccessKind::kNone) {
    source.mem_lvl = PERF_MEM_LVL_NA;
    source.mem_snoop = PERF_MEM_SNOOP_NA;
    source.mem_lock = PERF_MEM_LOCK_NA;
    source.mem_dtlb = PERF_MEM_TLB_NA;
    source.mem_lvl_num = PERF_MEM_LVLNUM_NA;
    return source.val;
  }
  switch (cause.outcome.level) {
    case model::Level::kL1:
      source.mem_lvl = PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT;
      source.mem_lvl_num = PERF_MEM_LVLNUM_L1;
      break;
    case model::Level::kL2:
      source.mem_lvl = PERF_MEM_LVL_L2 | PERF_MEM_LVL_HIT;
      source.mem_lvl_num = PERF_MEM_LVLNUM_L2;
      break;
    case model::Level::kL3:
      source.mem_lvl = PERF_MEM_LVL_L3 | PERF_MEM_LVL_HIT;
      source.mem_lvl_num = PERF_MEM_LVLNUM_L3;
      break;
    case model::Level::kMemory:
      source.mem_lvl = PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_HIT;
      source.mem_lvl_num = PERF_MEM_LVLNUM_RAM;
      break;
  }
  source.mem_snoop = cause.outcome.snoop == model::Snoop::kModified ? PERF_MEM_SNOOP_HITM
                     : cause.outcome.snoop == model::Snoop::kClean  ? PERF_MEM_SNOOP_HIT
                                                                    : PERF_MEM_SNOOP_NONE;
  source.mem_lock = cause.locked ? PERF_MEM_LOCK_LOCKED : 0;
  switch (cause.outcome.translation) {
    case model::Translation::kFirstTlb:
      source.mem_dtlb = PERF_MEM_TLB_L1 | PERF_MEM_TLB_HIT;
      break;
    case model::Translation::kSecondTlb:
      source.mem_dtlb = PERF_MEM_TLB_L2 | PERF_MEM_TLB_HIT;
      break;
    case model::Translation::kPageWalk:
      source.mem_dtlb = PERF_MEM_TLB_L2 | PERF_MEM_TLB_MISS;
      break;
  }
  return source.val;
}

inline void put_branches(RecordBuilder& record, const BranchStack& stack) {
  uint64_t count = stack.next < kBranchDepth ? stack.next : kBranchDepth;
  record.put(count);
  for (uint64_t i = 1; i <= count; ++i) {  // newest first
    record.put(stack.entries[(stack.next - i) % kBranchDepth]);
    record.put(uint64_t{0});  // no flags: predicted or not is not recorded
  }
}

inline record::DepthsExtension depths_extension(const Session& session,
                                                const model::StackDistances::Depths& depths) {
  const auto log2 = [](uint32_t number) { return static_cast<uint8_t>(__builtin_ctz(number)); };
  const model::SizeRange& range = session.sizes.lines;
  record::DepthsExtension extension{record::kDepthsMagic,
                                    log2(range.min_sets),
                                    static_cast<uint8_t>(range.set_counts),
                                    static_cast<uint8_t>(range.ways),
                                    log2(session.geometry.line_bytes),
                                    {}};
  static_assert(sizeof(extension.depth) == sizeof(depths.of));
  __builtin_memcpy(extension.depth, depths.of, sizeof(depths.of));
  return extension;
}

inline void put_kernel_object(RecordBuilder& record, const char* name) {
  record::KernelObjectExtension extension{record::kKernelObjectMagic, {}};
  for (unsigned i = 0; i < record::kKernelObjectName && name[i] != '\0'; ++i) extension.name[i] = name[i];
  record.put(extension);
}

// The extension with the TLBs' contents.
class TlbPages {
 public:
  // Empty if `machine` is null.
  explicit TlbPages(const model::Machine* machine) : machine_(machine) {
    if (machine_ == nullptr) return;
    frames_ = machine_->geometry().physical && machine_->page_shift() == model::PageFrames::kPageShift;
    machine_->for_each_tlb_page([this](uint64_t) { ++held_; });
    count_ = held_ < record::kMaxTlbPages ? held_ : record::kMaxTlbPages;
  }

  [[nodiscard]] uint32_t bytes() const {
    if (machine_ == nullptr) return 0;
    return static_cast<uint32_t>(sizeof(record::TlbExtension) + padded_count() * sizeof(record::TlbPage));
  }

  void put(RecordBuilder& to) const {
    if (machine_ == nullptr) return;
    to.put(record::TlbExtension{record::kTlbMagic, static_cast<uint16_t>(count_),
                                static_cast<uint8_t>(machine_->page_shift()), flags()});
    uint32_t next = 0;
    const auto put_page = [&](uint64_t page) {
      if (next++ < count_) put_number(to, number_of(page));
    };
    machine_->for_each_tlb_page(put_page);
    for (uint32_t i = count_; i < padded_count(); ++i) put_number(to, record::kNoTlbPage);
  }

 private:
  static void put_number(RecordBuilder& to, uint64_t number) {
    to.put(record::TlbPage{static_cast<uint32_t>(number), static_cast<uint8_t>(number >> 32)});
  }
  [[nodiscard]] uint64_t number_of(uint64_t page) const {
    if (!frames_) return page;
    uint64_t frame = machine_->physical_address(page << machine_->page_shift()) >> machine_->page_shift();
    return frame == 0 ? record::kNoTlbPage : frame;
  }
  [[nodiscard]] uint8_t flags() const {
    return static_cast<uint8_t>((held_ == count_ ? record::kTlbComplete : 0) |
                                (frames_ ? record::kTlbFrames : 0));
  }
  [[nodiscard]] uint32_t padded_count() const { return (count_ + 7) / 8 * 8; }

  const model::Machine* machine_;
  uint32_t held_ = 0, count_ = 0;
  bool frames_ = false;
};

// The field order is the kernel's (perf_event_open(2), PERF_RECORD_SAMPLE).
inline RecordBuilder sample_record(const Session& session, uint64_t id, uint64_t period, const Cause& cause,
                                   const Moment& moment) {
  uint16_t mode = moment.in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
  RecordBuilder record(PERF_RECORD_SAMPLE, mode | PERF_RECORD_MISC_EXACT_IP);
  record.put(id);
  record.put(cause.ip);
  record.put(moment.pid);
  record.put(moment.tid);
  record.put(moment.time_ns);
  record.put(cause.address);
  record.put(period);
  if (session.call_chain_depth != 0) {
    record.put(uint64_t{moment.call_chain_length} + 1);
    record.put(static_cast<uint64_t>(PERF_CONTEXT_USER));
    record.put_bytes(moment.call_chain, moment.call_chain_length * 8);
  }
  // An apparent first use may have been preceded by uses before the measurement began.
  const auto with_history = [&](record::MissClass each) {
    bool is_first = each == record::MissClass::kCompulsory;
    return is_first && session.began_in_midst != 0 ? record::MissClass::kNoHistory : each;
  };
  const model::Outcome& outcome = cause.outcome;
  record::SampleExtension extension{
      record::kExtensionMagic,
      moment.run_cycles,
      cause.bytes,
      cause.kind,
      with_history(outcome.l1_class),
      with_history(outcome.l2_class),
      with_history(outcome.l3_class),
      cause.replay,
      has_run_time(session) ? record::CyclesOf::kRun : record::CyclesOf::kUnknown};
  const HeapBlock* block = moment.heap_block;
  bool has_steps = cause.steps.count != 0;
  bool has_what_if = cause.what_if.asked != 0;
  bool has_depths = cause.has_depths;
  bool has_object = moment.kernel_object != nullptr;
  bool by_kernel = cause.by_kernel;
  TlbPages tlb(moment.tlb);
  record.put(static_cast<uint32_t>(
      tlb.bytes() + sizeof(extension) + (has_object ? sizeof(record::KernelObjectExtension) : 0) +
      (block != nullptr ? sizeof(record::HeapBlockExtension) : 0) +
      (has_steps ? sizeof(record::StepsExtension) : 0) + (has_what_if ? sizeof(record::WhatIfExtension) : 0) +
      (has_depths ? sizeof(record::DepthsExtension) : 0) +
      (by_kernel ? sizeof(record::SystemCallExtension) : 0)));
  record.put(extension);
  if (has_object) put_kernel_object(record, moment.kernel_object);
  if (block != nullptr)
    record.put(record::HeapBlockExtension{record::kHeapBlockMagic, block->start, block->bytes, block->site});
  if (has_steps) record.put(record::StepsExtension{record::kStepsMagic, cause.steps});
  if (has_what_if) record.put(record::WhatIfExtension{record::kWhatIfMagic, cause.what_if, 0});
  if (has_depths) record.put(depths_extension(session, cause.depths));
  if (by_kernel) record.put(record::SystemCallExtension{record::kSystemCallMagic, 0});
  tlb.put(record);
  if (session.branch_filter != 0) put_branches(record, *moment.branches);
  record.put(uint64_t{cause.outcome.latency_cycles});
  record.put(data_source(cause));
  record.put(uint64_t{moment.has_registers ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_NONE});
  if (moment.has_registers) record.put(moment.registers);
  if (records_physical(session)) record.put(moment.physical_address);
  return record;
}

}  // namespace hm::soft
