// SPDX-License-Identifier: MIT
// The input is a file with a Linux kernel.
#include "pmu/soft/launcher/kernel_image.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  Bytes image = fuzz::input(data, size);
  Result<std::string> release = soft::kernel_release(image);
  fuzz::require(release.ok() || !release.error().message.empty());
  Result<std::vector<std::byte>> kernel = soft::startable_kernel(image);
  fuzz::require(kernel.ok() || !kernel.error().message.empty());
  return 0;
}
