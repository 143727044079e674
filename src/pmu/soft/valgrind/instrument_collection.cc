// SPDX-License-Identifier: GPL-2.0-or-later
// Instrumentation for a session that limits collection.
#include "collection.h"
#include "instrumenter.h"

namespace hm::soft::vg {
namespace {

constexpr int kStackPointer = offsetof(VexGuestAMD64State, guest_RSP);

}  // namespace

// Before the instruction at `address`: loads g_collecting, which is valid up to the next instruction that may
// change it.
void Instrumenter::look_at_collection(uint64_t address) {
  bool enters = is_entry(address);
  if (!is_limited() || (collecting_ != nullptr && !enters)) return;
  if (collecting_ != nullptr) end_segment();
  current_line_ = ~uint64_t{0};
  ir_.only_where(nullptr);
  if (enters) {
    IRExpr* is_off = ir_.binary(Iop_CmpEQ64, ir_.load64(IrBuilder::address_of(&g_collecting)),
                                IrBuilder::constant(0), Ity_I1);
    ir_.call_to_change(&g_collecting, "hm_call_enter", hm_call_enter, IrBuilder::constant(address),
                       ir_.get64(kStackPointer), is_off);
  }
  collecting_ = ir_.load64(IrBuilder::address_of(&g_collecting));
  only_where_collecting();
}

void Instrumenter::only_where_collecting() {
  if (collecting_ == nullptr) return;
  ir_.only_where(ir_.binary(Iop_CmpNE64, collecting_, IrBuilder::constant(0), Ity_I1));
}

// Instruments the end of a block that ends with a branch of this kind. Without an activation, no stack
// pointer is above g_activation_sp.
void Instrumenter::check_activation_end(BranchKind kind) {
  bool may_end =
      kind == BranchKind::kReturn || kind == BranchKind::kIndirectJump || kind == BranchKind::kIndirectCall;
  if (!may_end || !is_limited_to_functions()) return;
  IRExpr* sp = ir_.get64(kStackPointer);
  IRExpr* is_above =
      ir_.binary(Iop_CmpLT64U, ir_.load64(IrBuilder::address_of(&g_activation_sp)), sp, Ity_I1);
  ir_.call_to_change(&g_collecting, "hm_call_leave", hm_call_leave, sp, IrBuilder::constant(0), is_above);
}

IRExpr* Instrumenter::if_collecting(IRExpr* value) {
  return collecting_ == nullptr ? value : ir_.binary(Iop_And64, collecting_, value);
}

}  // namespace hm::soft::vg
