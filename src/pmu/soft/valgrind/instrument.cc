// SPDX-License-Identifier: GPL-2.0-or-later
#include "core_model.h"
#include "instrumenter.h"
#include "prefetches.h"
#include "session_link.h"
#include "threads.h"

namespace hm::soft::vg {

using event::EventId;

Instrumenter::Instrumenter(const Demand& demand, IRSB* in)
    : demand_(demand), in_(in), out_(deepCopyIRSBExceptStmts(in)), ir_(out_) {}

IRSB* Instrumenter::run() {
  for (int i = 0; i < in_->stmts_used; ++i) {
    IRStmt* each = in_->stmts[i];
    if (each == nullptr || each->tag == Ist_NoOp) continue;
    if (!started_ && each->tag != Ist_IMark) {
      ir_.add(each);  // the preamble does not belong to the program
      continue;
    }
    statement(each);
  }
  if (started_) end_block();
  return out_;
}

void Instrumenter::statement(IRStmt* each) {
  switch (each->tag) {
    case Ist_IMark:
      if (started_) end_instruction();
      started_ = true;
      ir_.add(each);
      look_at_heap(each->Ist.IMark.addr);
      look_at_collection(each->Ist.IMark.addr);
      begin_instruction(each->Ist.IMark.addr, each->Ist.IMark.len);
      return;
    case Ist_WrTmp:
      write_temp(each);
      return;
    case Ist_Store:
      store(each->Ist.Store.addr, size_of(typeOfIRExpr(in_->tyenv, each->Ist.Store.data)));
      break;
    case Ist_StoreG: {
      IRStoreG* guarded = each->Ist.StoreG.details;
      store(guarded->addr, size_of(typeOfIRExpr(in_->tyenv, guarded->data)), guarded->guard);
      break;
    }
    case Ist_LoadG: {
      IRLoadG* guarded = each->Ist.LoadG.details;
      IRType result, loaded;
      typeOfIRLoadGOp(guarded->cvt, &result, &loaded);
      load(guarded->addr, size_of(loaded), guarded->guard);
      break;
    }
    case Ist_CAS:
      compare_and_swap(each->Ist.CAS.details);
      break;
    case Ist_Dirty:
      if (IRExpr* address = prefetched_address(each->Ist.Dirty.details)) return prefetch(address);
      dirty_call(each->Ist.Dirty.details);
      break;
    case Ist_Exit:
      side_exit(each);
      return;
    default:
      break;
  }
  ir_.add(each);
}

void Instrumenter::write_temp(IRStmt* each) {
  const IRExpr* value = each->Ist.WrTmp.data;
  if (value->tag == Iex_Load) load(value->Iex.Load.addr, size_of(value->Iex.Load.ty));
  ir_.add(each);
}

// Updates the hot counters; the next statement starts a new segment.
void Instrumenter::end_segment() {
  if (demand_.clock) ir_.site(call_site(hm_call_clock), IrBuilder::constant(instruction_.address));
  if (segment_.slots != 0) {
    Site site = site_here(SiteKind::kAdvance);
    site.loads = segment_.loads;
    site.stores = segment_.stores;
    ir_.site(site);
  }
  segment_ = Segment{};
}

void Instrumenter::end_block() {
  if (in_->jumpkind == Ijk_NoDecode) {
    ir_.only_where(nullptr);
    ir_.call("hm_call_undecodable", hm_call_undecodable, in_->next, IrBuilder::constant(0));
  }
  end_instruction();
  BranchKind kind = instruction_.kind.branch;
  block_exit();
  end_segment();
  check_activation_end(kind);
  look_for_allocators_return(kind);
}

// Decrements a counter inline and calls out if a sample is due.
void Instrumenter::count_down(EventId id, uint64_t events) {
  IRExpr* counter = IrBuilder::address_of(g_counters.remaining(id));
  IRExpr* left = ir_.binary(Iop_Sub64, ir_.load64(counter), if_collecting(IrBuilder::constant(events)));
  ir_.store64(counter, left);
  IRExpr* due = ir_.binary(Iop_CmpLE64S, left, IrBuilder::constant(0), Ity_I1);
  uint64_t site_and_event = instruction_.address << 8 | index_of(id);
  ir_.site(call_site(hm_call_overflow), IrBuilder::constant(site_and_event), due);
}

Site Instrumenter::site_here(SiteKind kind) const {
  Site site{};
  site.kind = kind;
  site.ticks = static_cast<uint16_t>(2 * segment_.slots);
  return site;
}

Site Instrumenter::call_site(void (*thunk)(), uint32_t info) const {
  Site site = site_here(SiteKind::kCall);
  site.thunk = thunk;
  site.info = info;
  return site;
}

}  // namespace hm::soft::vg
