// SPDX-License-Identifier: MIT
// The feature sections of a recording: metadata of the machine and the run.
// tools/perf/Documentation/perf.data-file-format.txt in the Linux source, "Header features".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "record/build_id.h"
#include "record/event.h"

namespace hm::record {

enum Feature : unsigned {
  kFeatureTracingData = 1,
  kFeatureBuildId = 2,
  kFeatureHostname = 3,
  kFeatureOsRelease = 4,
  kFeatureVersion = 5,
  kFeatureArch = 6,
  kFeatureNrCpus = 7,
  kFeatureCpuDesc = 8,
  kFeatureCpuId = 9,
  kFeatureTotalMem = 10,
  kFeatureCmdline = 11,
  kFeatureEventDesc = 12,
  kFeatureNumaTopology = 14,
  kFeatureBranchStack = 15,
  kFeaturePmuMappings = 16,
  kFeatureCache = 20,
  kFeatureSampleTime = 21,
  kFeatureClockId = 23,
  kFeatureDirFormat = 24,
  kFeatureCompressed = 27,
};
inline constexpr unsigned kFeatureBits = 256;

// Returns "feature CPUDESC", with the name from perf's source (tools/perf/util/header.h), or "feature 77" for
// an unknown bit.
[[nodiscard]] std::string feature_name(unsigned bit);

struct CpuCount {
  uint32_t available = 0;
  uint32_t online = 0;
  bool operator==(const CpuCount&) const = default;
};

// One cache of the machine, as sysfs describes it.
struct CacheInfo {
  uint32_t level = 0;
  uint32_t line_bytes = 0;
  uint32_t sets = 0;
  uint32_t ways = 0;
  std::string type{};  // "Data", "Instruction", "Unified"
  std::string size{};  // "32K"
  std::string cpus{};  // "0-3": the CPUs that share it
  bool operator==(const CacheInfo&) const = default;
};

struct NumaNode {
  uint32_t number = 0;
  uint64_t total_kib = 0;
  uint64_t free_kib = 0;
  std::string cpus{};  // "0-3"
  bool operator==(const NumaNode&) const = default;
};

struct PmuMapping {
  uint32_t type = 0;  // perf_event_attr.type
  std::string name;
  bool operator==(const PmuMapping&) const = default;
};

struct TimeSpan {
  uint64_t first_ns = 0;
  uint64_t last_ns = 0;
  bool operator==(const TimeSpan&) const = default;
};

struct CompressionInfo {
  uint32_t version = 0;
  uint32_t type = 0;  // 1 = zstd
  uint32_t level = 0;
  uint32_t ratio = 0;
  uint32_t mmap_bytes = 0;  // size of the recorder's buffer
  bool operator==(const CompressionInfo&) const = default;
};

// Absent members were not recorded.
struct Features {
  std::optional<std::string> hostname;
  std::optional<std::string> os_release;
  std::optional<std::string> version;  // version of the recorder
  std::optional<std::string> arch;
  std::optional<CpuCount> cpus;
  std::optional<std::string> cpu_desc;
  std::optional<std::string> cpu_id;
  std::optional<uint64_t> total_mem_kib;
  std::vector<std::string> cmdline;
  std::vector<EventDescription> events;  // only set by the decoder: a Writer gets its events separately
  std::vector<BuildId> build_ids;
  std::vector<NumaNode> numa_nodes;
  std::vector<CacheInfo> caches;
  std::optional<TimeSpan> sample_time;
  std::optional<uint64_t> clock_resolution_ns;  // HEADER_CLOCKID
  std::vector<PmuMapping> pmus;
  std::optional<CompressionInfo> compression;  // of a file: set by the Writer
  std::optional<uint64_t> folder_version;  // HEADER_DIR_FORMAT: version of a recording split over a folder;
                                           // only set by the decoder
  std::optional<std::string> hardmeter;    // JSON: kFeatureHardmeter in extension.h

  // Every section of the recording as raw bytes, by its feature bit. For writing: sections without a member
  // above; the bytes must stay valid until they are written.
  std::map<unsigned, Bytes> raw;
};

// Stores one section in `features`, decoded into its member if it has one. If the section is damaged, returns
// false and changes only `raw`.
bool decode_feature(unsigned bit, Bytes section, bool swap, Features& features);

// Returns the sections to be written, by feature bit, made from the members and from `raw` (a member wins).
[[nodiscard]] std::map<unsigned, std::vector<std::byte>> encode_features(
    const Features& features, const std::vector<EventDescription>& events);

}  // namespace hm::record
