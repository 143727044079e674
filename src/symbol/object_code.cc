// SPDX-License-Identifier: MIT
#include "symbol/object_code.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hm::symbol {

Result<std::vector<Instruction>> instructions_of(const Object& object, uint64_t address, uint64_t size,
                                                 Syntax syntax) {
  Result<Bytes> code = object.code(address, size);
  if (!code) return code.error();
  std::vector<Instruction> all;
  for (Bytes rest = *code; !rest.empty();) {
    CodeKind kind = object.code_kind(address);
    Bytes part = rest.first(static_cast<size_t>(std::min<uint64_t>(rest.size(), kind.end - address)));
    Result<std::vector<Instruction>> instructions = disassemble(kind, part, address, syntax);
    if (!instructions) return instructions.error();
    std::ranges::move(*instructions, std::back_inserter(all));
    address += part.size();
    rest = rest.subspan(part.size());
  }
  return all;
}

Result<Instruction> instruction_at(const Object& object, uint64_t address) {
  constexpr uint64_t kLongestInstruction = 15;  // bytes; x86 has the longest
  address -= address % instruction_alignment(object.code_kind(address));
  Result<std::vector<Instruction>> instructions = instructions_of(object, address, kLongestInstruction);
  if (!instructions) return instructions.error();
  return std::move(instructions->front());
}

Result<Bytes> x86_64_code(const Object& object, uint64_t address, uint64_t size) {
  Result<Bytes> code = object.code(address, size);
  if (!code) return code.error();
  Machine machine = object.code_kind(address).machine;
  if (machine.is_x86_64()) return code;
  return make_error(ErrorCode::kUnsupported, "the code is for {}, and this analysis reads x86-64 code only",
                    name_of(machine));
}

}  // namespace hm::symbol
