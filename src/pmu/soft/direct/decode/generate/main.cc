// SPDX-License-Identifier: MIT
// decode_tables FILE: writes the decoder's table, as C++, from Zydis's descriptions of all opcodes.
#include <fmt/format.h>

#include <exception>
#include <fstream>

#include "pmu/soft/direct/decode/generate/rows.h"
#include "pmu/soft/direct/decode/generate/table.h"

namespace hm::soft::direct {
namespace {

bool has_modrm(const Prober& prober, const Probe& probe) {
  auto described = prober.ask(probe);
  return !described || described->instruction.modrm_offset != 0;
}

// Collects the rows by ModRM: by its reg and, if it names a register, by its rm.
Choices choices_of(const Prober& prober, Probe probe, Table& table) {
  Choices choices;
  probe.modrm = 0xc0;
  if (!has_modrm(prober, probe)) {
    uint16_t row = table.add_row(make_row(prober, probe));
    choices.memory.fill(row);
    choices.registers.fill(row);
    return choices;
  }
  choices.has_modrm = true;
  for (uint8_t i = 0; i < 64; ++i) {
    probe.modrm = 0xc0 | i;
    choices.registers[i] = table.add_row(make_row(prober, probe));
  }
  for (uint8_t reg = 0; reg < 8; ++reg) {
    probe.modrm = static_cast<uint8_t>(reg << 3 | 1);
    choices.memory[reg] = table.add_row(make_row(prober, probe));
  }
  return choices;
}

void fill_slot(const Prober& prober, Probe probe, unsigned slot, Table& table) {
  for (uint8_t variant = 0; variant < kVariants; ++variant) {
    bool unused = probe.encoding == Encoding::kLegacy && variant >= legacy_variant(3, 0, 0);
    if (unused) break;
    probe.variant = variant;
    table.set(slot, variant, choices_of(prober, probe, table));
  }
}

// Returns true if the byte is an opcode, not a prefix or escape that is read before it.
bool is_opcode(unsigned map, unsigned byte) {
  if (map == 1) return byte != 0x38 && byte != 0x3a && byte != 0x0f;  // 0F 0F: 3DNow!
  if (map != 0) return true;
  bool prefix = byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 ||
                (byte & 0xe7) == 0x26 || byte == 0x64 || byte == 0x65 || (byte & 0xf0) == 0x40;
  return !prefix && byte != 0x0f && byte != 0xc4 && byte != 0xc5 && byte != 0x62;
}

std::string generate() {
  Prober prober;
  Table table;
  for (unsigned byte = 0; byte < 256; ++byte) {
    Probe probe;
    probe.opcode = static_cast<uint8_t>(byte);
    for (uint8_t map = 0; map <= 3; ++map) {
      probe.map = map;
      probe.encoding = Encoding::kLegacy;
      if (is_opcode(map, byte)) fill_slot(prober, probe, legacy_slot(map, byte), table);
      probe.encoding = Encoding::kVex;
      if (map >= 1) fill_slot(prober, probe, vex_slot(map, byte), table);
    }
    probe.encoding = Encoding::kEvex;
    for (uint8_t map = 1; map <= 6; ++map) {
      for (uint8_t pp = 0; pp < 4; ++pp) {
        probe.map = map;
        probe.pp = pp;
        fill_slot(prober, probe, evex_slot(map, pp, byte), table);
      }
    }
  }
  return table.source();
}

}  // namespace
}  // namespace hm::soft::direct

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: decode_tables FILE\n");
    return 2;
  }
  try {
    std::ofstream out(argv[1]);
    out << hm::soft::direct::generate();
    out.close();
    if (out) return 0;
    fmt::print(stderr, "cannot write the decoder's table to {}: check the folder and the space\n", argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "cannot make the decoder's table: {}\n", error.what());
  }
  return 1;
}
