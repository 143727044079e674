// SPDX-License-Identifier: MIT
#include "record/features.h"

#include <array>

#include "record/attr.h"
#include "record/extension.h"
#include "record/record.h"
#include "record/u64_view.h"

namespace hm::record {
namespace {

// A string: its size, then its bytes with a NUL, filled up to a multiple of this (NAME_ALIGN in tools/perf).
constexpr size_t kTextAlignment = 64;
constexpr uint32_t kCacheVersion = 1;

std::string read_text(ByteReader& in) { return std::string(in.text(in.u32())); }

void write_text(std::string_view text, ByteWriter& out) {
  size_t size = (text.size() + 1 + kTextAlignment - 1) / kTextAlignment * kTextAlignment;
  out.u32(static_cast<uint32_t>(size));
  out.text(text);
  for (size_t i = text.size(); i < size; ++i) out.u8(0);
}

bool read_text_feature(ByteReader in, std::optional<std::string>& text) {
  std::string found = read_text(in);
  if (!in.ok()) return false;
  text = std::move(found);
  return true;
}

// Counts are not believed: a list ends, and fails, where the section does.
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
  events = std::move(found);
  return true;
}

// A sequence of whole records.
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

using Sections = std::map<unsigned, std::vector<std::byte>>;

template <typename Write>
void put(Sections& sections, unsigned bit, Write&& write) {
  ByteWriter out;
  write(out);
  sections[bit] = std::move(out).take();
}

struct TextFeature {
  unsigned bit;
  std::optional<std::string> Features::*member;
};

constexpr std::array kTextFeatures{
    TextFeature{kFeatureHostname, &Features::hostname}, TextFeature{kFeatureOsRelease, &Features::os_release},
    TextFeature{kFeatureVersion, &Features::version},   TextFeature{kFeatureArch, &Features::arch},
    TextFeature{kFeatureCpuDesc, &Features::cpu_desc},  TextFeature{kFeatureCpuId, &Features::cpu_id}};

void put_lists(const Features& features, Sections& sections) {
  if (!features.cmdline.empty()) {
    put(sections, kFeatureCmdline, [&](ByteWriter& out) {
      out.u32(static_cast<uint32_t>(features.cmdline.size()));
      for (const std::string& word : features.cmdline) write_text(word, out);
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

// The section is empty: it only makes perf report show branches without being asked. perf mem and perf c2c
// refuse a recording that has it, so that one of memory accesses does without; perf report -b works either
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
    for (const BuildId& build_id : build_ids)
      (void)encode_build_id(build_id, out);  // one too long is left out
  });
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
    case kFeaturePmuMappings:
      return read_pmus(in, features.pmus);
    case kFeatureCache:
      return read_caches(in, features.caches);
    case kFeatureSampleTime:
      return read_sample_time(in, features.sample_time);
    case kFeatureClockId:
      return read_number(in, features.clock_resolution_ns);
    case kFeatureCompressed:
      return read_compression(in, features.compression);
    case kFeatureHardmeter:
      features.hardmeter = std::string(in.text(section.size()));
      return true;
    default:
      return true;
  }
}

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
