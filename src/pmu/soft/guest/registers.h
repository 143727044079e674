// SPDX-License-Identifier: MIT
// Reads the registers of the virtual CPU that runs. Only inside a callback of QEMU that may read registers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pmu/soft/guest/qemu_plugin_api.h"

namespace hm::soft::guest {

class Registers {
 public:
  // Called when a virtual CPU begins: learns the names of its registers.
  void learn(unsigned cpu);

  // `number`: as instructions encode it, rax = 0, rcx = 1, ...
  [[nodiscard]] uint64_t general(unsigned cpu, unsigned number) const;

 private:
  static constexpr unsigned kGeneral = 16;

  std::vector<std::array<qemu_plugin_register*, kGeneral>> known_;
};

}  // namespace hm::soft::guest
