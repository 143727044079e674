// SPDX-License-Identifier: MIT
// Reads the registers of the virtual CPU that runs, and its memory. Only inside a callback of QEMU that may
// read registers.
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
  // All registers that a sample has; its instruction pointer is `ip`.
  [[nodiscard]] soft::Registers all(unsigned cpu, uint64_t ip) const;
  // Returns false if the memory cannot be read.
  static bool read_memory(uint64_t address, size_t bytes, std::vector<uint8_t>& into);

 private:
  static constexpr unsigned kGeneral = 16, kFlags = 16, kAll = 17;
  [[nodiscard]] uint64_t read(unsigned cpu, unsigned index) const;

  std::vector<std::array<qemu_plugin_register*, kAll>> known_;
};

}  // namespace hm::soft::guest
