// SPDX-License-Identifier: MIT
// Every opcode of maps 0 to 3 under every mandatory prefix, legacy, VEX and EVEX, against what Zydis says of
// the mnemonic and its operands.
#include "pmu/soft/sampling/instruction_class.h"

#include <Zydis/Zydis.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace hm::soft {

void PrintTo(SimdClass simd, std::ostream* out) {
  constexpr const char* kNames[] = {"none",       "packed sp", "packed dp", "scalar sp", "scalar dp",
                                    "64-bit mmx", "128-bit",   "x87",       "move"};
  *out << kNames[static_cast<size_t>(simd)];
}

namespace {

using Code = std::vector<uint8_t>;

struct Decoded {
  ZydisDecodedInstruction instruction{};
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands{};
  std::string name;  // of the mnemonic, without the v of VEX
};

std::optional<Decoded> decode(Code& code) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  Decoded decoded;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code.data(), code.size(), &decoded.instruction,
                                           decoded.operands.data()))) {
    return std::nullopt;
  }
  code.resize(decoded.instruction.length);
  decoded.name = ZydisMnemonicGetString(decoded.instruction.mnemonic);
  bool vex = decoded.instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX ||
             decoded.instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
  if (vex && decoded.name.starts_with('v')) decoded.name.erase(0, 1);
  return decoded;
}

// Extensions that the engine runs, and all that is older. The others have no class to compare with.
bool in_scope(const Decoded& decoded) {
  using enum ZydisISASet_;
  static const std::set<int> kLater = {
      ZYDIS_ISA_SET_AMD3DNOW,  ZYDIS_ISA_SET_SSE4A,          ZYDIS_ISA_SET_AVX_GFNI,
      ZYDIS_ISA_SET_GFNI,      ZYDIS_ISA_SET_AVX_VNNI,       ZYDIS_ISA_SET_FMA4,
      ZYDIS_ISA_SET_KEYLOCKER, ZYDIS_ISA_SET_KEYLOCKER_WIDE, ZYDIS_ISA_SET_AMX_TILE,
      ZYDIS_ISA_SET_AMX_INT8,  ZYDIS_ISA_SET_AMX_BF16,       ZYDIS_ISA_SET_KNCE,
      ZYDIS_ISA_SET_KNCJKBR,   ZYDIS_ISA_SET_KNCSTREAM,      ZYDIS_ISA_SET_KNCV,
      ZYDIS_ISA_SET_KNC_MISC,  ZYDIS_ISA_SET_KNC_PF_HINT,    ZYDIS_ISA_SET_XOP,

  };
  auto encoding = decoded.instruction.encoding;
  if (encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY && encoding != ZYDIS_INSTRUCTION_ENCODING_VEX &&
      encoding != ZYDIS_INSTRUCTION_ENCODING_EVEX)
    return false;
  std::string set = ZydisISASetGetString(decoded.instruction.meta.isa_set);
  for (const char* each : {"FP16", "AVX512_4", "AVX512PF"}) {
    if (set.find(each) != std::string::npos) return false;
  }
  return !kLater.contains(decoded.instruction.meta.isa_set);
}

bool has_register(const Decoded& decoded, std::initializer_list<ZydisRegisterClass> classes) {
  for (unsigned i = 0; i < decoded.instruction.operand_count; ++i) {
    const ZydisDecodedOperand& operand = decoded.operands[i];
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
    for (ZydisRegisterClass each : classes) {
      if (ZydisRegisterGetClass(operand.reg.value) == each) return true;
    }
  }
  return false;
}

SimdClass expected_x87(const std::string& name) {
  static const std::set<std::string> kMoves = {"fld",    "fst",    "fstp",   "fild",   "fist",   "fistp",
                                               "fisttp", "fbld",   "fbstp",  "fxch",   "fld1",   "fldz",
                                               "fldpi",  "fldl2e", "fldl2t", "fldlg2", "fldln2", "fstpnce"};
  static const std::set<std::string> kControl = {
      "fldcw",   "fnstcw",  "fldenv", "fnstenv",      "fnsave",        "frstor",
      "fnstsw",  "fnclex",  "fninit", "fnop",         "ffree",         "ffreep",
      "fincstp", "fdecstp", "fwait",  "feni8087_nop", "fdisi8087_nop", "fsetpm287_nop"};
  if (kMoves.contains(name) || name.starts_with("fcmov")) return SimdClass::kMove;
  return kControl.contains(name) ? SimdClass::kNone : SimdClass::kX87;
}

// What copies whole elements from place to place. Those that pick single elements (insert, extract, pinsr,
// pextr, movmsk) or convert (pmovzx) compute.
bool is_move(const std::string& name) {
  for (const char* start :
       {"mova", "movu", "movd", "movq", "movh", "movl", "movnt", "maskmov", "pmaskmov", "lddqu", "movshdup",
        "movsldup", "broadcast", "pbroadcast", "gather", "pgather", "scatter", "pscatter"}) {
    if (name.starts_with(start)) return true;
  }
  return name == "movss" || name == "movsd";
}

// By the type in the name; a conversion by its source's, or, where that is integer, its result's.
std::optional<SimdClass> type_in(std::string name) {
  if (name.starts_with('p') && !name.starts_with("perm")) return std::nullopt;  // pminsd: signed doublewords
  if (name == "cvtne2ps2bf16") return SimdClass::kPackedSp;
  if (name.starts_with("cvt")) {
    size_t two = name.find('2');
    std::string source = name.substr(two - 2, 2);
    name = source == "pi" || source == "si" || source == "dq" || source == "qq" || source == "ph"
               ? name.substr(two + 1)
               : source;
  }
  if (name.ends_with("f32x4") || name.ends_with("f32x8")) return SimdClass::kPackedSp;
  if (name.ends_with("f64x2") || name.ends_with("f64x4")) return SimdClass::kPackedDp;
  if (name.ends_with("f128")) return SimdClass::kPackedSp;  // no type of its own: floats
  if (name.ends_with("ps")) return SimdClass::kPackedSp;
  if (name.ends_with("pd")) return SimdClass::kPackedDp;
  if (name.ends_with("ss")) return SimdClass::kScalarSp;
  if (name.ends_with("sd")) return SimdClass::kScalarDp;
  return std::nullopt;
}

SimdClass expected_simd(const Decoded& decoded) {
  const auto& meta = decoded.instruction.meta;
  if (meta.isa_ext == ZYDIS_ISA_EXT_X87 || meta.isa_set == ZYDIS_ISA_SET_SSE3X87 ||
      meta.isa_set == ZYDIS_ISA_SET_FCMOV || decoded.name == "fisttp") {
    return expected_x87(decoded.name);
  }
  // A conversion from memory to a general register has none, nor a test of memory into a mask.
  bool vector = has_register(decoded, {ZYDIS_REGCLASS_XMM, ZYDIS_REGCLASS_YMM, ZYDIS_REGCLASS_ZMM}) ||
                decoded.name.starts_with("cvt") || decoded.name.starts_with("fpclass");
  bool mmx = has_register(decoded, {ZYDIS_REGCLASS_MMX});
  static const std::set<std::string> kState = {"emms", "zeroupper", "zeroall"};
  if ((!vector && !mmx) || kState.contains(decoded.name)) return SimdClass::kNone;
  if (is_move(decoded.name)) return SimdClass::kMove;
  if (auto type = type_in(decoded.name)) return *type;
  return vector ? SimdClass::kSimd128 : SimdClass::kMmx64;
}

// Far branches, interrupts and system calls leave the program or its segment: they are none.
BranchKind expected_branch(const Decoded& decoded) {
  const auto& instruction = decoded.instruction;
  bool near = instruction.meta.branch_type == ZYDIS_BRANCH_TYPE_NEAR ||
              instruction.meta.branch_type == ZYDIS_BRANCH_TYPE_SHORT;
  if (!near || instruction.meta.isa_set == ZYDIS_ISA_SET_RTM) return BranchKind::kNone;
  bool direct = decoded.operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
      return BranchKind::kConditional;
    case ZYDIS_CATEGORY_UNCOND_BR:
      return direct ? BranchKind::kJump : BranchKind::kIndirectJump;
    case ZYDIS_CATEGORY_CALL:
      return direct ? BranchKind::kCall : BranchKind::kIndirectCall;
    case ZYDIS_CATEGORY_RET:
      return BranchKind::kReturn;
    default:
      return BranchKind::kNone;
  }
}

bool expected_only_moves(const Decoded& decoded, SimdClass simd) {
  if (simd == SimdClass::kMove) return true;
  for (unsigned i = 0; i < decoded.instruction.operand_count_visible; ++i) {
    if (decoded.operands[i].type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
    ZydisRegisterClass kind = ZydisRegisterGetClass(decoded.operands[i].reg.value);
    if (kind < ZYDIS_REGCLASS_GPR8 || kind > ZYDIS_REGCLASS_GPR64)
      return false;  // a segment or control register
  }
  switch (decoded.instruction.mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVZX:
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
      return true;
    case ZYDIS_MNEMONIC_POP:
      return decoded.instruction.opcode != 0x8f;  // the encoding for memory
    default:
      return false;
  }
}

std::string text(const Code& code, const Decoded& decoded) {
  std::string line = ZydisMnemonicGetString(decoded.instruction.mnemonic);
  for (uint8_t byte : code) {
    constexpr char kDigits[] = "0123456789abcdef";
    line += std::string(" ") + kDigits[byte >> 4] + kDigits[byte & 15];
  }
  return line;
}

class AgainstZydis : public ::testing::Test {
 protected:
  void compare(Code code) {
    code.resize(15);
    auto decoded = decode(code);
    if (!decoded || !in_scope(*decoded)) return;
    ++compared_;
    SimdClass simd = expected_simd(*decoded);
    InstructionClass found = classify(code.data(), static_cast<unsigned>(code.size()));
    EXPECT_EQ(found.simd, simd) << text(code, *decoded);
    EXPECT_EQ(found.branch, expected_branch(*decoded)) << text(code, *decoded);
    EXPECT_EQ(found.only_moves, expected_only_moves(*decoded, simd)) << text(code, *decoded);
  }

  // All there may be behind an opcode: registers, memory, and memory by an index.
  void compare_operands(const Code& opcode, bool all = false) {
    for (unsigned modrm = 0; modrm < 256; ++modrm) {
      unsigned rm = modrm & 7;
      bool chosen = modrm >= 0xc0 ? rm < 2 : modrm < 0x40 && (rm == 0 || rm == 4);
      if (!all && !chosen) continue;
      Code code = opcode;
      code.push_back(static_cast<uint8_t>(modrm));
      code.push_back(0x08);
      compare(code);
    }
  }

  size_t compared_ = 0;
};

Code bytes(std::initializer_list<unsigned> values) {
  Code code;
  for (unsigned value : values) code.push_back(static_cast<uint8_t>(value));
  return code;
}

TEST_F(AgainstZydis, OneByteOpcodes) {
  for (unsigned prefix : {0x00u, 0x66u, 0xf2u, 0xf3u, 0x48u}) {
    for (unsigned opcode = 0; opcode < 256; ++opcode) {
      compare_operands(prefix == 0 ? bytes({opcode}) : bytes({prefix, opcode}),
                       opcode >= 0xd8 && opcode <= 0xdf);
    }
  }
  EXPECT_GT(compared_, 10000u);
}

TEST_F(AgainstZydis, LegacyMaps) {
  for (unsigned prefix : {0x3eu, 0x66u, 0xf2u, 0xf3u}) {
    for (unsigned rex : {0x40u, 0x48u}) {
      for (unsigned opcode = 0; opcode < 256; ++opcode) {
        compare_operands(bytes({prefix, rex, 0x0f, opcode}));
        compare_operands(bytes({prefix, rex, 0x0f, 0x38, opcode}));
        compare_operands(bytes({prefix, rex, 0x0f, 0x3a, opcode}));
      }
    }
  }
  EXPECT_GT(compared_, 30000u);
}

TEST_F(AgainstZydis, VexMaps) {
  for (unsigned map : {1u, 2u, 3u}) {
    for (unsigned last = 0; last < 256; ++last) {  // W, vvvv, L, prefix
      unsigned vvvv = last >> 3 & 15;
      if (vvvv != 15 && vvvv != 12) continue;
      for (unsigned opcode = 0; opcode < 256; ++opcode) {
        compare_operands(bytes({0xc4, 0xe0 | map, last, opcode}));
        if (map == 1 && last < 0x80) compare_operands(bytes({0xc5, 0x80 | last, opcode}));
      }
    }
  }
  EXPECT_GT(compared_, 30000u);
}

TEST_F(AgainstZydis, EvexMaps) {
  for (unsigned map : {1u, 2u, 3u, 5u, 6u}) {
    for (unsigned second = 0; second < 256; ++second) {  // W, vvvv, 1, prefix
      unsigned vvvv = second >> 3 & 15;
      if ((vvvv != 15 && vvvv != 12) || (second & 4) == 0) continue;
      for (unsigned third : {0x08u, 0x28u, 0x48u, 0x49u, 0x58u, 0xc9u}) {  // z, L, b, mask register
        for (unsigned opcode = 0; opcode < 256; ++opcode)
          compare_operands(bytes({0x62, 0xf0 | map, second, third, opcode}));
      }
    }
  }
  EXPECT_GT(compared_, 30000u);
}

TEST_F(AgainstZydis, PrefixesInAnyOrder) {
  std::mt19937 random(1);
  constexpr uint8_t kPrefixes[] = {0x66, 0xf2, 0xf3, 0x2e, 0x3e, 0x64, 0x65, 0x67, 0x40, 0x41, 0x48, 0x4f};
  for (int i = 0; i < 100000; ++i) {
    Code code;
    for (auto count = random() % 4; count > 0; --count)
      code.push_back(kPrefixes[random() % sizeof(kPrefixes)]);
    if (random() % 2 == 0) code.push_back(0x0f);
    while (code.size() < 15) code.push_back(static_cast<uint8_t>(random()));
    compare(code);
  }
  EXPECT_GT(compared_, 30000u);
}

// The classes of a few, written out: should Zydis and this test's rule be wrong together.
TEST(InstructionClass, OfSomeKnownInstructions) {
  struct Known {
    Code code;
    BranchKind branch;
    SimdClass simd;
  };
  const Known kKnown[] = {
      {{0x0f, 0x58, 0xc1}, BranchKind::kNone, SimdClass::kPackedSp},                    // addps
      {{0xf2, 0x0f, 0x59, 0xc1}, BranchKind::kNone, SimdClass::kScalarDp},              // mulsd
      {{0xc4, 0xe2, 0xf5, 0xb8, 0xc2}, BranchKind::kNone, SimdClass::kPackedDp},        // vfmadd231pd
      {{0x0f, 0xfe, 0xc1}, BranchKind::kNone, SimdClass::kMmx64},                       // paddd mm
      {{0x66, 0x0f, 0xfe, 0xc1}, BranchKind::kNone, SimdClass::kSimd128},               // paddd xmm
      {{0xd9, 0xfa}, BranchKind::kNone, SimdClass::kX87},                               // fsqrt
      {{0xdb, 0xe3}, BranchKind::kNone, SimdClass::kNone},                              // fninit
      {{0xf3, 0x0f, 0x6f, 0x00}, BranchKind::kNone, SimdClass::kMove},                  // movdqu
      {{0x62, 0xf1, 0x74, 0x48, 0x58, 0xc2}, BranchKind::kNone, SimdClass::kPackedSp},  // vaddps zmm
      {{0x62, 0xf1, 0xf5, 0x49, 0x59, 0x00}, BranchKind::kNone, SimdClass::kPackedDp},  // vmulpd zmm{k1}, mem
      {{0x62, 0xf1, 0x76, 0x18, 0x58, 0xc2}, BranchKind::kNone, SimdClass::kScalarSp},  // vaddss {rn-sae}
      {{0x62, 0xf2, 0x75, 0x48, 0x2c, 0xc2}, BranchKind::kNone, SimdClass::kPackedSp},  // vscalefps: not VEX'
      {{0x62, 0xf1, 0x75, 0x48, 0xfe, 0xc2}, BranchKind::kNone, SimdClass::kSimd128},   // vpaddd zmm
      {{0x62, 0xf1, 0x7f, 0xc9, 0x6f, 0x00}, BranchKind::kNone, SimdClass::kMove},      // vmovdqu8 {k1}{z}
      {{0x74, 0x00}, BranchKind::kConditional, SimdClass::kNone},                       // je
      {{0x0f, 0x85, 0, 0, 0, 0}, BranchKind::kConditional, SimdClass::kNone},           // jne
      {{0xe3, 0x00}, BranchKind::kConditional, SimdClass::kNone},                       // jrcxz
      {{0xeb, 0x00}, BranchKind::kJump, SimdClass::kNone},                              // jmp
      {{0x3e, 0xff, 0xe0}, BranchKind::kIndirectJump, SimdClass::kNone},                // notrack jmp *%rax
      {{0xe8, 0, 0, 0, 0}, BranchKind::kCall, SimdClass::kNone},                        // call
      {{0x41, 0xff, 0xd4}, BranchKind::kIndirectCall, SimdClass::kNone},                // call *%r12
      {{0xf3, 0xc3}, BranchKind::kReturn, SimdClass::kNone},                            // repz ret
      {{0xc2, 8, 0}, BranchKind::kReturn, SimdClass::kNone},                            // ret $8
      {{0x0f, 0x05}, BranchKind::kNone, SimdClass::kNone},                              // syscall
  };
  for (const Known& known : kKnown) {
    InstructionClass found = classify(known.code.data(), static_cast<unsigned>(known.code.size()));
    EXPECT_EQ(found.branch, known.branch);
    EXPECT_EQ(found.simd, known.simd);
  }
}

// Memory behind which there is none: who reads on faults.
class LastBytes {
 public:
  LastBytes() {
    void* memory = ::mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || ::mprotect(static_cast<uint8_t*>(memory) + kPage, kPage, PROT_NONE) != 0)
      throw std::runtime_error("no memory");
    begin_ = static_cast<uint8_t*>(memory);
  }
  ~LastBytes() { ::munmap(begin_, 2 * kPage); }
  LastBytes(const LastBytes&) = delete;
  LastBytes& operator=(const LastBytes&) = delete;

  const uint8_t* put(const Code& code) {
    uint8_t* at = begin_ + kPage - code.size();
    std::ranges::copy(code, at);
    return at;
  }

 private:
  static constexpr size_t kPage = 4096;
  uint8_t* begin_ = nullptr;
};

// They are classified as if zeros followed, which are not read.
TEST(InstructionClass, OfBytesThatEndEarlyIsTheirs) {
  std::mt19937 random(2);
  LastBytes last;
  for (int i = 0; i < 10000; ++i) {
    Code code(random() % 6);
    for (uint8_t& byte : code) byte = static_cast<uint8_t>(random() % 3 == 0 ? 0x66 : random());
    InstructionClass found = classify(last.put(code), static_cast<unsigned>(code.size()));
    code.resize(15);
    InstructionClass whole = classify(code.data(), static_cast<unsigned>(code.size()));
    ASSERT_EQ(found.branch, whole.branch);
    ASSERT_EQ(found.simd, whole.simd);
    ASSERT_EQ(found.only_moves, whole.only_moves);
    ASSERT_EQ(found.bit_of_register, whole.bit_of_register);
  }
}

TEST(InstructionClass, BitsOfRegistersAreToldFromThoseOfMemory) {
  const uint8_t of_register[] = {0x48, 0x0f, 0xab, 0xd8}, of_memory[] = {0x48, 0x0f, 0xab, 0x18};
  EXPECT_TRUE(classify(of_register, sizeof(of_register)).bit_of_register);
  EXPECT_FALSE(classify(of_memory, sizeof(of_memory)).bit_of_register);
}

}  // namespace
}  // namespace hm::soft
