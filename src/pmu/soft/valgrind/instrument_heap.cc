// SPDX-License-Identifier: GPL-2.0-or-later
// Instrumentation of allocators' entries and of their possible returns.
#include "heap.h"
#include "instrumenter.h"

namespace hm::soft::vg {

// Before the instruction at `address`, independent of whether the thread is collected.
void Instrumenter::look_at_heap(uint64_t address) {
  if (!is_allocator(address)) return;
  ir_.only_where(nullptr);
  ir_.call_to_change(&g_allocator_stack, "hm_call_allocate", hm_call_allocate, IrBuilder::constant(address),
                     IrBuilder::constant(0), nullptr);
  only_where_collecting();
}

// Instruments the end of a block that ends with a branch of this kind.
void Instrumenter::look_for_allocators_return(BranchKind kind) {
  if (kind != BranchKind::kReturn || !is_heap_observed()) return;
  ir_.only_where(nullptr);
  IRExpr* sp = ir_.get64(offsetof(VexGuestAMD64State, guest_RSP));
  IRExpr* result = ir_.get64(offsetof(VexGuestAMD64State, guest_RAX));
  IRExpr* is_above =
      ir_.binary(Iop_CmpLT64U, ir_.load64(IrBuilder::address_of(&g_allocator_stack)), sp, Ity_I1);
  ir_.call_to_change(&g_allocator_stack, "hm_call_allocated", hm_call_allocated, sp, result, is_above);
}

}  // namespace hm::soft::vg
