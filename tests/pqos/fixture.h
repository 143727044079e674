// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "pmu/rdt/pqos_provider.h"
#include "pqos/emulated_cpu.h"
#include "pqos/emulated_registers.h"

namespace hm::rdt {

void PrintTo(const Reading& reading, std::ostream* out);  // for GoogleTest

}  // namespace hm::rdt

namespace hm::pqos_test {

// Runs the real libpqos with an emulated processor, after its reset. Skips if this is impossible: not as
// root, no FUSE, no mount namespace, no libpqos.
class PqosTest : public testing::Test {
 protected:
  void SetUp() override;

  static EmulatedRegisters& registers();

  // These fail the test on an error.
  static std::unique_ptr<rdt::Provider> opened();
  static std::unique_ptr<rdt::Group> watched(rdt::Provider& provider, const std::vector<uint32_t>& cpus);

  // These return the error's message. Without an error they fail the test and return "".
  static std::string error_of_opening(ErrorCode expected);
  static std::string error_of_watching(rdt::Provider& provider, const rdt::Members& members,
                                       ErrorCode expected);

  static uint32_t id_of(unsigned cpu) { return static_cast<uint32_t>(registers().association(cpu)); }
};

}  // namespace hm::pqos_test
