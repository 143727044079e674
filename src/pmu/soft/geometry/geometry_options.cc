// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/byte_size.h"
#include "model/directory.h"
#include "pmu/soft/geometry/geometry.h"

namespace hm::soft {
namespace {

using model::MachineGeometry;
using model::SetGeometry;

static_assert(kMaxModelledCores == model::kMaxHolders);

constexpr bool power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

Status set_cache(std::string_view option, const std::string& text, bool optional, SetGeometry& cache,
                 const MachineGeometry& machine) {
  if (text.empty()) return {};
  if (optional && text == "none") {
    cache = {};
    return {};
  }
  auto sizes = parse_byte_sizes(text, 3);
  if (!sizes) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{} {} is not a cache; give SIZE,WAYS,LINE, such as 48K,12,64{}", option, text,
                      optional ? ", or none" : "");
  }
  uint64_t bytes = (*sizes)[0];
  uint64_t ways = sizes->size() > 1 ? (*sizes)[1] : cache.present() ? cache.ways : 8;
  uint64_t line = machine.line_bytes;
  if (ways > model::kMaxCacheWays) {
    return make_error(ErrorCode::kInvalidArgument, "{} {}: at most {} ways are modelled", option, text,
                      model::kMaxCacheWays);
  }
  if (bytes % (ways * line) != 0 || bytes / (ways * line) > (uint64_t{1} << 26)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "{} {}: the size is not a whole number of sets of {} lines of {} bytes", option, text,
                      ways, line);
  }
  cache = {static_cast<uint32_t>(bytes / (ways * line)), static_cast<uint32_t>(ways)};
  return {};
}

Status set_tlb(std::string_view option, const std::string& text, bool optional, SetGeometry& tlb) {
  if (text.empty()) return {};
  if (optional && text == "none") {
    tlb = {};
    return {};
  }
  auto sizes = parse_byte_sizes(text, 2);
  uint64_t max_ways = optional ? model::kMaxCacheWays : model::kMaxTlbWays;
  if (!sizes) {
    return make_error(ErrorCode::kInvalidArgument, "{} {} is not a TLB; give ENTRIES,WAYS, such as 64,4{}",
                      option, text, optional ? ", or none" : "");
  }
  uint64_t entries = (*sizes)[0];
  uint64_t ways = sizes->size() > 1 ? (*sizes)[1] : entries;
  uint64_t max_entries = optional ? 1u << 20 : model::kMaxFirstTlbEntries;
  if (ways > max_ways || entries % ways != 0 || entries > max_entries) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "{} {}: entries must be a whole number of sets, of at most {} ways, and at most {} in all", option,
        text, max_ways, max_entries);
  }
  tlb = {static_cast<uint32_t>(entries / ways), static_cast<uint32_t>(ways)};
  return {};
}

// Returns the line size that the options set, if any; all options must agree.
Result<std::optional<uint32_t>> line_of(const GeometryOptions& options) {
  std::optional<uint32_t> line;
  for (const std::string* text : {&options.l1i, &options.l1d, &options.l2, &options.l3}) {
    auto sizes = parse_byte_sizes(*text, 3);
    if (!sizes || sizes->size() < 3) continue;
    uint64_t bytes = (*sizes)[2];
    if (!power_of_two(bytes) || bytes < 32 || bytes > 256) {
      return make_error(ErrorCode::kInvalidArgument, "{}: a line has 32, 64, 128 or 256 bytes", *text);
    }
    if (line && *line != bytes) {
      return make_error(ErrorCode::kInvalidArgument,
                        "all caches have lines of one size; {} and {} bytes were given", *line, bytes);
    }
    line = static_cast<uint32_t>(bytes);
  }
  return line;
}

// Sets another line size; the caches keep their sizes.
Status set_line(uint32_t line_bytes, MachineGeometry& machine) {
  for (SetGeometry* cache : {&machine.l1i, &machine.l1d, &machine.l2, &machine.l3}) {
    uint64_t set_bytes = uint64_t{cache->sets} * machine.line_bytes;
    if (set_bytes % line_bytes != 0) {
      return make_error(
          ErrorCode::kInvalidArgument,
          "a line size of {} bytes does not fit a cache of {} sets; give the size of each cache", line_bytes,
          cache->sets);
    }
    cache->sets = static_cast<uint32_t>(set_bytes / line_bytes);
  }
  machine.line_bytes = line_bytes;
  return {};
}

}  // namespace

Result<MachineGeometry> choose_geometry(const GeometryOptions& options) {
  MachineGeometry machine;
  if (options.cpu.empty() || options.cpu == "host") {
    machine = host_geometry();
  } else {
    auto preset = preset_geometry(options.cpu);
    if (!preset) return preset.error();
    machine = *preset;
  }
  auto line = line_of(options);
  if (!line) return line.error();
  if (*line) {
    if (Status status = set_line(**line, machine); !status) return status.error();
  }
  for (const Status& status : {set_cache("--l1i", options.l1i, true, machine.l1i, machine),
                               set_cache("--l1d", options.l1d, false, machine.l1d, machine),
                               set_cache("--l2", options.l2, false, machine.l2, machine),
                               set_cache("--l3", options.l3, true, machine.l3, machine),
                               set_tlb("--itlb", options.itlb, false, machine.itlb),
                               set_tlb("--dtlb", options.dtlb, false, machine.dtlb),
                               set_tlb("--stlb", options.second_tlb, true, machine.second_tlb)}) {
    if (!status) return status.error();
  }
  if (!options.page.empty()) {
    auto bytes = parse_byte_size(options.page);
    if (!bytes || !power_of_two(*bytes) || *bytes < 4096 || *bytes > (1u << 30)) {
      return make_error(ErrorCode::kInvalidArgument, "--page {}: a page is a power of two from 4K to 1G",
                        options.page);
    }
    machine.page_bytes = static_cast<uint32_t>(*bytes);
  }
  machine.physical = options.physical;
  if (!machine.l1i.present()) machine.itlb = {};  // code is not modelled
  if (!model::is_modelled_l1(machine.l1d) || !model::is_modelled_l1(machine.l1i)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "a first-level cache has {} lines; at most {} are modelled",
                      std::max(machine.l1d.entries(), machine.l1i.entries()), model::kMaxL1Places);
  }
  return machine;
}

std::string describe_cache(std::string_view name, const SetGeometry& cache, uint32_t line_bytes) {
  if (!cache.present()) return fmt::format("{} none", name);
  std::string size = byte_size_text(cache.entries() * line_bytes);
  return fmt::format("{} {} {}-way", name, size, cache.ways);
}

std::string describe(const MachineGeometry& g) {
  const auto entries_of = [](const SetGeometry& tlb) {
    return tlb.present() ? fmt::format("{}", tlb.entries()) : "none";
  };
  return fmt::format("{}, {}, {}, {}, {}-byte lines, ITLB {}, DTLB {}, second TLB {}, {}-KiB pages{}",
                     describe_cache("L1I", g.l1i, g.line_bytes), describe_cache("L1D", g.l1d, g.line_bytes),
                     describe_cache("L2", g.l2, g.line_bytes), describe_cache("L3", g.l3, g.line_bytes),
                     g.line_bytes, entries_of(g.itlb), entries_of(g.dtlb), entries_of(g.second_tlb),
                     g.page_bytes >> 10, g.physical ? ", L2 and L3 by physical addresses" : "");
}

}  // namespace hm::soft
