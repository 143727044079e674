// SPDX-License-Identifier: MIT
// The header of a perf.data file: tools/perf/Documentation/perf.data-file-format.txt in the Linux source.
#pragma once

#include <linux/perf_event.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "base/result.h"
#include "record/features.h"

namespace hm::record {

struct FileSection {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// Returns the section's bytes; nullopt if it does not lie within the file.
[[nodiscard]] std::optional<Bytes> slice(Bytes file, const FileSection& section);

inline constexpr size_t kFileHeaderBytes = 104;
inline constexpr size_t kPipeHeaderBytes = 16;  // magic and size: the whole header of a pipe
// An event in the file's attrs section: its attr, and the section of its ids.
inline constexpr size_t kFileAttrBytes = sizeof(perf_event_attr) + sizeof(FileSection);

struct FileHeader {
  bool swap = false;                     // the recording is in the other byte order
  bool is_pipe = false;                  // then the fields below are not valid
  uint64_t attr_bytes = kFileAttrBytes;  // size of one event in `attrs`
  FileSection attrs{};
  FileSection data{};         // 0 bytes: the recorder did not finish
  FileSection event_types{};  // names of events by their config, before Linux 3.11
  std::array<uint64_t, kFeatureBits / 64> features{};

  [[nodiscard]] bool has_any_feature() const {
    return std::ranges::any_of(features, [](uint64_t word) { return word != 0; });
  }
  [[nodiscard]] bool has_feature(unsigned bit) const { return ((features[bit / 64] >> (bit % 64)) & 1) != 0; }
  void set_feature(unsigned bit) { features[bit / 64] |= uint64_t{1} << (bit % 64); }
};

// perf writes the features after the data, so a recorder that is killed leaves none. hardmeter therefore also
// writes the features known at the start between the events and the data, where perf does not look. They
// consist of this magic number, the feature bits, and then the table and sections, laid out as after data of
// 0 bytes.
inline constexpr uint64_t kEarlyFeaturesMagic = 0x594c524145444d48;  // "HMDEARLY" in file order
inline constexpr size_t kEarlyFeaturesBytes =
    sizeof kEarlyFeaturesMagic + kFeatureBits / 8;  // before the table

// Decodes the header of PERFILE2, or of PERFFILE, the format before Linux 2.6.37, which has the same layout.
// Fails with kDamaged if `file` begins with neither magic.
Result<FileHeader> decode_file_header(Bytes file);
void encode_file_header(const FileHeader& header, ByteWriter& out);

// Returns a copy of `header` with the position and bits of the early features; nullopt if there are none.
std::optional<FileHeader> decode_early_features(Bytes file, const FileHeader& header);

}  // namespace hm::record
