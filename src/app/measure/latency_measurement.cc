// SPDX-License-Identifier: MIT
#include "app/measure/latency_measurement.h"

#include <algorithm>

#include "base/byte_size.h"

namespace hm::measure {
namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kTimesTheLastCache = 4;

// Returns a multiple of the last-level cache size within bounds, or a guess if the system reports no caches.
uint64_t default_largest_bytes() {
  uint64_t last_cache = 0;
  for (const host::HostCache& cache : host::host_caches(0)) {
    last_cache = std::max(last_cache, cache.size_bytes());
  }
  if (last_cache == 0) return 256 * kMiB;
  return std::clamp(kTimesTheLastCache * last_cache, 64 * kMiB, 1024 * kMiB);
}

Result<uint64_t> largest_bytes(const LatencyOptions& options) {
  std::optional<uint64_t> room = host::largest_sweep_bytes();
  if (options.max_size.empty()) return std::min(default_largest_bytes(), room.value_or(UINT64_MAX));
  std::optional<uint64_t> wanted = parse_byte_size(options.max_size);
  if (!wanted)
    return make_error(ErrorCode::kInvalidArgument, "--max-size {} is not a size, such as 256M or 1G",
                      options.max_size);
  if (*wanted < 4 * host::kSmallestBytes)
    return make_error(ErrorCode::kInvalidArgument,
                      "--max-size {} is too small: give at least 16K, such as 256M", options.max_size);
  if (room && *wanted > *room)
    return make_error(
        ErrorCode::kInvalidArgument,
        "--max-size {} needs twice that amount of memory; at most {} MiB are available without harm to other programs",
        options.max_size, *room / kMiB);
  return *wanted;
}

}  // namespace

Result<host::MemoryCosts> measure_latency(const LatencyOptions& options) {
  Result<uint64_t> largest = largest_bytes(options);
  if (!largest) return largest.error();
  host::SweepOptions wanted;
  wanted.cpu = options.cpu;
  wanted.sizes_bytes = host::sweep_sizes(*largest, options.quick ? 4 : 8);
  if (options.quick) wanted.repetition_ns = 100'000;
  wanted.interrupts = options.interrupts;
  wanted.progress = options.progress;
  Result<host::Sweep> measured = host::measure_latency(wanted);
  if (!measured) return measured.error();
  int cpu = measured->cpu;
  return host::memory_costs(*std::move(measured), host::host_caches(cpu), host::is_virtual_machine());
}

}  // namespace hm::measure
