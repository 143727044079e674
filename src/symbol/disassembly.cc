// SPDX-License-Identifier: MIT
#include "symbol/disassembly.h"

#include <Zydis/Zydis.h>

namespace hm::symbol {

std::vector<Instruction> disassemble(Bytes code, uint64_t address, Syntax syntax) {
  auto* decode = syntax == Syntax::kAtt ? &ZydisDisassembleATT : &ZydisDisassembleIntel;
  std::vector<Instruction> instructions;
  while (!code.empty()) {
    ZydisDisassembledInstruction decoded;
    bool good = ZYAN_SUCCESS(decode(ZYDIS_MACHINE_MODE_LONG_64, address, code.data(),
                                    static_cast<ZyanUSize>(code.size()), &decoded));
    uint8_t length = good ? decoded.info.length : uint8_t{1};
    instructions.push_back({address, length, good ? decoded.text : "(bad)"});
    address += length;
    code = code.subspan(length);
  }
  return instructions;
}

}  // namespace hm::symbol
