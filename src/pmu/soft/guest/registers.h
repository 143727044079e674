// SPDX-License-Identifier: MIT
// Reads the registers of the virtual CPU that runs. Only inside a callback of QEMU that may read registers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pmu/soft/guest/qemu_plugin_api.h"
#include "pmu/soft/sampling/sample_record.h"

namespace hm::soft::guest {

class Registers {
 public:
  // Called when a virtual CPU begins: learns the names of its registers.
  void learn(unsigned cpu);

  // `number`: as instructions encode it, rax = 0, rcx = 1, ...
  [[nodiscard]] uint64_t general(unsigned cpu, unsigned number) const;
  [[nodiscard]] uint64_t instruction_pointer(unsigned cpu) const { return read(cpu, kPointer); }
  // Returns all registers of a sample at the instruction `ip`.
  [[nodiscard]] soft::Registers all(unsigned cpu, uint64_t ip) const;

 private:
  static constexpr unsigned kFlags = 16, kPointer = 17, kKnown = 18;

  [[nodiscard]] uint64_t read(unsigned cpu, unsigned index) const;

  std::vector<std::array<qemu_plugin_register*, kKnown>> known_;
};

}  // namespace hm::soft::guest
