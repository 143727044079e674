// SPDX-License-Identifier: MIT
// Which machine to model: this host's, a named CPU's, or as the user says.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/geometry.h"

namespace hm::soft {

struct CpuPreset {
  std::string_view name;
  std::string_view description;
  model::MachineGeometry geometry;
};

[[nodiscard]] std::span<const CpuPreset> cpu_presets();
[[nodiscard]] Result<model::MachineGeometry> preset_geometry(std::string_view name);

// This host's caches from sysfs and TLBs from CPUID; what the system does not report is assumed as on a
// current server.
// `notes` gets a sentence for each part that was assumed.
[[nodiscard]] model::MachineGeometry host_geometry(std::string* notes = nullptr);

// What a user may change of a machine. Empty strings change nothing.
struct GeometryOptions {
  std::string cpu;  // a preset's name, "host" or empty
  // "48K,12,64": size, ways, line bytes; ways and line may be left out. l3 may be "none"; so may l1i: then
  // code is not modelled, in no level and no TLB.
  std::string l1i, l1d, l2, l3;
  std::string itlb, dtlb,
      second_tlb;    // "64,4": entries, ways; ways may be left out (fully associative); second_tlb "none"
  std::string page;  // "4K"
  bool physical = false;  // MachineGeometry::physical
  uint32_t cores = 0;     // 0: as many as the host has CPUs for the program; at most kMaxModelledCores
};
inline constexpr uint32_t kMaxModelledCores = 62;

// The machine that the options describe, checked: every size a whole number of sets, no more ways than the
// models hold.
[[nodiscard]] Result<model::MachineGeometry> choose_geometry(const GeometryOptions& options);

// "L1D 48 KiB 12-way, ..." in one line.
[[nodiscard]] std::string describe(const model::MachineGeometry& geometry);
[[nodiscard]] std::string describe_cache(std::string_view name, const model::SetGeometry& cache,
                                         uint32_t line_bytes);

}  // namespace hm::soft
