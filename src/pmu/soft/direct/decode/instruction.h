// SPDX-License-Identifier: MIT
// One instruction of 64-bit code, decoded: where its parts are, where it leads, which registers and flags it
// uses, which memory it touches. Freestanding. Encodings: Intel SDM volume 2, chapters 2 and 3, appendix A.
//
// What an instruction does comes from a table that is made from Zydis when hardmeter is built;
// oracle/oracle.h lists where Zydis says too little for code that is to be changed, and the table says more.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pmu/soft/sampling/instruction_class.h"

namespace hm::soft::direct {

// In place of a register's number. Numbers are the processor's: rax 0, rcx 1, rdx 2, rbx 3, rsp 4, rbp 5, rsi
// 6, rdi 7.
inline constexpr uint8_t kNoRegister = 0xff;

// Bits of rflags, as flags_read and flags_written use them.
inline constexpr uint16_t kCarryFlag = 1 << 0;
inline constexpr uint16_t kParityFlag = 1 << 2;
inline constexpr uint16_t kAdjustFlag = 1 << 4;
inline constexpr uint16_t kZeroFlag = 1 << 6;
inline constexpr uint16_t kSignFlag = 1 << 7;
inline constexpr uint16_t kDirectionFlag = 1 << 10;
inline constexpr uint16_t kOverflowFlag = 1 << 11;
inline constexpr uint16_t kStatusFlags =
    kCarryFlag | kParityFlag | kAdjustFlag | kZeroFlag | kSignFlag | kOverflowFlag;

enum class Encoding : uint8_t { kLegacy, kVex, kEvex };

enum class Segment : uint8_t { kNone, kFs, kGs };  // the others have base 0 in 64-bit code

enum class Flow : uint8_t {
  kNone,             // goes on to the next instruction
  kConditionalJump,  // jcc: `condition`, `target`
  kCountedJump,      // loop, loope, loopne, jrcxz: `target`
  kJump,             // `target`
  kIndirectJump,
  kCall,  // `target`
  kIndirectCall,
  kReturn,      // near; releases `immediate` further bytes of stack
  kSystemCall,  // syscall. What the kernel reads (rax, rdi, ...) is not among the registers read
  kTrap,   // ends in a fault, a trap or an interrupt in user mode: int3, int n, ud2, hlt, all privileged ones
  kOther,  // far jumps, calls and returns, iret, sysenter, xbegin: not followed
};

// What a rep prefix makes of a string instruction; prefixes that mean something else, or nothing, are kNone.
enum class Repeat : uint8_t { kNone, kRep, kRepe, kRepne };

enum class StringOperation : uint8_t { kNone, kMovs, kCmps, kStos, kLods, kScas };

// An encoding field that may name a general register. R, X and B are REX's, VEX' or EVEX', inverted in the
// latter two; a VEX of two bytes has R alone.
enum class Field : uint8_t {
  kReg,   // ModRM.reg: bits 3 to 5 of ModRM; fourth bit: R
  kRm,    // ModRM.rm as a register: bits 0 to 2 of ModRM; fourth bit: B
  kVvvv,  // VEX.vvvv or EVEX.vvvv: bits 3 to 6 of the prefix's last byte (VEX) or third byte (EVEX), inverted
  kOpcode,  // bits 0 to 2 of the opcode; fourth bit: B
  kBase,    // bits 0 to 2 of SIB where there is one, else of ModRM; fourth bit: B
  kIndex,   // bits 3 to 5 of SIB; fourth bit: X
};
inline constexpr unsigned kFields = 6;

struct RegisterField {
  uint8_t number = kNoRegister;  // 0 to 15, or kNoRegister where the field names no general register
  bool read = false;
  bool written = false;
};

enum class AccessKind : uint8_t {
  kOperand,    // ModRM names the address
  kBitString,  // bt, bts, btr, btc with a bit number in a register (Field::kReg, signed, as wide as `bytes`):
               // lies number >> 3 bytes from the address, cut to a multiple of `bytes`
  kPush,       // at rsp + displacement, as rsp was before the instruction
  kPop,        // likewise; leave pops at rbp
  kStringSource,       // at rsi
  kStringDestination,  // at rdi
  kAbsolute,           // mov between rax and a 64-bit address (`displacement`)
  kXlat,               // at rbx + al
  kGather,             // `count` elements, each at base + scale * its index + displacement
  kScatter,            // likewise
  kPrefetch,           // of the line that ModRM names: neither load nor store, and never a fault
  kState,  // saved or restored processor state of 28 bytes or more: fnstenv, fxsave, xsave, ...: the size
           // of the xsave family (bytes 0) is the machine's
  kOther,  // maskmovq and maskmovdqu at rdi, clzero at the line of rax, the destination of movdir64b and
           // enqcmd in a register; tileload and tilestore (bytes 0): rows `index` bytes apart
};

// One access to memory. Its address: base + scale * index + displacement (+ the segment's base), with the
// registers as they were before the instruction.
struct Access {
  int64_t displacement = 0;  // EVEX's scale applied; with rip_relative: the address itself
  uint16_t bytes = 0;        // of one element; 0: not told by the instruction
  uint8_t count = 1;         // elements; more than 1 only in gathers and scatters
  AccessKind kind = AccessKind::kOperand;
  uint8_t base = kNoRegister;
  uint8_t index = kNoRegister;  // general register; in gathers and scatters the vector register, 0 to 31
  uint8_t scale = 0;            // 1, 2, 4, 8; 0 without index
  uint8_t index_bytes = 0;      // of one index in gathers and scatters
  // Of each element in memory that bit i of EVEX's mask register lets through; 0: the whole operand is
  // touched whatever the mask says.
  uint8_t element_bytes = 0;
  Segment segment = Segment::kNone;
  bool loads = false;
  bool stores = false;
  bool locked = false;        // lock prefix, or xchg
  bool masked = false;        // element by element, those that a mask selects
  bool broadcast = false;     // EVEX.b: `bytes` is the one element that is read
  bool rip_relative = false;  // no base and no index: see `displacement`
  bool address32 = false;     // 67: the sum is cut to 32 bits (before the segment's base is added)
};

inline constexpr unsigned kMaxAccesses = 2;

struct Instruction {
  uint64_t target = 0;     // of direct jumps and calls
  uint64_t immediate = 0;  // sign-extended where the instruction does so; of two (enter) the first is lowest

  uint8_t length = 0;         // 1 to 15
  uint8_t prefix_offset = 0;  // of the first byte of VEX or EVEX, or of REX where `rex` is one
  uint8_t opcode_offset = 0;  // of the opcode's last byte, which `opcode` is
  uint8_t modrm_offset = 0;   // 0: none, here and below
  uint8_t sib_offset = 0;
  uint8_t displacement_offset = 0;
  uint8_t displacement_bytes = 0;  // 0, 1, 4 or 8 (4 or 8 for kAbsolute)
  uint8_t immediate_offset = 0;    // branch offsets are immediates
  uint8_t immediate_bytes = 0;     // all of them

  Encoding encoding = Encoding::kLegacy;
  uint8_t map = 0;  // 0: one byte, 1: 0F, 2: 0F 38, 3: 0F 3A, 5 and 6: EVEX's
  uint8_t opcode = 0;
  uint8_t modrm = 0;
  uint8_t rex = 0;         // the whole byte, 0: none
  bool prefix_66 = false;  // the last of F2 and F3 counts
  bool prefix_67 = false;
  bool prefix_f2 = false;
  bool prefix_f3 = false;
  bool prefix_lock = false;
  bool names_high_byte = false;      // ah, ch, dh or bh (as rax to rbx below): takes no REX prefix
  bool uses_vector_state = false;    // x87, MMX, vector or mask registers, or their control
  Segment segment = Segment::kNone;  // the prefix, whether or not there is an access

  Flow flow = Flow::kNone;
  uint8_t condition = 0;  // of kConditionalJump: the opcode's low four bits (0: o, 1: no, 2: b, ...)
  Repeat repeat = Repeat::kNone;
  StringOperation string_operation = StringOperation::kNone;

  // Bit n is general register n; address registers and implicit ones included. A write to 8 or 16 bits, or
  // one that may not happen, counts as read too; one to 32 bits is whole.
  uint16_t registers_read = 0;
  uint16_t registers_written = 0;
  uint16_t registers_fixed = 0;  // those of the two that no field names: they cannot be exchanged for others

  // flags_written holds what surely changes hands, in every execution: set, cleared or left undefined. A
  // shift whose count may be 0 and a repeated compare write none surely.
  uint16_t flags_read = 0;
  uint16_t flags_written = 0;

  InstructionClass kind;

  RegisterField fields[kFields];  // by Field
  uint8_t access_count = 0;
  Access accesses[kMaxAccesses];  // in the order in which they happen; none of kTrap and kOther

  [[nodiscard]] const RegisterField& field(Field which) const { return fields[static_cast<unsigned>(which)]; }
};

// The kind of branch that an instruction of this flow is. Those that leave the program or its segment are
// none.
constexpr BranchKind branch_of(Flow flow) {
  switch (flow) {
    case Flow::kConditionalJump:
    case Flow::kCountedJump:
      return BranchKind::kConditional;
    case Flow::kJump:
      return BranchKind::kJump;
    case Flow::kIndirectJump:
      return BranchKind::kIndirectJump;
    case Flow::kCall:
      return BranchKind::kCall;
    case Flow::kIndirectCall:
      return BranchKind::kIndirectCall;
    case Flow::kReturn:
      return BranchKind::kReturn;
    default:
      return BranchKind::kNone;
  }
}

// Decodes the instruction at `code`, which lies at `address` in the program; reads at most `available` bytes.
// False: they are no instruction, end within one, or hold one that is not supported; `out`
// then means nothing. Not supported: 3DNow!, XOP, Knights Corner's (MVEX), VIA's PadLock, and enter with
// nested frames. The MPX instructions are what they are to processors without MPX: no-operations.
[[nodiscard]] bool decode(const uint8_t* code, size_t available, uint64_t address, Instruction& out);

}  // namespace hm::soft::direct
