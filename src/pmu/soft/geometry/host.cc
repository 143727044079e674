// SPDX-License-Identifier: MIT
// The host's caches as the system reports them, or from CPUID on an AMD processor in a virtual machine that
// does not report them; TLBs from CPUID. Leaf 18H: Intel SDM volume 2; 80000005H, 80000006H and 80000021H:
// AMD APM volume 3.
#include <cpuid.h>
#include <fmt/format.h>

#include "host/host_caches.h"
#include "pmu/soft/geometry/geometry.h"

namespace hm::soft {
namespace {

using model::MachineGeometry;
using model::SetGeometry;

struct Tlbs {
  SetGeometry instruction, data, second;
};

struct CpuidResult {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// Returns zeros if the processor does not support the leaf.
CpuidResult cpuid(uint32_t leaf, uint32_t subleaf = 0) {
  CpuidResult r;
  if (__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx) == 0) return {};
  return r;
}

// Leaf 18H: one subleaf per TLB.
Tlbs intel_tlbs() {
  Tlbs tlbs;
  uint32_t last = cpuid(0x18).eax;
  for (uint32_t i = 0; i <= last && i < 32; ++i) {
    CpuidResult r = cpuid(0x18, i);
    uint32_t type = r.edx & 0x1f;
    uint32_t level = (r.edx >> 5) & 7;
    bool small_pages = (r.ebx & 1) != 0;
    SetGeometry shape{r.ecx, r.ebx >> 16};
    if (!small_pages || !shape.present() || shape.ways == 0) continue;
    if (type == 2 && level == 1) tlbs.instruction = shape;
    if ((type == 1 || type == 4) && level == 1) tlbs.data = shape;
    if ((type == 1 || type == 3) && level == 2) tlbs.second = shape;
  }
  return tlbs;
}

// Decodes an associativity code of leaf 80000006H; 0 if it is unspecified.
uint32_t amd_ways(uint32_t code, uint32_t entries) {
  constexpr uint32_t kWays[] = {0, 1, 2, 3, 4, 6, 8, 0, 16, 0, 32, 48, 64, 96, 128, 0};
  return code == 0xf ? entries : kWays[code];
}

SetGeometry shape_of(uint32_t entries, uint32_t ways) {
  if (entries == 0 || ways == 0 || entries % ways != 0) return {};
  return {entries / ways, ways};
}

// A second-level TLB of 4,096 entries does not fit the 12-bit size field. The unit is 32 entries if bit 14 of
// leaf 80000021H is set. Hypervisors hide that bit; Zen 5, family 1AH, uses units of 32.
uint32_t amd_entries_per_unit() {
  constexpr uint32_t kUnitsOf32 = 1 << 14;
  uint32_t signature = cpuid(1).eax;
  uint32_t family = ((signature >> 8) & 0xf) + ((signature >> 20) & 0xff);
  return family >= 0x1a || (cpuid(0x80000021).eax & kUnitsOf32) != 0 ? 32 : 1;
}

Tlbs amd_tlbs() {
  Tlbs tlbs;
  CpuidResult first = cpuid(0x80000005);
  uint32_t instruction_entries = first.ebx & 0xff;
  uint32_t data_entries = (first.ebx >> 16) & 0xff;
  if (instruction_entries != 0) tlbs.instruction = {1, instruction_entries};  // fully associative since Zen
  if (data_entries != 0) tlbs.data = {1, data_entries};
  CpuidResult second = cpuid(0x80000006);
  uint32_t entries = ((second.ebx >> 16) & 0xfff) * amd_entries_per_unit();
  tlbs.second = shape_of(entries, amd_ways(second.ebx >> 28, entries));
  return tlbs;
}

// Returns the first two levels. The third level's leaf reports the package's total, not the part that a core
// shares.
std::vector<host::HostCache> amd_caches() {
  std::vector<host::HostCache> caches;
  const auto add = [&](int level, const char* type, uint32_t kib, uint32_t ways, uint32_t line_bytes) {
    if (line_bytes == 0) return;
    SetGeometry shape = shape_of(kib * 1024 / line_bytes, ways);
    if (shape.present()) caches.push_back({level, type, shape.sets, shape.ways, line_bytes});
  };
  CpuidResult first = cpuid(0x80000005);
  add(1, "Data", first.ecx >> 24, (first.ecx >> 16) & 0xff, first.ecx & 0xff);
  add(1, "Instruction", first.edx >> 24, (first.edx >> 16) & 0xff, first.edx & 0xff);
  CpuidResult second = cpuid(0x80000006);
  add(2, "Unified", second.ecx >> 16, amd_ways((second.ecx >> 12) & 0xf, 0), second.ecx & 0xff);
  return caches;
}

bool vendor_is(std::string_view name) {
  CpuidResult r = cpuid(0);
  std::string vendor;
  for (uint32_t part : {r.ebx, r.edx, r.ecx}) vendor.append(reinterpret_cast<const char*>(&part), 4);
  return vendor == name;
}

void take(const host::HostCache& cache, MachineGeometry& geometry) {
  SetGeometry shape{cache.sets, cache.ways};
  if (shape.ways > model::kMaxCacheWays) return;
  if (cache.level == 1 && !model::is_modelled_l1(shape)) return;
  if (cache.level == 1 && cache.type == "Data") {
    geometry.l1d = shape;
    geometry.line_bytes = cache.line_bytes;
  }
  if (cache.level == 1 && cache.type == "Instruction") geometry.l1i = shape;
  if (cache.level == 2) geometry.l2 = shape;
  if (cache.level == 3) geometry.l3 = shape;
}

void take_or_assume(SetGeometry& target, const SetGeometry& found, std::string_view name,
                    std::string* notes) {
  bool usable = found.present() && found.ways <= model::kMaxTlbWays;
  if (usable) {
    target = found;
  } else if (notes != nullptr) {
    *notes += fmt::format("{}this host does not report its {}; {} entries are assumed",
                          notes->empty() ? "" : "; ", name, target.entries());
  }
}

}  // namespace

MachineGeometry host_geometry(std::string* notes) {
  bool amd = vendor_is("AuthenticAMD") || vendor_is("HygonGenuine");
  MachineGeometry geometry = *preset_geometry(amd ? "zen4" : "sapphire-rapids");
  std::vector<host::HostCache> caches = host::host_caches(0);
  if (caches.empty()) {
    if (amd) caches = amd_caches();
    if (notes != nullptr)
      *notes = fmt::format("this host does not report its {}; a current server's {} assumed",
                           caches.empty() ? "caches" : "L3", caches.empty() ? "are" : "is");
  } else {
    geometry.l3 = {};  // the host has no L3
  }
  for (const host::HostCache& cache : caches) take(cache, geometry);
  Tlbs tlbs = amd ? amd_tlbs() : intel_tlbs();
  take_or_assume(geometry.itlb, tlbs.instruction, "instruction TLB", notes);
  take_or_assume(geometry.dtlb, tlbs.data, "data TLB", notes);
  take_or_assume(geometry.second_tlb, tlbs.second, "second-level TLB", notes);
  return geometry;
}

}  // namespace hm::soft
