// SPDX-License-Identifier: MIT
// One decoded instruction of 64-bit code: the positions of its parts, its branch target, the registers and
// flags that it uses, and the memory that it accesses. Freestanding. Encodings: Intel SDM volume 2, chapters
// 2 and 3, appendix A.
//
// The properties of instructions come from a table that is made with Zydis when hardmeter is built.
// oracle/oracle.h lists the properties that Zydis lacks, that are needed to rewrite code, and that the table
// adds.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pmu/soft/direct/decode/operation.h"
#include "pmu/soft/sampling/instruction_class.h"

namespace hm::soft::direct {

// Replaces a register's number. Registers have the processor's numbers: rax 0, rcx 1, rdx 2, rbx 3, rsp 4,
// rbp 5, rsi 6, rdi 7.
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

enum class Segment : uint8_t { kNone, kFs, kGs };  // the other segments have base 0 in 64-bit code

enum class Flow : uint8_t {
  kNone,             // continues at the next instruction
  kConditionalJump,  // jcc: `condition`, `target`
  kCountedJump,      // loop, loope, loopne, jrcxz: `target`
  kJump,             // `target`
  kIndirectJump,
  kCall,  // `target`
  kIndirectCall,
  kReturn,      // near return; releases `immediate` further bytes of stack
  kSystemCall,  // syscall; the registers that the kernel reads (rax, rdi, ...) are not in registers_read
  kTrap,   // ends in a fault, a trap or an interrupt in user mode: int3, int n, ud2, hlt, all privileged ones
  kOther,  // far jumps, calls and returns, iret, sysenter, xbegin: not followed
};

// Effect of a rep prefix on a string instruction. kNone for prefixes with another meaning or none.
enum class Repeat : uint8_t { kNone, kRep, kRepe, kRepne };

enum class StringOperation : uint8_t { kNone, kMovs, kCmps, kStos, kLods, kScas };

// An encoding field that may name a general register. R, X and B are bits of REX, VEX or EVEX; the latter two
// store them inverted. A two-byte VEX has only R.
enum class Field : uint8_t {
  kReg,   // ModRM.reg: bits 3 to 5 of ModRM; fourth bit: R
  kRm,    // ModRM.rm as a register: bits 0 to 2 of ModRM; fourth bit: B
  kVvvv,  // VEX.vvvv or EVEX.vvvv: bits 3 to 6 of the prefix's last byte (VEX) or third byte (EVEX), inverted
  kOpcode,  // bits 0 to 2 of the opcode; fourth bit: B
  kBase,    // bits 0 to 2 of SIB if there is one, else of ModRM; fourth bit: B
  kIndex,   // bits 3 to 5 of SIB; fourth bit: X
};
inline constexpr unsigned kFields = 6;

struct RegisterField {
  uint8_t number = kNoRegister;  // 0 to 15, or kNoRegister if the field names no general register
  bool read = false;
  bool written = false;
};

enum class AccessKind : uint8_t {
  kOperand,    // ModRM names the address
  kBitString,  // bt, bts, btr, btc with a bit number in a register (Field::kReg, signed, as wide as `bytes`):
               // the access is number >> 3 bytes from the address, rounded down to a multiple of `bytes`
  kPush,       // at rsp + displacement, with the value of rsp before the instruction
  kPop,        // at rsp before the instruction; leave pops at rbp
  kStringSource,       // at rsi
  kStringDestination,  // at rdi
  kAbsolute,           // mov between rax and a 64-bit address (`displacement`)
  kXlat,               // at rbx + al
  kGather,             // `count` elements, each at base + scale * its index + displacement
  kScatter,            // same elements as kGather
  kPrefetch,           // of the line that ModRM names: neither a load nor a store, and never a fault
  kFlush,              // clflush, clflushopt of the line that ModRM names: neither a load nor a store
  kState,  // saved or restored processor state of 28 bytes or more: fnstenv, fxsave, xsave, ...; the size of
           // the xsave family (bytes 0) depends on the machine
  kOther,  // maskmovq and maskmovdqu at rdi, clzero at the line of rax, the destination of movdir64b and
           // enqcmd in a register; tileload and tilestore (bytes 0): rows `index` bytes apart
};

// One access to memory. Its address is base + scale * index + displacement (+ the segment's base), with the
// register values before the instruction.
struct Access {
  int64_t displacement = 0;  // with EVEX's scale applied; if rip_relative: the address itself
  uint16_t bytes = 0;        // size of one element; 0: the instruction does not determine the size
  uint8_t count = 1;         // number of elements; more than 1 only in gathers and scatters
  AccessKind kind = AccessKind::kOperand;
  uint8_t base = kNoRegister;
  uint8_t index = kNoRegister;  // general register; in gathers and scatters the vector register, 0 to 31
  uint8_t scale = 0;            // 1, 2, 4, 8; 0 if there is no index
  uint8_t index_bytes = 0;      // size of one index in gathers and scatters
  // Size of each element in memory that bit i of EVEX's mask register enables; 0: the whole operand is
  // accessed whatever the mask.
  uint8_t element_bytes = 0;
  Segment segment = Segment::kNone;
  bool loads = false;
  bool stores = false;
  bool locked = false;        // lock prefix, or xchg
  bool masked = false;        // accesses only the elements that a mask selects
  bool broadcast = false;     // EVEX.b: `bytes` is the size of the one element that is read
  bool rip_relative = false;  // no base and no index: see `displacement`
  bool address32 = false;  // prefix 67: the sum is truncated to 32 bits (before the segment's base is added)
};

inline constexpr unsigned kMaxAccesses = 2;

struct Instruction {
  uint64_t target = 0;     // target of direct jumps and calls
  uint64_t immediate = 0;  // sign-extended if the instruction does so; of two immediates (enter), the first
                           // is in the low bits

  uint8_t length = 0;         // 1 to 15
  uint8_t prefix_offset = 0;  // offset of the first byte of VEX or EVEX, or of REX if `rex` is not 0
  uint8_t opcode_offset = 0;  // offset of the opcode's last byte, which is `opcode`
  uint8_t modrm_offset = 0;   // 0: no ModRM; also 0 in the offsets below if the part is absent
  uint8_t sib_offset = 0;
  uint8_t displacement_offset = 0;
  uint8_t displacement_bytes = 0;  // 0, 1, 4 or 8 (4 or 8 for kAbsolute)
  uint8_t immediate_offset = 0;    // branch offsets are immediates
  uint8_t immediate_bytes = 0;     // size of all immediates

  Encoding encoding = Encoding::kLegacy;
  uint8_t map = 0;  // 0: one-byte opcodes, 1: 0F, 2: 0F 38, 3: 0F 3A, 5 and 6: only in EVEX
  uint8_t opcode = 0;
  uint8_t modrm = 0;
  uint8_t rex = 0;         // the whole byte; 0: none
  bool prefix_66 = false;  // if F2 and F3 are both present, only the last one is set below
  bool prefix_67 = false;
  bool prefix_f2 = false;
  bool prefix_f3 = false;
  bool prefix_lock = false;
  bool names_high_byte = false;    // names ah, ch, dh or bh (as rax to rbx below): must not get a REX prefix
  bool uses_vector_state = false;  // uses x87, MMX, vector or mask registers, or their control registers
  Segment segment = Segment::kNone;  // segment prefix, whether or not there is an access

  Flow flow = Flow::kNone;
  uint8_t condition = 0;  // for kConditionalJump: the opcode's low four bits (0: o, 1: no, 2: b, ...)
  Repeat repeat = Repeat::kNone;
  StringOperation string_operation = StringOperation::kNone;

  // Bit n stands for general register n. Address registers and implicit registers are included. A write to 8
  // or 16 bits, or a write that may not happen, also counts as a read. A write to 32 bits replaces the whole
  // register.
  uint16_t registers_read = 0;
  uint16_t registers_written = 0;
  uint16_t registers_fixed = 0;  // registers that are used without a field naming them: they cannot be
                                 // replaced by others

  // flags_written has the flags that every execution changes: sets, clears or leaves undefined. A shift with
  // a count that may be 0 and a repeated compare have none.
  uint16_t flags_read = 0;
  uint16_t flags_written = 0;

  InstructionClass kind;
  Operation operation = Operation::kSimple;
  bool gives_zero = false;  // the result is 0 whatever the registers hold: xor of a register with itself
  // Bit n stands for vector register n. Without registers that neither ModRM nor vvvv names.
  uint32_t vectors_read = 0;
  uint32_t vectors_written = 0;

  RegisterField fields[kFields];  // indexed by Field
  uint8_t access_count = 0;
  Access accesses[kMaxAccesses];  // in the order in which they happen; empty for kTrap and kOther

  [[nodiscard]] const RegisterField& field(Field which) const { return fields[static_cast<unsigned>(which)]; }
};

// Returns the kind of branch of an instruction with this flow. Branches that leave the program or its segment
// are kNone.
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
// Returns false if the bytes are no instruction, end within one, or hold an unsupported one; `out` is then
// undefined. Not supported: 3DNow!, XOP, Knights Corner's (MVEX), VIA's PadLock, and enter with nested
// frames. The MPX instructions are no-operations, as on processors without MPX.
[[nodiscard]] bool decode(const uint8_t* code, size_t available, uint64_t address, Instruction& out);

}  // namespace hm::soft::direct
