// SPDX-License-Identifier: MIT
#include "record/feature_sections.h"

namespace hm::record {

FeatureSections find_feature_sections(Bytes file, const FileHeader& header) {
  FeatureSections found;
  ByteReader table(file.subspan(header.data.offset + header.data.bytes), header.swap);
  for (unsigned bit = 0; bit < kFeatureBits; ++bit) {
    if (!header.has_feature(bit)) continue;
    FileSection section{.offset = table.u64(), .bytes = table.u64()};
    std::optional<Bytes> bytes = table.ok() ? slice(file, section) : std::nullopt;
    if (!bytes) {
      found.cut_off_at = bit;
      return found;
    }
    found.sections.emplace(bit, *bytes);
  }
  return found;
}

std::vector<std::byte> encode_feature_table(const std::map<unsigned, Bytes>& sections, FileHeader& header) {
  ByteWriter table;
  uint64_t offset = header.data.offset + header.data.bytes + sections.size() * sizeof(FileSection);
  for (const auto& [bit, section] : sections) {
    header.set_feature(bit);
    table.u64(offset);
    table.u64(section.size());
    offset += section.size();
  }
  return std::move(table).take();
}

}  // namespace hm::record
