// SPDX-License-Identifier: MIT
// Tests the registers and flags of decode() against this machine's processor. Random instructions run with
// one register or flag changed at a time. A part that is not read must change nothing. The old value of a
// part that is written as a whole must not show through. A part that is not written must keep its value.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "pmu/soft/direct/decode/instruction.h"
#include "pmu/soft/direct/decode/oracle/oracle.h"
#include "pmu/soft/direct/decode/oracle/processor.h"

namespace hm::soft::direct {
namespace {

constexpr unsigned kStackPointer = 4;
constexpr uint64_t kReservedFlag = 2;  // bit of rflags that is always set

// Excludes instructions that would change this process, have no unique result, or call the operating system.
bool is_runnable(const Instruction& it) {
  bool register_form = it.access_count == 0;
  if (it.map == 1 && it.encoding == Encoding::kLegacy) {
    switch (it.opcode) {
      case 0x01:  // system registers, wrpkru, monitorx, rdpru, ...
      case 0x31:  // rdtsc
      case 0x33:  // rdpmc
      case 0x37:  // getsec
      case 0xa2:  // cpuid
      case 0xb2:  // lss, lfs, lgs
      case 0xb4:
      case 0xb5:
        return false;
      case 0xae:  // wrfsbase, wrgsbase, umwait, ...
      case 0xc7:  // rdrand, rdseed, rdpid, ...
        if (register_form) return false;
        break;
      default:
        break;
    }
  }
  bool loads_segment = it.map == 0 && it.opcode == 0x8e && it.encoding == Encoding::kLegacy;
  if (loads_segment || it.flow != Flow::kNone || it.segment != Segment::kNone) return false;
  for (unsigned i = 0; i < it.access_count; ++i) {
    bool elsewhere =
        it.accesses[i].kind == AccessKind::kState || it.accesses[i].rip_relative || it.accesses[i].count > 1;
    if (elsewhere) return false;
  }
  if (it.displacement_bytes > 1) return false;  // the address may be anywhere
  bool uses_stack = ((it.registers_read | it.registers_written) >> kStackPointer & 1) != 0;
  return !uses_stack && it.repeat == Repeat::kNone;
}

class Check {
 public:
  Check(Processor& processor, const std::vector<uint8_t>& code, const Instruction& it, uint16_t undefined,
        uint64_t seed)
      : processor_(processor), it_(it), undefined_(undefined), random_(seed) {
    processor_.load(code);
  }

  // Returns a contradiction to the decoder's result, or nothing. Sets `ran` to false if the instruction
  // faults.
  std::string contradiction(bool& ran) {
    ProcessorState before = random_state();
    auto after = run(before);
    ran = after.has_value();
    if (!ran) return "";
    for (unsigned number = 0; number < 16; ++number) {
      std::string text = number == kStackPointer ? "" : check_register(number, before, *after);
      if (!text.empty()) return text;
    }
    for (uint16_t flag : kFlags) {
      std::string text = check_flag(flag, before, *after);
      if (!text.empty()) return text;
    }
    return "";
  }

 private:
  static constexpr uint16_t kFlags[] = {kCarryFlag, kParityFlag, kAdjustFlag,
                                        kZeroFlag,  kSignFlag,   kOverflowFlag};

  // Returns a data address if registers may be addresses; otherwise a mix of short and long numbers.
  uint64_t random_value() {
    if (it_.access_count != 0) return kDataAddress + random_() % kDataBase;
    if (random_() % 8 == 0) return 0;
    return random_() >> (random_() % 4 == 0 ? 56 : random_() % 64);
  }
  ProcessorState random_state() {
    ProcessorState state{};
    for (uint64_t& value : state.registers) value = random_value();
    state.flags = (random_() & kStatusFlags) | kReservedFlag;
    return state;
  }

  std::optional<ProcessorState> run(const ProcessorState& state) {
    auto result = processor_.run(state);
    for (unsigned i = 0; i < it_.access_count; ++i) clear(it_.accesses[i], state);
    return result;
  }

  // Clears the accessed memory: all memory is zero before each run.
  void clear(const Access& access, const ProcessorState& state) const {
    if (!access.stores) return;
    uint64_t address = static_cast<uint64_t>(access.displacement);
    if (access.base != kNoRegister) address += state.registers[access.base];
    if (access.index != kNoRegister) address += access.scale * state.registers[access.index];
    if (access.kind == AccessKind::kBitString) {
      int64_t number = static_cast<int64_t>(state.registers[it_.field(Field::kReg).number]);
      if (access.bytes == 4) number = static_cast<int32_t>(number);
      if (access.bytes == 2) number = static_cast<int16_t>(number);
      address += static_cast<uint64_t>((number >> 3) & -int64_t{access.bytes});
    }
    if (access.address32) address &= 0xffffffff;
    if (address < kDataAddress || address + 64 > kDataAddress + kDataBytes) return;
    std::memset(reinterpret_cast<void*>(address), 0, access.bytes);
  }

  std::string check_register(unsigned number, const ProcessorState& before, const ProcessorState& after) {
    bool read = (it_.registers_read >> number & 1) != 0;
    bool written = (it_.registers_written >> number & 1) != 0;
    std::string name = "register " + std::to_string(number);
    if (!written && after.registers[number] != before.registers[number]) return name + " changes";
    if (read) return "";
    ProcessorState other = before;
    other.registers[number] = random_();
    auto result = run(other);
    if (!result) return name + " decides whether it faults";
    ProcessorState expected = after;
    if (!written) expected.registers[number] = other.registers[number];
    if (result->registers != expected.registers) return name + " shows in a register";
    return ((result->flags ^ expected.flags) & ~undefined_) != 0 ? name + " shows in the flags" : "";
  }

  std::string check_flag(uint16_t flag, const ProcessorState& before, const ProcessorState& after) {
    bool written = (it_.flags_written & flag) != 0;
    std::string name = "flag " + std::to_string(flag);
    bool may_write = (it_.flags_written | it_.flags_read) != 0 || is_shift();
    if (!may_write && ((after.flags ^ before.flags) & flag) != 0) return name + " changes";
    if ((it_.flags_read & flag) != 0) return "";
    ProcessorState other = before;
    other.flags ^= flag;
    auto result = run(other);
    if (!result) return name + " decides whether it faults";
    if (result->registers != after.registers) return name + " shows in a register";
    uint64_t shown = (result->flags ^ after.flags) & ~undefined_;
    if ((shown & ~uint64_t{flag}) != 0) return name + " shows in another flag";
    bool kept = (shown & flag) != 0;
    return written && kept ? name + " is kept" : "";
  }

  // Shifts and rotates may write flags that are not in flags_written.
  [[nodiscard]] bool is_shift() const {
    bool group2 = it_.map == 0 && (it_.opcode & 0xec) == 0xc0;
    bool doubles = it_.map == 1 && (it_.opcode & 0xf6) == 0xa4;
    return it_.encoding == Encoding::kLegacy && (group2 || doubles);
  }

  Processor& processor_;
  const Instruction& it_;
  uint16_t undefined_;
  std::mt19937_64 random_;
};

uint16_t undefined_flags(const ZydisDecoder& decoder, const std::vector<uint8_t>& code) {
  ZydisDecodedInstruction instruction;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, nullptr, code.data(), code.size(), &instruction)))
    return 0;
  return static_cast<uint16_t>(instruction.cpu_flags->undefined);
}

std::vector<uint8_t> random_code(std::mt19937_64& random) {
  std::vector<uint8_t> code;
  uint64_t kind = random() % 8;
  if (random() % 4 == 0) code.push_back(std::array<uint8_t, 4>{0x66, 0xf2, 0xf3, 0x67}[random() % 4]);
  if (kind == 0) {
    code.push_back(0xc4);
    code.push_back(static_cast<uint8_t>((random() & 0xe0) | (2 + random() % 2)));
  } else if (kind == 1) {
    code.push_back(0x62);
    code.push_back(static_cast<uint8_t>((random() & 0xf0) | (1 + random() % 3)));
  } else {
    if (random() % 2 == 0) code.push_back(static_cast<uint8_t>(0x40 | random() % 16));
    if (kind > 4) code.push_back(0x0f);
    if (kind == 7) code.push_back(random() % 2 == 0 ? 0x38 : 0x3a);
  }
  while (code.size() < 20) code.push_back(static_cast<uint8_t>(random()));
  return code;
}

std::string hex(const std::vector<uint8_t>& code) {
  std::string text;
  for (uint8_t byte : code) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

TEST(AgainstProcessor, RegistersAndFlagsAreAsItRuns) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer takes the signals by which this learns what instructions do";
#endif
  Processor processor;
  if (!processor.is_usable()) GTEST_SKIP() << "the lowest addresses are taken here";
  ZydisDecoder decoder = oracle_decoder();
  std::mt19937_64 random(6);
  unsigned ran = 0;
  unsigned contradictions = 0;
  for (unsigned i = 0; i < 300'000; ++i) {
    std::vector<uint8_t> code = random_code(random);
    Instruction it;
    if (!decode(code.data(), code.size(), 0, it) || !is_runnable(it)) continue;
    code.resize(it.length);
    Check check(processor, code, it, undefined_flags(decoder, code), i);
    bool runs = false;
    std::string text = check.contradiction(runs);
    ran += runs;
    if (!text.empty() && ++contradictions <= 40) ADD_FAILURE() << hex(code) << ": " << text;
  }
  EXPECT_EQ(contradictions, 0u);
  EXPECT_GT(ran, 20'000u);
}

}  // namespace
}  // namespace hm::soft::direct
