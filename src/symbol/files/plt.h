// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct Elf;

namespace hm::symbol {

struct PltStub {
  uint64_t start = 0;
  uint64_t size = 0;
  std::string name;  // "puts@plt"
};

// Returns the stubs of .plt, .plt.sec and .plt.got, each named by the relocation of the GOT slot that it
// jumps through. x86-64 only: returns none for other machines.
[[nodiscard]] std::vector<PltStub> read_plt_stubs(Elf* elf);

}  // namespace hm::symbol
