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

bool is_plain(const Instruction& instruction, uint8_t opcode) {
  return instruction.encoding == Encoding::kLegacy && instruction.map == 0 && instruction.opcode == opcode;
}

// Whether this call, jump or return may hand status flags on. By the System V ABI not into a function nor out
// of one; but within one a compiler that knows where a jump table leads may branch there on what it compared
// before the jump, as in cc1plus of Debian. A jump through one place in memory, such as a PLT's, leads to
// another function.
bool passes_flags(const Instruction& branch, bool exact) {
  if (exact) return true;
  if (branch.flow != Flow::kIndirectJump) return false;
  const Access& table = branch.accesses[0];
  return branch.access_count == 0 || table.base != kNoRegister || table.index != kNoRegister;
}

// Which status flags are live at `address`. Flags of which this is not clear after a few instructions count
// as live, but not across a call or a return.
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
        return passes_flags(instruction, exact) ? open : 0;
      default:
        return open;
    }
  }
  return open;
}

// Follows straight-line code until it is clear whether it certainly reads status flags that it has not
// written.
class FlagReader {
 public:
  [[nodiscard]] bool goes_on() const { return open_ != 0 && left_ != 0; }
  [[nodiscard]] bool reads() const { return reads_; }
  void take(const Instruction& instruction) {
    --left_;
    bool saves_all = is_plain(instruction, kPushf);  // whoever needs them
    reads_ = !saves_all && (instruction.flags_read & open_) != 0;
    open_ &= static_cast<uint16_t>(~instruction.flags_written);
    bool straight = instruction.flow == Flow::kNone || instruction.flow == Flow::kJump;
    if (reads_ || saves_all || !straight) open_ = 0;
  }

 private:
  uint16_t open_ = kStatusFlags;
  unsigned left_ = 16;  // instructions
  bool reads_ = false;
};

bool reads_flags_at(const ProgramFacts& program, uint64_t address) {
  FlagReader reader;
  Instruction instruction;
  while (reader.goes_on() && decode_at(program, address, instruction)) {
    reader.take(instruction);
    address = instruction.flow == Flow::kJump ? instruction.target : address + instruction.length;
  }
  return reader.reads();
}

// Which status flags are live behind the block's last step.
uint16_t flags_live_behind(const ProgramFacts& program, const Superblock& block, bool exact) {
  if (block.undecodable) return kStatusFlags;
  const Instruction& last = block.steps[block.count - 1].instruction;
  switch (last.flow) {
    case Flow::kCall:
      return exact || reads_flags_at(program, last.target) ? kStatusFlags : 0;
    case Flow::kIndirectCall:
    case Flow::kIndirectJump:
    case Flow::kReturn:
      return passes_flags(last, exact) ? kStatusFlags : 0;
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

// Accesses by it, and mov, lgs, pop, rdgsbase, wrgsbase.
bool uses_gs(const Instruction& instruction) {
  constexpr uint8_t kGs = 5;
  if (instruction.segment == Segment::kGs) return true;
  if (instruction.encoding != Encoding::kLegacy) return false;
  uint8_t extension = instruction.modrm >> 3 & 7;
  if (instruction.map == 0) return instruction.opcode == 0x8e && extension == kGs;
  if (instruction.map != 1) return false;
  bool names_base = instruction.opcode == 0xae && instruction.prefix_f3 && instruction.modrm >= 0xc0;
  return instruction.opcode == 0xb5 || instruction.opcode == 0xa9 ||
         (names_base && (extension & 1) != 0 && extension < 4);
}

bool is_popf(const Instruction& instruction) { return is_plain(instruction, kPopf); }

bool contains(const Superblock& block, uint64_t address) {
  for (unsigned i = 0; i < block.count; ++i) {
    if (block.steps[i].address == address) return true;
  }
  return false;
}

bool reads_flags(const Superblock& block) {
  FlagReader reader;
  for (unsigned i = 0; i < block.count && reader.goes_on(); ++i) reader.take(block.steps[i].instruction);
  return reader.reads();
}

void read_superblock(const ProgramFacts& program, const CodeCache& cache, uint64_t start, Mode mode,
                     bool exact_flags, Superblock& block) {
  block.count = 0;
  block.returns_flags = false;
  block.undecodable = false;
  block.is_checked = false;
  uint64_t address = start;
  while (block.count < Superblock::kMaxSteps) {
    Step& step = block.steps[block.count];
    step.address = address;
    if (!decode_at(program, address, step.instruction) || step.instruction.flow == Flow::kOther ||
        uses_gs(step.instruction)) {
      block.undecodable = true;
      break;
    }
    ++block.count;
    block.is_checked |= program.is_checked(address) || program.is_checked(step.next() - 1);
    if (is_popf(step.instruction)) block.returns_flags = true;
    address = step.next();
    Flow flow = step.instruction.flow;
    if (flow == Flow::kJump) address = step.instruction.target;
    if (flow == Flow::kJump && address <= step.address)
      break;                                                  // a loop may end here: Translator::may_be_loop
    if (block.is_checked && stores(step.instruction)) break;  // perhaps into what follows
    if (ends(flow) && (flow != Flow::kJump || contains(block, address))) break;
    if (contains(block, address) || program.is_entry(address) || program.is_allocator(address)) break;
    if (block.count >= 8 && cache.find_block(address, mode) != nullptr) break;
  }
  block.next = address;
  if (block.count != 0) {
    const Step& last = block.steps[block.count - 1];
    bool calls = last.instruction.flow == Flow::kCall || last.instruction.flow == Flow::kIndirectCall;
    if (calls && reads_flags_at(program, last.next())) block.returns_flags = true;
    find_live_flags(program, block, exact_flags);
  }
}

}  // namespace hm::soft::direct
