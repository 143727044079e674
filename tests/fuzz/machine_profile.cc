// SPDX-License-Identifier: MIT
// Reads any bytes as a machine profile. What is accepted is written and read again without a difference.
#include "host/calibration/profile_json.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  Result<host::MachineProfile> profile = host::machine_profile_in(fuzz::text(data, size));
  if (!profile) return 0;
  std::string written = indented_json(host::to_json(*profile));
  Result<host::MachineProfile> again = host::machine_profile_in(written);
  fuzz::require(again.ok());
  fuzz::require(indented_json(host::to_json(*again)) == written);
  return 0;
}
