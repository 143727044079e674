// SPDX-License-Identifier: MIT
#include <iterator>
#include <string>

#include "record/attr.h"
#include "record/extension.h"
#include "record/feature_layout.h"
#include "record/features.h"
#include "record/perf_record.h"
#include "record/u64_view.h"

namespace hm::record {
namespace {

std::string read_text(ByteReader& in) { return std::string(in.text(in.u32())); }

// Leaves `text` unset if the section is empty: for example, an ARM processor has no model name.
bool read_text_feature(ByteReader in, std::optional<std::string>& text) {
  if (in.remaining() == 0) return true;
  std::string found = read_text(in);
  if (!in.ok()) return false;
  text = std::move(found);
  return true;
}

// Counts are untrusted: decoding a list fails at the end of the section.
template <typename T, typename ReadOne>
bool read_list(ByteReader& in, std::vector<T>& list, ReadOne&& read_one) {
  uint32_t count = in.u32();
  std::vector<T> found;
  for (uint32_t i = 0; i < count && in.ok(); ++i) found.push_back(read_one());
  if (!in.ok()) return false;
  list = std::move(found);
  return true;
}

bool read_caches(ByteReader in, std::vector<CacheInfo>& caches) {
  if (in.u32() != kCacheVersion) return false;
  return read_list(in, caches, [&] {
    CacheInfo cache{.level = in.u32(), .line_bytes = in.u32(), .sets = in.u32(), .ways = in.u32()};
    cache.type = read_text(in);
    cache.size = read_text(in);
    cache.cpus = read_text(in);
    return cache;
  });
}

bool read_numa_nodes(ByteReader in, std::vector<NumaNode>& nodes) {
  return read_list(in, nodes, [&] {
    NumaNode node{.number = in.u32(), .total_kib = in.u64(), .free_kib = in.u64()};
    node.cpus = read_text(in);
    return node;
  });
}

bool read_pmus(ByteReader in, std::vector<PmuMapping>& pmus) {
  return read_list(in, pmus, [&] { return PmuMapping{.type = in.u32(), .name = read_text(in)}; });
}

bool read_cmdline(ByteReader in, std::vector<std::string>& cmdline) {
  return read_list(in, cmdline, [&] { return read_text(in); });
}

std::optional<EventDescription> read_event(ByteReader& in, uint32_t attr_bytes) {
  Result<perf_event_attr> attr = decode_attr(in.take(attr_bytes), in.swaps());
  uint32_t id_count = in.u32();
  EventDescription event{.name = read_text(in), .attr = {}, .ids = {}};
  U64View ids = take_words(in, id_count);
  if (!in.ok() || !attr.ok()) return std::nullopt;
  event.attr = *attr;
  event.ids.assign(ids.begin(), ids.end());
  return event;
}

bool read_events(ByteReader in, std::vector<EventDescription>& events) {
  uint32_t count = in.u32();
  uint32_t attr_bytes = in.u32();
  std::vector<EventDescription> found;
  for (uint32_t i = 0; i < count; ++i) {
    std::optional<EventDescription> event = read_event(in, attr_bytes);
    if (!event.has_value()) return false;
    found.push_back(std::move(*event));
  }
  if (in.ok()) events = std::move(found);
  return in.ok();
}

// The section is a sequence of whole records.
bool read_build_ids(ByteReader in, std::vector<BuildId>& build_ids) {
  while (in.remaining() >= kRecordHeaderBytes) {
    in.skip(sizeof(uint32_t));
    uint16_t misc = in.u16();
    uint16_t size = in.u16();
    if (size < kRecordHeaderBytes) return false;
    Result<BuildId> build_id = decode_build_id(in.take(size - kRecordHeaderBytes), misc, in.swaps());
    if (!build_id.ok()) return false;
    build_ids.push_back(std::move(*build_id));
  }
  return true;
}

template <typename T>
bool set_if(const ByteReader& in, std::optional<T>& member, T value) {
  if (in.ok()) member = value;
  return in.ok();
}

bool read_compression(ByteReader in, std::optional<CompressionInfo>& compression) {
  CompressionInfo info{
      .version = in.u32(), .type = in.u32(), .level = in.u32(), .ratio = in.u32(), .mmap_bytes = in.u32()};
  return set_if(in, compression, info);
}

bool read_cpus(ByteReader in, std::optional<CpuCount>& cpus) {
  CpuCount count{.available = in.u32(), .online = in.u32()};
  return set_if(in, cpus, count);
}

bool read_sample_time(ByteReader in, std::optional<TimeSpan>& sample_time) {
  TimeSpan span{.first_ns = in.u64(), .last_ns = in.u64()};
  return set_if(in, sample_time, span);
}

bool read_number(ByteReader in, std::optional<uint64_t>& number) {
  uint64_t value = in.u64();
  return set_if(in, number, value);
}

}  // namespace

bool decode_feature(unsigned bit, Bytes section, bool swap, Features& features) {
  features.raw[bit] = section;
  ByteReader in(section, swap);
  for (const TextFeature& text : kTextFeatures) {
    if (text.bit == bit) return read_text_feature(in, features.*text.member);
  }
  switch (bit) {
    case kFeatureBuildId:
      return read_build_ids(in, features.build_ids);
    case kFeatureNrCpus:
      return read_cpus(in, features.cpus);
    case kFeatureTotalMem:
      return read_number(in, features.total_mem_kib);
    case kFeatureCmdline:
      return read_cmdline(in, features.cmdline);
    case kFeatureEventDesc:
      return read_events(in, features.events);
    case kFeatureNumaTopology:
      return read_numa_nodes(in, features.numa_nodes);
    case kFeaturePmuMappings:
      return read_pmus(in, features.pmus);
    case kFeatureCache:
      return read_caches(in, features.caches);
    case kFeatureSampleTime:
      return read_sample_time(in, features.sample_time);
    case kFeatureClockId:
      return read_number(in, features.clock_resolution_ns);
    case kFeatureDirFormat:
      return read_number(in, features.folder_version);
    case kFeatureCompressed:
      return read_compression(in, features.compression);
    case kFeatureHardmeter:
      features.hardmeter = std::string(in.text(section.size()));
      return true;
    default:
      return true;
  }
}

std::string feature_name(unsigned bit) {
  constexpr const char* kNames[] = {"",
                                    "TRACING_DATA",
                                    "BUILD_ID",
                                    "HOSTNAME",
                                    "OSRELEASE",
                                    "VERSION",
                                    "ARCH",
                                    "NRCPUS",
                                    "CPUDESC",
                                    "CPUID",
                                    "TOTAL_MEM",
                                    "CMDLINE",
                                    "EVENT_DESC",
                                    "CPU_TOPOLOGY",
                                    "NUMA_TOPOLOGY",
                                    "BRANCH_STACK",
                                    "PMU_MAPPINGS",
                                    "GROUP_DESC",
                                    "AUXTRACE",
                                    "STAT",
                                    "CACHE",
                                    "SAMPLE_TIME",
                                    "MEM_TOPOLOGY",
                                    "CLOCKID",
                                    "DIR_FORMAT",
                                    "BPF_PROG_INFO",
                                    "BPF_BTF",
                                    "COMPRESSED",
                                    "CPU_PMU_CAPS",
                                    "CLOCK_DATA",
                                    "HYBRID_TOPOLOGY",
                                    "PMU_CAPS"};
  bool known = bit > 0 && bit < std::size(kNames);
  return known ? std::string("feature ") + kNames[bit] : "feature " + std::to_string(bit);
}

}  // namespace hm::record
