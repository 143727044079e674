// SPDX-License-Identifier: GPL-2.0-or-later
// Appends statements to a superblock in VEX's intermediate representation, kept flat as VEX wants it.
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

  // A site where `guard` (null: always) holds; `argument` is null for kinds that have none.
  void site(const Site& site, IRExpr* argument = nullptr, IRExpr* guard = nullptr) {
    IRExpr** arguments = argument == nullptr ? mkIRExprVec_0() : mkIRExprVec_1(argument);
    dirty(unsafeIRDirty_0_N(0, "site", reinterpret_cast<void*>(add_site(site)), arguments), guard);
  }

  // Calls a thunk.
  void call(const char* name, void (*thunk)(uint64_t, uint64_t), IRExpr* first, IRExpr* second) {
    dirty(unsafeIRDirty_0_N(0, name, reinterpret_cast<void*>(thunk), mkIRExprVec_2(first, second)), nullptr);
  }

 private:
  void dirty(IRDirty* call, IRExpr* guard) {
    if (guard != nullptr) call->guard = guard;
    add(IRStmt_Dirty(call));
  }

  IRSB* block_;
};

}  // namespace hm::soft::vg
