// SPDX-License-Identifier: MIT
// Chooses the machine to model: this host's, a named CPU's, or one that the user describes.
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

// Returns this host's caches from sysfs and TLBs from CPUID. Parts that the system does not report are
// assumed to be those of a current server.
// `notes` gets a sentence for each assumed part.
[[nodiscard]] model::MachineGeometry host_geometry(std::string* notes = nullptr);

// The user's changes to a machine. Empty strings change nothing.
struct GeometryOptions {
  std::string cpu;  // a preset's name, "host" or empty
  // "48K,12,64": size, ways, line bytes; ways and line may be omitted. l3 may be "none". l1i may be "none",
  // too: code is then not modelled, in any cache or TLB.
  std::string l1i, l1d, l2, l3;
  std::string itlb, dtlb,
      second_tlb;         // "64,4": entries, ways; ways may be omitted (fully associative); second_tlb "none"
  std::string page;       // "4K"
  bool physical = false;  // MachineGeometry::physical
  std::string costs_as{};  // a machine profile for cycles: "host" or a file; empty: the geometry's latencies
  uint32_t cores = 0;      // 0: as many as the CPUs that the program may run on; at most kMaxModelledCores
};
inline constexpr uint32_t kMaxModelledCores = 62;

// Returns the machine that the options describe. Checks that every size is a whole number of sets, and that
// the ways do not exceed the models' limit.
[[nodiscard]] Result<model::MachineGeometry> choose_geometry(const GeometryOptions& options);

// Returns "L1D 48 KiB 12-way, ..." on one line.
[[nodiscard]] std::string describe(const model::MachineGeometry& geometry);
[[nodiscard]] std::string describe_cache(std::string_view name, const model::SetGeometry& cache,
                                         uint32_t line_bytes);

}  // namespace hm::soft
