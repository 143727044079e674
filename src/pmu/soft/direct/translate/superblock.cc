// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/translate/superblock.h"

#include "pmu/soft/direct/translate/code_cache.h"

namespace hm::soft::direct {
namespace {

constexpr unsigned kLongestInstruction = 15;

bool decode_at(const ProgramFacts& program, uint64_t address, Instruction& out) {
  uint64_t end = program.executable_end(address);
  if (end <= address) return false;
  uint64_t available = end - address;
  return decode(reinterpret_cast<const uint8_t*>(address),
                available < kLongestInstruction ? available : kLongestInstruction, address, out);
}

bool accesses_gs(const Instruction& instruction) {
  constexpr uint8_t kGroup15 = 0xae;
  bool names_address = instruction.map == 1 && instruction.opcode == kGroup15;  // clwb, which has no access
  if (names_address) return instruction.segment == Segment::kGs;
  for (unsigned i = 0; i < instruction.access_count; ++i) {
    if (instruction.accesses[i].segment == Segment::kGs) return true;
  }
  return false;
}

// Returns true for a near branch whose prefix 66 AMD's processors obey: they truncate the target to 16 bits,
// and some forms are shorter. Intel's ignore the prefix. AMD64 manual volume 3, "Near branches in 64-bit
// mode".
bool depends_on_vendor(const Instruction& instruction) {
  constexpr uint8_t kRexW = 8;
  bool is_near_branch = instruction.flow != Flow::kNone && instruction.flow != Flow::kSystemCall &&
                        instruction.flow != Flow::kTrap && instruction.flow != Flow::kOther;
  return is_near_branch && instruction.prefix_66 && (instruction.rex & kRexW) == 0;
}

// Returns true for a bit string at a rip-relative address with prefix 67: the sum with the bit's offset is
// truncated to 32 bits, but a copy addresses the operand without the prefix.
bool truncates_bit_string(const Instruction& instruction) {
  const Access& access = instruction.accesses[0];
  return instruction.access_count != 0 && access.kind == AccessKind::kBitString && access.rip_relative &&
         access.address32;
}

// Returns false if the instruction must run at its own address.
bool can_be_copied(const Instruction& instruction) {
  return instruction.flow != Flow::kOther && !uses_gs(instruction) && !depends_on_vendor(instruction) &&
         !truncates_bit_string(instruction);
}

bool ends(Flow flow) {
  return flow != Flow::kNone && flow != Flow::kConditionalJump && flow != Flow::kCountedJump;
}

bool stores(const Instruction& instruction) {
  for (unsigned i = 0; i < instruction.access_count; ++i) {
    if (instruction.accesses[i].stores) return true;
  }
  return false;
}

constexpr uint8_t kPushf = 0x9c, kPopf = 0x9d;

// Returns the constant that an instruction moves into a register or memory; 0 if it moves none.
uint64_t constant_of(const Step& step) {
  constexpr uint8_t kLea = 0x8d, kRipRelative = 0x05, kMoveToRegister = 0xb8, kMoveToOperand = 0xc7;
  const Instruction& instruction = step.instruction;
  if (instruction.encoding != Encoding::kLegacy || instruction.map != 0) return 0;
  if (instruction.opcode == kLea && (instruction.modrm & 0xc7) == kRipRelative) {
    int32_t displacement = 0;
    const auto* code = reinterpret_cast<const uint8_t*>(step.address);
    __builtin_memcpy(&displacement, code + instruction.displacement_offset, sizeof(displacement));
    return step.next() + static_cast<int64_t>(displacement);
  }
  bool moves = (instruction.opcode & 0xf8) == kMoveToRegister || instruction.opcode == kMoveToOperand;
  return moves ? instruction.immediate : 0;
}

bool is_plain(const Instruction& instruction, uint8_t opcode) {
  return instruction.encoding == Encoding::kLegacy && instruction.map == 0 && instruction.opcode == opcode;
}

// `open` is the set of flags that have not been written yet; the function removes the flags that the
// instruction writes. Returns true if the instruction reads one of them first. pushf saves all flags, even if
// no code needs them: it does not count as a reader, and clears `open`.
bool reads_open_flags(const Instruction& instruction, uint16_t& open) {
  if (is_plain(instruction, kPushf)) open = 0;
  bool reads = (instruction.flags_read & open) != 0;
  open &= static_cast<uint16_t>(~instruction.flags_written);
  return reads;
}

// Searches the code from `address` on for a path that reads status flags before it writes them. The search
// ends after kMaxInstructions. Compilers never emit code after a call that reads the callee's flags, so the
// rest is assumed to read none.
class FlagPaths {
 public:
  FlagPaths(const ProgramFacts& program, uint64_t address) : program_(program) { add(address, kStatusFlags); }

  [[nodiscard]] bool any_reads() {
    while (count_ != 0) {
      if (follow(paths_[--count_])) return true;
    }
    return false;
  }

 private:
  static constexpr unsigned kMaxPaths = 8, kMaxInstructions = 64;
  struct Path {
    uint64_t address;
    uint16_t open;  // flags that have not been written yet
  };

  void add(uint64_t address, uint16_t open) {
    if (count_ < kMaxPaths) paths_[count_++] = {address, open};
  }

  // Follows the path, and adds the paths that begin at its branches. Returns true if it reads an open flag.
  bool follow(Path path) {
    Instruction instruction;
    while (path.open != 0 && left_ != 0 && decode_at(program_, path.address, instruction)) {
      --left_;
      if (reads_open_flags(instruction, path.open)) return true;
      bool may_branch = instruction.flow == Flow::kConditionalJump || instruction.flow == Flow::kCountedJump;
      if (may_branch) add(instruction.target, path.open);
      if (!may_branch && instruction.flow != Flow::kNone && instruction.flow != Flow::kJump) return false;
      path.address = instruction.flow == Flow::kJump ? instruction.target : path.address + instruction.length;
    }
    return false;
  }

  const ProgramFacts& program_;
  Path paths_[kMaxPaths];
  unsigned count_ = 0, left_ = kMaxInstructions;
};

bool may_read_flags_at(const ProgramFacts& program, uint64_t address) {
  return FlagPaths(program, address).any_reads();
}

// Returns true for a jump through a fixed address in memory, as in a PLT. Its target is another function.
bool jumps_through_a_place(const Instruction& branch) {
  if (branch.flow != Flow::kIndirectJump || branch.access_count == 0) return false;
  return branch.accesses[0].base == kNoRegister && branch.accesses[0].index == kNoRegister;
}

// Returns the status flags that a call, jump or return must preserve. In the System V ABI, functions neither
// take nor return flags. But some assembly functions take flags. A compiler may also compare a value, jump
// through a table, and branch on the result behind the jump, as in Debian's cc1plus. `exact`: preserve all.
uint16_t flags_through(const ProgramFacts& program, const Instruction& branch, bool exact) {
  if (exact) return kStatusFlags;
  if (branch.flow == Flow::kCall) return may_read_flags_at(program, branch.target) ? kStatusFlags : 0;
  return branch.flow == Flow::kReturn || jumps_through_a_place(branch) ? 0 : kStatusFlags;
}

// Returns the status flags that are live at `address`. A flag that is not known to be dead after a few
// instructions counts as live.
uint16_t flags_live_at(const ProgramFacts& program, uint64_t address, bool exact) {
  constexpr unsigned kHorizon = 8;
  uint16_t open = kStatusFlags;
  for (unsigned i = 0; i < kHorizon && open != 0; ++i) {
    Instruction instruction;
    if (!decode_at(program, address, instruction)) return open;
    if ((instruction.flags_read & open) != 0) return open;
    open &= static_cast<uint16_t>(~instruction.flags_written);
    switch (instruction.flow) {
      case Flow::kNone:
        address += instruction.length;
        break;
      case Flow::kJump:
        address = instruction.target;
        break;
      case Flow::kCall:
      case Flow::kIndirectCall:
      case Flow::kIndirectJump:
      case Flow::kReturn:
        return open & flags_through(program, instruction, exact);
      default:
        return open;
    }
  }
  return open;
}

// Returns the status flags that are live behind the block's last step.
uint16_t flags_live_behind(const ProgramFacts& program, const Superblock& block, bool exact) {
  if (block.undecodable || block.queries_machine) return kStatusFlags;
  const Instruction& last = block.steps[block.count - 1].instruction;
  switch (last.flow) {
    case Flow::kCall:
    case Flow::kIndirectCall:
    case Flow::kIndirectJump:
    case Flow::kReturn:
      return flags_through(program, last, exact);
    case Flow::kSystemCall:
    case Flow::kTrap:
    case Flow::kOther:
      return kStatusFlags;
    default:
      return flags_live_at(program, block.next, exact);
  }
}

void find_live_flags(const ProgramFacts& program, Superblock& block, bool exact) {
  uint16_t live = flags_live_behind(program, block, exact);
  block.flags_live = live != 0;
  for (unsigned i = block.count; i-- > 0;) {
    const Instruction& instruction = block.steps[i].instruction;
    bool may_leave = instruction.flow == Flow::kConditionalJump || instruction.flow == Flow::kCountedJump;
    if (may_leave) {
      uint16_t there = flags_live_at(program, instruction.target, exact);
      block.steps[i].target_flags_live = there != 0;
      live |= there;
    }
    live = static_cast<uint16_t>((live & ~instruction.flags_written) | instruction.flags_read) & kStatusFlags;
    block.steps[i].flags_live = live != 0;
  }
}

}  // namespace

// Covers accesses through GS, and mov, lgs, pop, rdgsbase, wrgsbase. Some instructions ignore the prefix.
bool uses_gs(const Instruction& instruction) {
  constexpr uint8_t kGs = 5;
  if (accesses_gs(instruction)) return true;
  if (instruction.encoding != Encoding::kLegacy) return false;
  uint8_t extension = instruction.modrm >> 3 & 7;
  if (instruction.map == 0) return instruction.opcode == 0x8e && extension == kGs;
  if (instruction.map != 1) return false;
  bool names_base = instruction.opcode == 0xae && instruction.prefix_f3 && instruction.modrm >= 0xc0;
  return instruction.opcode == 0xb5 || instruction.opcode == 0xa9 ||
         (names_base && (extension & 1) != 0 && extension < 4);
}

MachineQuery machine_query(const Instruction& instruction) {
  constexpr uint8_t kRdtsc = 0x31, kCpuid = 0xa2, kGroup7 = 0x01, kGroup9 = 0xc7;
  constexpr uint8_t kXgetbv = 0xd0, kRdtscp = 0xf9, kRegister = 0xc0;
  if (instruction.encoding != Encoding::kLegacy || instruction.map != 1) return MachineQuery::kNone;
  if (instruction.opcode == kCpuid) return MachineQuery::kCpuid;
  if (instruction.opcode == kRdtsc) return MachineQuery::kTime;
  if (instruction.opcode == kGroup7 && instruction.modrm == kXgetbv) return MachineQuery::kStateComponents;
  if (instruction.opcode == kGroup7 && instruction.modrm == kRdtscp) return MachineQuery::kTimeAndCpu;
  if (instruction.opcode != kGroup9 || instruction.modrm < kRegister) return MachineQuery::kNone;
  uint8_t extension = instruction.modrm >> 3 & 7;
  if (extension == 7 && instruction.prefix_f3) return MachineQuery::kCpuNumber;
  return extension >= 6 ? MachineQuery::kRandom : MachineQuery::kNone;
}

bool is_popf(const Instruction& instruction) { return is_plain(instruction, kPopf); }

bool contains(const Superblock& block, uint64_t address) {
  for (unsigned i = 0; i < block.count; ++i) {
    if (block.steps[i].address == address) return true;
  }
  return false;
}

bool reads_flags(const Superblock& block) {
  uint16_t open = kStatusFlags;
  for (unsigned i = 0; i < block.count && open != 0; ++i) {
    const Instruction& instruction = block.steps[i].instruction;
    if (reads_open_flags(instruction, open)) return true;
    if (instruction.flow != Flow::kNone && instruction.flow != Flow::kJump) return false;
  }
  return false;
}

void read_superblock(ProgramFacts& program, const CodeCache& cache, uint64_t start, Mode mode,
                     bool exact_flags, Superblock& block) {
  block.count = 0;
  block.returns_flags = false;
  block.undecodable = block.queries_machine = false;
  block.is_checked = false;
  uint64_t address = start;
  while (block.count < Superblock::kMaxSteps) {
    Step& step = block.steps[block.count];
    step.address = address;
    if (!decode_at(program, address, step.instruction) || !can_be_copied(step.instruction)) {
      block.undecodable = true;
      break;
    }
    if (program.is_machine_defined() && machine_query(step.instruction) != MachineQuery::kNone) {
      block.queries_machine = true;
      break;
    }
    ++block.count;
    if (program.has_sequences()) program.look_for_descriptor(constant_of(step));
    block.is_checked |= program.is_checked(address) || program.is_checked(step.next() - 1);
    if (is_popf(step.instruction)) block.returns_flags = true;
    address = step.next();
    Flow flow = step.instruction.flow;
    if (flow == Flow::kJump) address = step.instruction.target;
    if (flow == Flow::kJump && address <= step.address)
      break;  // a loop may end here: see Translator::may_be_loop
    if (block.is_checked && stores(step.instruction)) break;  // the store may change the code that follows
    if (ends(flow) && (flow != Flow::kJump || contains(block, address))) break;
    if (contains(block, address) || program.is_entry(address) || program.is_allocator(address)) break;
    if (program.has_sequences() && program.begins_sequence(address)) break;
    if (block.count >= 8 && cache.find_block(address, mode) != nullptr) break;
  }
  block.next = address;
  if (block.count != 0) {
    const Step& last = block.steps[block.count - 1];
    bool calls = last.instruction.flow == Flow::kCall || last.instruction.flow == Flow::kIndirectCall;
    if (calls && may_read_flags_at(program, last.next())) block.returns_flags = true;
    find_live_flags(program, block, exact_flags);
  }
}

}  // namespace hm::soft::direct
