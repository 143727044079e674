// SPDX-License-Identifier: GPL-2.0-or-later
// Appends statements to a superblock in VEX's intermediate representation, kept flat as VEX wants it.
#pragma once

#include <stdint.h>

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
  IRExpr* add64(IRExpr* a, uint64_t b) { return binary(Iop_Add64, a, constant(b)); }
  IRExpr* and64(IRExpr* a, uint64_t b) { return binary(Iop_And64, a, constant(b)); }
  IRExpr* shift_right(IRExpr* a, unsigned by) {
    return by == 0 ? a : binary(Iop_Shr64, a, IRExpr_Const(IRConst_U8(static_cast<UChar>(by))));
  }

  IRExpr* load64(IRExpr* address) { return bind(IRExpr_Load(Iend_LE, Ity_I64, address)); }
  void store64(IRExpr* address, IRExpr* value) { add(IRStmt_Store(Iend_LE, address, value)); }
  // Stores only where `guard` (an I1, or null for always) holds.
  void store64(IRExpr* address, IRExpr* value, IRExpr* guard) {
    add(guard == nullptr ? IRStmt_Store(Iend_LE, address, value)
                         : IRStmt_StoreG(Iend_LE, address, value, guard));
  }

  IRExpr* get64(int state_offset) { return bind(IRExpr_Get(state_offset, Ity_I64)); }
  void put64(int state_offset, IRExpr* value) { add(IRStmt_Put(state_offset, value)); }

  // Both must hold; a null guard always does.
  IRExpr* both(IRExpr* a, IRExpr* b) {
    if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
    IRExpr* wide_a = unary(Iop_1Uto64, a, Ity_I64);
    IRExpr* wide_b = unary(Iop_1Uto64, b, Ity_I64);
    return unary(Iop_64to1, binary(Iop_And64, wide_a, wide_b), Ity_I1);
  }

  // Calls a thunk where `guard` (null: always) holds.
  void call(const char* name, void (*thunk)(uint64_t, uint64_t), IRExpr* first, IRExpr* second,
            IRExpr* guard) {
    IRDirty* dirty = unsafeIRDirty_0_N(0, name, reinterpret_cast<void*>(thunk), mkIRExprVec_2(first, second));
    if (guard != nullptr) dirty->guard = guard;
    add(IRStmt_Dirty(dirty));
  }

 private:
  IRSB* block_;
};

}  // namespace hm::soft::vg
