// SPDX-License-Identifier: MIT
#include "symbol/code/foreign_code.h"

#include <capstone/capstone.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace hm::symbol {
namespace {

struct Target {
  cs_arch processor;
  cs_mode mode;
};

// Returns a mode with the bits of all `modes`. The bits of a mode are signed in Capstone 4 and unsigned
// since 5.0.7.
cs_mode all_of(std::initializer_list<cs_mode> modes) {
  uint32_t bits = 0;
  for (cs_mode mode : modes) bits |= static_cast<uint32_t>(mode);
  return static_cast<cs_mode>(static_cast<std::underlying_type_t<cs_mode>>(bits));
}

std::optional<Target> capstone_target(const CodeKind& kind) {
  const Machine& machine = kind.machine;
  cs_mode order = machine.is_big_endian ? CS_MODE_BIG_ENDIAN : CS_MODE_LITTLE_ENDIAN;
  bool is_thumb = kind.content == CodeKind::Content::kThumb;
  switch (machine.elf) {
    case EM_AARCH64:  // instructions are little-endian on big-endian machines too
      return Target{CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN};
    case EM_ARM:
      return Target{CS_ARCH_ARM, all_of({is_thumb ? CS_MODE_THUMB : CS_MODE_ARM, CS_MODE_V8, order})};
    case EM_PPC64:
      return Target{CS_ARCH_PPC, all_of({CS_MODE_64, order})};
    case EM_PPC:
      return Target{CS_ARCH_PPC, all_of({CS_MODE_32, order})};
    case EM_S390:
      return Target{CS_ARCH_SYSZ, CS_MODE_BIG_ENDIAN};
    case EM_MIPS:
      return Target{CS_ARCH_MIPS, all_of({machine.is_64_bit ? CS_MODE_MIPS64 : CS_MODE_MIPS32, order})};
    case EM_SPARCV9:
      return Target{CS_ARCH_SPARC, all_of({CS_MODE_V9, CS_MODE_BIG_ENDIAN})};
#if CS_API_MAJOR >= 5
    case EM_RISCV:
      return Target{CS_ARCH_RISCV,
                    all_of({machine.is_64_bit ? CS_MODE_RISCV64 : CS_MODE_RISCV32, CS_MODE_RISCVC})};
#endif
    default:
      return std::nullopt;
  }
}

// Owns a Capstone handle and the instruction that it decodes into.
class Disassembler {
 public:
  explicit Disassembler(const Target& target) {
    is_open_ = cs_open(target.processor, target.mode, &handle_) == CS_ERR_OK;
    if (!is_open_) return;
    (void)cs_option(handle_, CS_OPT_DETAIL, CS_OPT_ON);
    instruction_ = cs_malloc(handle_);
  }
  ~Disassembler() {
    if (instruction_ != nullptr) cs_free(instruction_, 1);
    if (is_open_) (void)cs_close(&handle_);
  }
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;

  [[nodiscard]] bool is_open() const { return instruction_ != nullptr; }

  // Returns nullptr if the bytes are no instruction; otherwise a pointer valid until the next call.
  const cs_insn* decode(Bytes code, uint64_t address) {
    const auto* at = reinterpret_cast<const uint8_t*>(code.data());
    size_t size = code.size();
    return cs_disasm_iter(handle_, &at, &size, &address, instruction_) ? instruction_ : nullptr;
  }
  [[nodiscard]] bool transfers_control() const {
    return cs_insn_group(handle_, instruction_, CS_GRP_JUMP) ||
           cs_insn_group(handle_, instruction_, CS_GRP_CALL) || is_named_like_branch();
  }

 private:
  // Capstone 4 puts some branches into no group, for example PowerPC's and s390x's.
  [[nodiscard]] bool is_named_like_branch() const {
    std::string_view name = static_cast<const char*>(instruction_->mnemonic);
    return name.starts_with('b') || name.starts_with('j') || name.starts_with("cb") || name.starts_with("tb");
  }

  csh handle_ = 0;
  bool is_open_ = false;
  cs_insn* instruction_ = nullptr;
};

// Returns the number at the end of the operands if it is the last operand: "x0, #0x1000".
std::optional<uint64_t> last_number(std::string_view operands) {
  constexpr int kHex = 16;
  size_t comma = operands.rfind(',');
  std::string_view last = comma == std::string_view::npos ? operands : operands.substr(comma + 1);
  last.remove_prefix(std::min(last.find_first_not_of(" #"), last.size()));
  if (!last.starts_with("0x")) return std::nullopt;
  last.remove_prefix(2);
  uint64_t number = 0;
  auto [end, error] = std::from_chars(last.data(), last.data() + last.size(), number, kHex);
  bool whole = error == std::errc() && end == last.data() + last.size();
  return whole ? std::optional(number) : std::nullopt;
}

Instruction invalid(uint64_t address, size_t length) {
  return {.address = address,
          .length = static_cast<uint8_t>(length),
          .text = "(bad)",
          .target = std::nullopt,
          .data = std::nullopt};
}

Instruction decoded(const cs_insn& instruction, bool transfers_control) {
  std::string_view name = static_cast<const char*>(instruction.mnemonic);
  std::string_view operands = static_cast<const char*>(instruction.op_str);
  return {.address = instruction.address,
          .length = static_cast<uint8_t>(instruction.size),
          .text = operands.empty() ? std::string(name) : fmt::format("{:<6} {}", name, operands),
          .target = transfers_control ? last_number(operands) : std::nullopt,
          .data = std::nullopt};
}

}  // namespace

Result<std::vector<Instruction>> disassemble_foreign(const CodeKind& kind, Bytes code, uint64_t address) {
  std::optional<Target> target = capstone_target(kind);
  std::optional<Disassembler> disassembler;
  if (target) disassembler.emplace(*target);
  if (!disassembler || !disassembler->is_open()) {
    return make_error(ErrorCode::kUnsupported, "this build of hardmeter cannot disassemble {} code",
                      name_of(kind.machine));
  }
  std::vector<Instruction> instructions;
  while (!code.empty()) {
    const cs_insn* found = disassembler->decode(code, address);
    instructions.push_back(found == nullptr
                               ? invalid(address, std::min<size_t>(instruction_alignment(kind), code.size()))
                               : decoded(*found, disassembler->transfers_control()));
    size_t length = instructions.back().length;
    address += length;
    code = code.subspan(length);
  }
  return instructions;
}

}  // namespace hm::symbol
