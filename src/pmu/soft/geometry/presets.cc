// SPDX-License-Identifier: MIT
// Sizes and associativities are from vendors' optimisation manuals and public product pages. Latencies are
// rounded load-to-use cycles from the same sources; they are the cost model's assumptions. L3 is the part
// shared within one core's package (or complex).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pmu/soft/geometry/geometry.h"

namespace hm::soft {
namespace {

using model::MachineGeometry;
using model::SetGeometry;

constexpr SetGeometry cache(uint64_t kib, uint32_t ways, uint32_t line = 64) {
  return {static_cast<uint32_t>(kib * 1024 / ways / line), ways};
}
constexpr SetGeometry tlb(uint32_t entries, uint32_t ways) { return {entries / ways, ways}; }
constexpr SetGeometry full_tlb(uint32_t entries) { return {1, entries}; }
constexpr uint64_t kMiB = 1024;  // in KiB

constexpr std::array kPresets{
    CpuPreset{
        "p4-xeon", "Intel Xeon 2.0 GHz (NetBurst, 2002), the machine of the original hardmeter",
        MachineGeometry{
            .l1i = cache(16, 8),  // models the trace cache of 12 K micro-operations
            .l1d = cache(8, 4),
            .l2 = cache(512, 8),
            .l3 = {},
            .itlb = full_tlb(128),
            .dtlb = full_tlb(64),
            .second_tlb = {},
            .latency = {.l1 = 2, .l2 = 18, .l3 = 18, .memory = 392, .page_walk = 30, .mispredict = 20}}},
    CpuPreset{"skylake-sp", "Intel Xeon Scalable, 1st and 2nd generation (Skylake, Cascade Lake)",
              MachineGeometry{.l1i = cache(32, 8),
                              .l1d = cache(32, 8),
                              .l2 = cache(kMiB, 16),
                              .l3 = cache(22 * kMiB, 11),
                              .itlb = tlb(128, 8),
                              .dtlb = tlb(64, 4),
                              .second_tlb = tlb(1536, 12),
                              .latency = {.l1 = 5, .l2 = 14, .l3 = 70, .memory = 220}}},
    CpuPreset{"icelake-sp", "Intel Xeon Scalable, 3rd generation (Ice Lake)",
              MachineGeometry{.l1i = cache(32, 8),
                              .l1d = cache(48, 12),
                              .l2 = cache(1280, 20),
                              .l3 = cache(36 * kMiB, 12),
                              .itlb = tlb(128, 8),
                              .dtlb = tlb(64, 4),
                              .second_tlb = tlb(2048, 16),
                              .latency = {.l1 = 5, .l2 = 14, .l3 = 70, .memory = 230}}},
    CpuPreset{"sapphire-rapids",
              "Intel Xeon Scalable, 4th and 5th generation (Sapphire Rapids, Emerald Rapids)",
              MachineGeometry{.l1i = cache(32, 8),
                              .l1d = cache(48, 12),
                              .l2 = cache(2 * kMiB, 16),
                              .l3 = cache(105 * kMiB, 15),
                              .itlb = tlb(256, 8),
                              .dtlb = tlb(96, 6),
                              .second_tlb = tlb(2048, 16),
                              .latency = {.l1 = 5, .l2 = 16, .l3 = 80, .memory = 260}}},
    CpuPreset{"granite-rapids", "Intel Xeon 6 with performance cores",
              MachineGeometry{.l1i = cache(64, 16),
                              .l1d = cache(48, 12),
                              .l2 = cache(2 * kMiB, 16),
                              .l3 = cache(432 * kMiB, 16),
                              .itlb = tlb(256, 8),
                              .dtlb = tlb(96, 6),
                              .second_tlb = tlb(2048, 16),
                              .latency = {.l1 = 5, .l2 = 16, .l3 = 90, .memory = 270}}},
    CpuPreset{"zen3", "AMD EPYC 7003 (Milan)",
              MachineGeometry{.l1i = cache(32, 8),
                              .l1d = cache(32, 8),
                              .l2 = cache(512, 8),
                              .l3 = cache(32 * kMiB, 16),
                              .itlb = full_tlb(64),
                              .dtlb = full_tlb(64),
                              .second_tlb = tlb(2048, 8),
                              .latency = {.l1 = 4, .l2 = 12, .l3 = 46, .memory = 240}}},
    CpuPreset{"zen4", "AMD EPYC 9004 (Genoa)",
              MachineGeometry{.l1i = cache(32, 8),
                              .l1d = cache(32, 8),
                              .l2 = cache(kMiB, 8),
                              .l3 = cache(32 * kMiB, 16),
                              .itlb = full_tlb(64),
                              .dtlb = full_tlb(72),
                              .second_tlb = tlb(3072, 24),
                              .latency = {.l1 = 4, .l2 = 14, .l3 = 50, .memory = 250}}},
    CpuPreset{"zen5", "AMD EPYC 9005 (Turin)",
              MachineGeometry{.l1i = cache(32, 8),
                              .l1d = cache(48, 12),
                              .l2 = cache(kMiB, 16),
                              .l3 = cache(32 * kMiB, 16),
                              .itlb = full_tlb(64),
                              .dtlb = full_tlb(96),
                              .second_tlb = tlb(4096, 16),
                              .latency = {.l1 = 4, .l2 = 14, .l3 = 48, .memory = 250}}},
    CpuPreset{"neoverse-n1", "Arm Neoverse N1 (Graviton2, Ampere Altra)",
              MachineGeometry{.l1i = cache(64, 4),
                              .l1d = cache(64, 4),
                              .l2 = cache(kMiB, 8),
                              .l3 = cache(32 * kMiB, 16),
                              .itlb = full_tlb(48),
                              .dtlb = full_tlb(48),
                              .second_tlb = tlb(1280, 5),
                              .latency = {.l1 = 4, .l2 = 11, .l3 = 80, .memory = 250}}},
    CpuPreset{"neoverse-v1", "Arm Neoverse V1 (Graviton3)",
              MachineGeometry{.l1i = cache(64, 4),
                              .l1d = cache(64, 4),
                              .l2 = cache(kMiB, 8),
                              .l3 = cache(32 * kMiB, 16),
                              .itlb = full_tlb(48),
                              .dtlb = full_tlb(48),
                              .second_tlb = tlb(2048, 8),
                              .latency = {.l1 = 4, .l2 = 10, .l3 = 80, .memory = 260}}},
    CpuPreset{"neoverse-v2", "Arm Neoverse V2 (Graviton4, Grace)",
              MachineGeometry{.l1i = cache(64, 4),
                              .l1d = cache(64, 4),
                              .l2 = cache(2 * kMiB, 8),
                              .l3 = cache(36 * kMiB, 12),
                              .itlb = full_tlb(48),
                              .dtlb = full_tlb(48),
                              .second_tlb = tlb(2048, 8),
                              .latency = {.l1 = 4, .l2 = 10, .l3 = 80, .memory = 260}}},
};

}  // namespace

std::span<const CpuPreset> cpu_presets() { return kPresets; }

namespace {

// Names of `hardmeter list --cpu` for the same caches and TLBs.
std::string_view preset_name(std::string_view name) {
  if (name == "pentium4") return "p4-xeon";
  return name == "cascadelake-sp" ? "skylake-sp" : name;
}

}  // namespace

Result<model::MachineGeometry> preset_geometry(std::string_view name) {
  auto found = std::ranges::find(kPresets, preset_name(name), &CpuPreset::name);
  if (found != kPresets.end()) return found->geometry;
  std::string names;
  for (const CpuPreset& each : kPresets) names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
  return make_error(
      ErrorCode::kInvalidArgument,
      "unknown processor '{}': use host, {}, or give the sizes with --l1d, --l2, --l3 and others", name,
      names);
}

}  // namespace hm::soft
