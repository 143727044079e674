// SPDX-License-Identifier: GPL-2.0-or-later
// The data side: checks loads and stores against the filter.
#include <initializer_list>

#include "core_model.h"
#include "instrumenter.h"
#include "threads.h"

namespace hm::soft::vg {
namespace {

using event::EventId;
using record::AccessKind;

bool same_atom(const IRExpr* a, const IRExpr* b) {
  if (a == nullptr || b == nullptr || a->tag != b->tag) return false;
  if (a->tag == Iex_RdTmp) return a->Iex.RdTmp.tmp == b->Iex.RdTmp.tmp;
  return a->tag == Iex_Const && a->Iex.Const.con->Ico.U64 == b->Iex.Const.con->Ico.U64;
}

AccessInfo info_of(const auto& access) { return {access.bytes, access.kind, access.locked}; }

}  // namespace

void Instrumenter::load(IRExpr* address, uint32_t bytes, IRExpr* guard) {
  access({address, bytes, AccessKind::kLoad, false, guard});
  instruction_.load_address = guard == nullptr ? address : nullptr;
  instruction_.load_bytes = bytes;
}

void Instrumenter::store(IRExpr* address, uint32_t bytes, IRExpr* guard) {
  access({address, bytes, AccessKind::kStore, false, guard});
}

// A prefetch is neither a load nor a store, and has no slot besides that of its instruction.
void Instrumenter::prefetch(IRExpr* address) {
  if (!demand_.data) return;
  Site site = site_here(SiteKind::kData);
  site.info = AccessInfo{1, AccessKind::kPrefetch, false}.pack();
  ir_.site(site, address);
}

// A locked instruction reads and writes. If VEX has already emitted a separate load, that load was the read.
void Instrumenter::compare_and_swap(const IRCAS* cas) {
  uint32_t bytes = size_of(typeOfIRExpr(in_->tyenv, cas->dataLo)) * (cas->dataHi == nullptr ? 1 : 2);
  if (!same_atom(instruction_.load_address, cas->addr)) {
    access({cas->addr, bytes, AccessKind::kReadModifyWrite, true});
    instruction_.load_address = cas->addr;
    instruction_.load_bytes = bytes;
  }
  access({cas->addr, bytes, AccessKind::kStore, true});
}

// Helper calls of VEX that access memory, for example to save processor state.
void Instrumenter::dirty_call(const IRDirty* dirty) {
  if (dirty->mFx == Ifx_None) return;
  auto bytes = static_cast<uint32_t>(dirty->mSize);
  auto* guard = dirty->guard;
  bool always = guard->tag == Iex_Const && guard->Iex.Const.con->Ico.U1;
  if (dirty->mFx != Ifx_Write)
    access({dirty->mAddr, bytes, AccessKind::kLoad, false, always ? nullptr : guard});
  if (dirty->mFx != Ifx_Read)
    access({dirty->mAddr, bytes, AccessKind::kStore, false, always ? nullptr : guard});
}

// Instruments one access: checks, stamps and counts it. The store of a read-modify-write needs no check,
// because the load has just made its line the most recent of its set, with a stamp.
void Instrumenter::access(const Access& each) {
  if (instruction_.bit_of_register) return;  // an access that only VEX makes
  bool is_store = each.kind == AccessKind::kStore;
  bool checked_already = is_store && each.guard == nullptr && each.bytes <= instruction_.load_bytes &&
                         same_atom(instruction_.load_address, each.address);
  if (demand_.data && !checked_already) {
    Site site = site_here(SiteKind::kData);
    site.info = info_of(each).pack();
    ir_.site(site, each.address, each.guard);
  }
  instruction_.load_address = nullptr;
  if (demand_.every_access()) watch(each);
  if (each.guard != nullptr) count_skipped(each.guard, is_store);
  ++segment_.slots;
  ++(is_store ? segment_.stores : segment_.loads);
  ++(is_store ? instruction_.stores : instruction_.loads);
  if (segment_.stores == HotCounters::kMaxStoresAtOnce) end_segment();
}

// Counts a guarded access that does not happen; it has a slot anyway.
void Instrumenter::count_skipped(IRExpr* guard, bool is_store) {
  IRExpr* skipped = ir_.unary(Iop_1Uto64, ir_.unary(Iop_Not1, guard, Ity_I1), Ity_I64);
  if (is_store) skipped = ir_.binary(Iop_Shl64, skipped, IRExpr_Const(IRConst_U8(HotCounters::kStoreShift)));
  ir_.put64(kSkippedOffset, ir_.binary(Iop_Add64, ir_.get64(kSkippedOffset), if_collecting(skipped)));
}

// Adds calls for models that need every access: the store buffer, caches of all sizes, and sampled memory
// events.
void Instrumenter::watch(const Access& each) {
  bool is_store = each.kind == AccessKind::kStore;
  uint32_t info = info_of(each).pack();
  if (demand_.store_buffer) {
    ir_.site(call_site(is_store ? hm_call_buffer_store : hm_call_buffer_load, info), each.address,
             each.guard);
  }
  if (demand_.sizes) ir_.site(call_site(hm_call_sizes, info), each.address, each.guard);
  if (!demand_.memory) return;
  IRExpr* one = each.guard == nullptr ? IrBuilder::constant(1) : ir_.unary(Iop_1Uto64, each.guard, Ity_I64);
  for (EventId id : {is_store ? EventId::kMemoryStores : EventId::kMemoryLoads, EventId::kMemoryMoves}) {
    if (!g_counters.sampled(id)) continue;
    IRExpr* counter = IrBuilder::address_of(g_counters.remaining(id));
    IRExpr* left = ir_.binary(Iop_Sub64, ir_.load64(counter), if_collecting(one));
    ir_.store64(counter, left);
    IRExpr* due = ir_.binary(Iop_CmpLE64S, left, IrBuilder::constant(0), Ity_I1);
    ir_.site(call_site(hm_call_memory_overflow, info), each.address, due);
  }
}

}  // namespace hm::soft::vg
