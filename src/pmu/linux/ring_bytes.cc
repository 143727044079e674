// SPDX-License-Identifier: MIT
#include "pmu/linux/ring_bytes.h"

#include <charconv>
#include <string>

namespace hm::linux_pmu {

constexpr size_t kRootRingBytes = size_t{1} << 20;

size_t usual_ring_bytes(Kernel& kernel) {
  if (kernel.is_root()) return kRootRingBytes;
  std::string text = kernel.file("/proc/sys/kernel/perf_event_mlock_kb").value_or("");
  size_t kib = 0;
  std::from_chars(text.data(), text.data() + text.size(), kib);
  constexpr size_t kMinBytes = size_t{64} << 10;
  size_t bytes = kMinBytes;
  while (bytes * 2 < kib * 1024 && bytes < kRootRingBytes) bytes *= 2;
  return bytes;
}

size_t ring_bytes_for(Kernel& kernel, size_t samples) {
  constexpr size_t kSampleBytes = 320, kMinBytes = size_t{64} << 10, kMaxBytes = size_t{256} << 20;
  size_t most = kernel.is_root() ? kMaxBytes : usual_ring_bytes(kernel);
  size_t bytes = kMinBytes;
  while (bytes < most && bytes / kSampleBytes < samples) bytes *= 2;
  return bytes;
}

}  // namespace hm::linux_pmu
