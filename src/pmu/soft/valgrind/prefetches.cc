// SPDX-License-Identifier: GPL-2.0-or-later
// The linker redirects VEX's calls of its disassembler here (--wrap). Layout: DisResult in
// VEX/priv/guest_generic_bb_to_IR.h, Valgrind 3.19.
#include "prefetches.h"

#include "ir_builder.h"
#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::vg {
namespace {

using direct::Access;

void stands_for_prefetch() {}

// True for the opcodes 0F 18 and 0F 0D, after any prefixes.
bool looks_like_prefetch(const uint8_t* code, uint32_t length) {
  for (uint32_t i = 0; i + 2 < length; ++i) {
    if (code[i] == 0x0f) return code[i + 1] == 0x18 || code[i + 1] == 0x0d;
  }
  return false;
}

const Access* prefetch_of(const direct::Instruction& instruction) {
  bool is_one =
      instruction.access_count == 1 && instruction.accesses[0].kind == direct::AccessKind::kPrefetch;
  return is_one ? &instruction.accesses[0] : nullptr;
}

IRExpr* register_value(IrBuilder& ir, uint8_t number) {
  return ir.get64(static_cast<int>(offsetof(VexGuestAMD64State, guest_RAX) + 8 * number));
}

IRExpr* segment_base(IrBuilder& ir, direct::Segment segment) {
  bool fs = segment == direct::Segment::kFs;
  return ir.get64(fs ? offsetof(VexGuestAMD64State, guest_FS_CONST)
                     : offsetof(VexGuestAMD64State, guest_GS_CONST));
}

IRExpr* address_of(IrBuilder& ir, const Access& access) {
  IRExpr* address = IrBuilder::constant(static_cast<uint64_t>(access.displacement));
  const auto add = [&](IRExpr* value) { address = ir.binary(Iop_Add64, address, value); };
  if (access.base != direct::kNoRegister) add(register_value(ir, access.base));
  if (access.index != direct::kNoRegister) {
    auto shift = static_cast<uint8_t>(__builtin_ctz(access.scale));
    add(ir.binary(Iop_Shl64, register_value(ir, access.index), IRExpr_Const(IRConst_U8(shift))));
  }
  if (access.address32) address = ir.binary(Iop_And64, address, IrBuilder::constant(0xffffffff));
  if (access.segment != direct::Segment::kNone) add(segment_base(ir, access.segment));
  return address;
}

}  // namespace

IRExpr* prefetched_address(const IRDirty* call) {
  return call->cee->addr == reinterpret_cast<void*>(stands_for_prefetch) ? call->args[0] : nullptr;
}

void keep_prefetch(IRSB* block, const uint8_t* code, uint32_t length, uint64_t address) {
  direct::Instruction instruction;
  if (!looks_like_prefetch(code, length) || !direct::decode(code, length, address, instruction)) return;
  const Access* prefetch = prefetch_of(instruction);
  if (prefetch == nullptr) return;
  IRStmt* sets_next_ip = block->stmts[--block->stmts_used];  // VEX requires this to be an instruction's last
                                                             // statement
  IrBuilder ir(block);
  IRExpr** arguments = mkIRExprVec_1(address_of(ir, *prefetch));
  static char name[] = "prefetch";
  ir.add(IRStmt_Dirty(unsafeIRDirty_0_N(0, name, reinterpret_cast<void*>(stands_for_prefetch), arguments)));
  ir.add(sets_next_ip);
}

}  // namespace hm::soft::vg

extern "C" {

struct DisResult {
  uint32_t length;
  uint32_t what_next;
  uint32_t hint;
  uint32_t jump_kind;
};

DisResult __real_disInstr_AMD64(IRSB* block, const uint8_t* code, int64_t offset, uint64_t address,
                                VexArch architecture, const VexArchInfo* host, const VexAbiInfo* abi,
                                VexEndness endness, unsigned char reports_unknown);

DisResult __wrap_disInstr_AMD64(IRSB* block, const uint8_t* code, int64_t offset, uint64_t address,
                                VexArch architecture, const VexArchInfo* host, const VexAbiInfo* abi,
                                VexEndness endness, unsigned char reports_unknown) {
  DisResult result =
      __real_disInstr_AMD64(block, code, offset, address, architecture, host, abi, endness, reports_unknown);
  hm::soft::vg::keep_prefetch(block, code + offset, result.length, address);
  return result;
}
}
