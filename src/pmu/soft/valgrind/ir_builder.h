// SPDX-License-Identifier: GPL-2.0-or-later
// Appends statements to a superblock in VEX's intermediate representation, in the flat form that VEX
// requires.
#pragma once

#include <stdint.h>

#include "site.h"
#include "valgrind_api.h"

namespace hm::soft::vg {

class IrBuilder {
 public:
  explicit IrBuilder(IRSB* block) : block_(block) {}

  void add(IRStmt* statement) { addStmtToIRSB(block_, statement); }

  IRExpr* bind(IRExpr* value, IRType type = Ity_I64) {
    IRTemp temp = newIRTemp(block_->tyenv, type);
    add(IRStmt_WrTmp(temp, value));
    return IRExpr_RdTmp(temp);
  }

  static IRExpr* constant(uint64_t value) { return IRExpr_Const(IRConst_U64(value)); }
  template <typename T>
  static IRExpr* address_of(T* object) {
    return constant(reinterpret_cast<uint64_t>(object));
  }

  IRExpr* binary(IROp op, IRExpr* a, IRExpr* b, IRType type = Ity_I64) {
    return bind(IRExpr_Binop(op, a, b), type);
  }
  IRExpr* unary(IROp op, IRExpr* a, IRType type) { return bind(IRExpr_Unop(op, a), type); }
  IRExpr* load64(IRExpr* address) { return bind(IRExpr_Load(Iend_LE, Ity_I64, address)); }
  void store64(IRExpr* address, IRExpr* value) { add(IRStmt_Store(Iend_LE, address, value)); }

  IRExpr* get64(int state_offset) { return bind(IRExpr_Get(state_offset, Ity_I64)); }
  void put64(int state_offset, IRExpr* value) { add(IRStmt_Put(state_offset, value)); }

  // Makes further sites and calls conditional on `condition`; null: unconditional.
  void only_where(IRExpr* condition) { condition_ = condition; }

  // Adds a site, executed if `guard` holds (null: always). `argument` is null for kinds without an argument.
  void site(const Site& site, IRExpr* argument = nullptr, IRExpr* guard = nullptr) {
    IRExpr** arguments = argument == nullptr ? mkIRExprVec_0() : mkIRExprVec_1(argument);
    dirty(unsafeIRDirty_0_N(0, "site", reinterpret_cast<void*>(add_site(site)), arguments), guard);
  }

  // Calls a thunk.
  void call(const char* name, void (*thunk)(uint64_t, uint64_t), IRExpr* first, IRExpr* second) {
    dirty(thunk_call(name, thunk, first, second), nullptr);
  }

  // Calls a thunk if `guard` holds; it may change the word at `changed`.
  void call_to_change(uint64_t* changed, const char* name, void (*thunk)(uint64_t, uint64_t), IRExpr* first,
                      IRExpr* second, IRExpr* guard) {
    IRDirty* call = thunk_call(name, thunk, first, second);
    call->mFx = Ifx_Modify;
    call->mAddr = address_of(changed);
    call->mSize = sizeof(*changed);
    dirty(call, guard);
  }

 private:
  static IRDirty* thunk_call(const char* name, void (*thunk)(uint64_t, uint64_t), IRExpr* first,
                             IRExpr* second) {
    return unsafeIRDirty_0_N(0, name, reinterpret_cast<void*>(thunk), mkIRExprVec_2(first, second));
  }

  void dirty(IRDirty* call, IRExpr* guard) {
    bool both = guard != nullptr && condition_ != nullptr;
    if (both) guard = binary(Iop_And1, guard, condition_, Ity_I1);
    if (guard == nullptr) guard = condition_;
    if (guard != nullptr) call->guard = guard;
    add(IRStmt_Dirty(call));
  }

  IRSB* block_;
  IRExpr* condition_ = nullptr;
};

}  // namespace hm::soft::vg
