// SPDX-License-Identifier: GPL-2.0-or-later
// Branches: exits of the block, the branch stack, and the predictor. VEX is configured not to chase jumps, so
// every taken branch leaves its block.
#include "core_model.h"
#include "instrumenter.h"
#include "session_link.h"
#include "threads.h"

namespace hm::soft::vg {

using event::EventId;

// Adds a branch record that is written if `taken` holds (null: always).
void Instrumenter::push_branch(IRExpr* to, IRExpr* taken) {
  Site site = site_here(SiteKind::kBranch);
  site.address = instruction_.address;
  ir_.site(site, to, taken);
}

void Instrumenter::side_exit(IRStmt* exit) {
  if (instruction_.kind.branch == BranchKind::kConditional && exit->Ist.Exit.jk == Ijk_Boring) {
    conditional_branch(exit);
    return;
  }
  end_segment();
  ir_.add(exit);
}

// VEX may invert the condition, so that the exit is the fall-through path, and continuing in the block means
// taken.
void Instrumenter::conditional_branch(IRStmt* exit) {
  IRExpr* leaves = exit->Ist.Exit.guard;
  uint64_t fall_through = instruction_.address + instruction_.length;
  uint64_t exit_target = exit->Ist.Exit.dst->Ico.U64;
  bool leaving_is_taken = exit_target != fall_through;
  IRExpr* from = IrBuilder::constant(instruction_.address);
  IRExpr* taken = leaves;
  if (!leaving_is_taken) taken = ir_.unary(Iop_Not1, leaves, Ity_I1);

  if (demand_.branches) count_down(EventId::kBranchRetired, 1);
  if (demand_.predictor) {
    ir_.call("hm_call_conditional", hm_call_conditional, from, ir_.unary(Iop_1Uto64, taken, Ity_I64));
  }
  bool record = demand_.records(BranchKind::kConditional);
  if (record && leaving_is_taken) push_branch(IrBuilder::constant(exit_target), taken);
  end_segment();
  ir_.add(exit);
  if (record && !leaving_is_taken) push_branch(in_->next, nullptr);
  instruction_.kind.branch = BranchKind::kNone;  // handled
}

void Instrumenter::block_exit() {
  BranchKind kind = instruction_.kind.branch;
  if (kind == BranchKind::kNone || kind == BranchKind::kConditional) return;
  if (demand_.branches) count_down(EventId::kBranchRetired, 1);
  if (demand_.predictor) predict(kind, in_->next);
  if (demand_.records(kind)) push_branch(in_->next, nullptr);
}

void Instrumenter::predict(BranchKind kind, IRExpr* target) {
  IRExpr* from = IrBuilder::constant(instruction_.address);
  if (kind == BranchKind::kReturn) {
    if (demand_.predicts_returns) ir_.call("hm_call_return", hm_call_return, from, target);
    return;
  }
  if (kind == BranchKind::kIndirectJump || kind == BranchKind::kIndirectCall) {
    ir_.call("hm_call_indirect", hm_call_indirect, from, target);
  }
  bool calls = kind == BranchKind::kCall || kind == BranchKind::kIndirectCall;
  if (calls && demand_.predicts_returns) {
    IRExpr* back = IrBuilder::constant(instruction_.address + instruction_.length);
    ir_.call("hm_call_call", hm_call_call, from, back);
  }
}

}  // namespace hm::soft::vg
