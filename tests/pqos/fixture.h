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

// Real libpqos before an emulated processor, as after its reset. Skips where it cannot be: not as root, no
// FUSE, no mount namespace, no libpqos.
class PqosTest : public testing::Test {
 protected:
  void SetUp() override;

  static EmulatedRegisters& registers();

  // A failure of the test where there is an error.
  static std::unique_ptr<rdt::Provider> opened();
  static std::unique_ptr<rdt::Group> watched(rdt::Provider& provider, const std::vector<uint32_t>& cpus);

  // The error; "" and a failure of the test where there is none.
  static std::string error_of_opening(ErrorCode expected);
  static std::string error_of_watching(rdt::Provider& provider, const rdt::Members& members,
                                       ErrorCode expected);

  static uint32_t id_of(unsigned cpu) { return static_cast<uint32_t>(registers().association(cpu)); }
};

}  // namespace hm::pqos_test
