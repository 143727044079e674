// SPDX-License-Identifier: MIT
// The feature sections of a file, after its data: a table with the offset and the size of each section, in
// the order of the features' bits, and then the sections. Source:
// tools/perf/Documentation/perf.data-file-format.txt in the Linux source.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "record/file_header.h"

namespace hm::record {

struct FeatureSections {
  std::map<unsigned, Bytes> sections{};  // by bit; views of the file
  std::optional<unsigned> cut_off_at{};  // the first feature that is missing, as all later ones are
};

// Finds the sections of the features whose bits are set. The data must lie within the file.
[[nodiscard]] FeatureSections find_feature_sections(Bytes file, const FileHeader& header);

// Returns the table for sections that follow the header's data, and sets their bits in the header.
[[nodiscard]] std::vector<std::byte> encode_feature_table(const std::map<unsigned, Bytes>& sections,
                                                          FileHeader& header);

}  // namespace hm::record
