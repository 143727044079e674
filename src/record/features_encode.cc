// SPDX-License-Identifier: MIT
#include "record/extension.h"
#include "record/feature_layout.h"
#include "record/features.h"

namespace hm::record {
namespace {

using Sections = std::map<unsigned, std::vector<std::byte>>;

template <typename Write>
void put(Sections& sections, unsigned bit, Write&& write) {
  ByteWriter out;
  write(out);
  sections[bit] = std::move(out).take();
}

void write_text(std::string_view text, ByteWriter& out) {
  size_t size = (text.size() + 1 + kTextAlignment - 1) / kTextAlignment * kTextAlignment;
  out.u32(static_cast<uint32_t>(size));
  out.text(text);
  for (size_t i = text.size(); i < size; ++i) out.u8(0);
}

void put_lists(const Features& features, Sections& sections) {
  if (!features.cmdline.empty()) {
    put(sections, kFeatureCmdline, [&](ByteWriter& out) {
      out.u32(static_cast<uint32_t>(features.cmdline.size()));
      for (const std::string& word : features.cmdline) write_text(word, out);
    });
  }
  if (!features.numa_nodes.empty()) {
    put(sections, kFeatureNumaTopology, [&](ByteWriter& out) {
      out.u32(static_cast<uint32_t>(features.numa_nodes.size()));
      for (const NumaNode& node : features.numa_nodes) {
        out.u32(node.number);
        out.u64(node.total_kib);
        out.u64(node.free_kib);
        write_text(node.cpus, out);
      }
    });
  }
  if (!features.caches.empty()) {
    put(sections, kFeatureCache, [&](ByteWriter& out) {
      out.u32(kCacheVersion);
      out.u32(static_cast<uint32_t>(features.caches.size()));
      for (const CacheInfo& cache : features.caches) {
        for (uint32_t number : {cache.level, cache.line_bytes, cache.sets, cache.ways}) out.u32(number);
        for (const std::string& text : {cache.type, cache.size, cache.cpus}) write_text(text, out);
      }
    });
  }
  if (!features.pmus.empty()) {
    put(sections, kFeaturePmuMappings, [&](ByteWriter& out) {
      out.u32(static_cast<uint32_t>(features.pmus.size()));
      for (const PmuMapping& pmu : features.pmus) {
        out.u32(pmu.type);
        write_text(pmu.name, out);
      }
    });
  }
}

void put_numbers(const Features& features, Sections& sections) {
  if (features.cpus.has_value()) {
    put(sections, kFeatureNrCpus, [&](ByteWriter& out) {
      out.u32(features.cpus->available);
      out.u32(features.cpus->online);
    });
  }
  if (features.total_mem_kib.has_value()) {
    put(sections, kFeatureTotalMem, [&](ByteWriter& out) { out.u64(*features.total_mem_kib); });
  }
  if (features.sample_time.has_value()) {
    put(sections, kFeatureSampleTime, [&](ByteWriter& out) {
      out.u64(features.sample_time->first_ns);
      out.u64(features.sample_time->last_ns);
    });
  }
  if (features.clock_resolution_ns.has_value()) {
    put(sections, kFeatureClockId, [&](ByteWriter& out) { out.u64(*features.clock_resolution_ns); });
  }
  if (features.compression.has_value()) {
    put(sections, kFeatureCompressed, [&](ByteWriter& out) {
      const CompressionInfo& info = *features.compression;
      for (uint32_t number : {info.version, info.type, info.level, info.ratio, info.mmap_bytes})
        out.u32(number);
    });
  }
}

void put_events(const std::vector<EventDescription>& events, Sections& sections) {
  put(sections, kFeatureEventDesc, [&](ByteWriter& out) {
    out.u32(static_cast<uint32_t>(events.size()));
    out.u32(sizeof(perf_event_attr));
    for (const EventDescription& event : events) {
      out.write(event.attr);
      out.u32(static_cast<uint32_t>(event.ids.size()));
      write_text(event.name, out);
      for (uint64_t id : event.ids) out.u64(id);
    }
  });
}

// The section is empty; its presence makes perf report show branches by default. perf mem and perf c2c refuse
// a recording with this section, so recordings of memory accesses do not have it. perf report -b works either
// way.
void put_branch_stack(const std::vector<EventDescription>& events, Sections& sections) {
  uint64_t fields = 0;
  for (const EventDescription& event : events) fields |= event.attr.sample_type;
  bool has_branches = (fields & PERF_SAMPLE_BRANCH_STACK) != 0;
  if (has_branches && (fields & PERF_SAMPLE_DATA_SRC) == 0) sections[kFeatureBranchStack] = {};
}

void put_build_ids(const std::vector<BuildId>& build_ids, Sections& sections) {
  if (build_ids.empty()) return;
  put(sections, kFeatureBuildId, [&](ByteWriter& out) {
    for (const BuildId& build_id : build_ids) (void)encode_build_id(build_id, out);  // left out if too long
  });
}

}  // namespace

std::map<unsigned, std::vector<std::byte>> encode_features(const Features& features,
                                                           const std::vector<EventDescription>& events) {
  Sections sections;
  for (const auto& [bit, section] : features.raw) sections[bit].assign(section.begin(), section.end());
  for (const TextFeature& text : kTextFeatures) {
    const std::optional<std::string>& value = features.*text.member;
    if (value.has_value()) put(sections, text.bit, [&](ByteWriter& out) { write_text(*value, out); });
  }
  put_numbers(features, sections);
  put_lists(features, sections);
  put_build_ids(features.build_ids, sections);
  put_events(events, sections);
  put_branch_stack(events, sections);
  if (features.hardmeter.has_value()) {
    put(sections, kFeatureHardmeter, [&](ByteWriter& out) { out.text(*features.hardmeter); });
  }
  return sections;
}

}  // namespace hm::record
