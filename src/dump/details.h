// SPDX-License-Identifier: MIT
// Attributes of a sample other than its registers: when it was taken, what it accessed, and what the software
// PMU found out about the access. A dump writes them as `key=value` words on a `# details:` line before the
// sample.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/sample.h"

namespace hm::dump {

// Attributes that were not measured are nullopt.
struct Details {
  std::optional<uint64_t> time_ns, period, cpu;
  std::optional<uint64_t> address, physical_address, data_source, latency_cycles;
  // Fields of record::SampleExtension and of the extension pieces that follow it.
  std::optional<uint64_t> run_cycles, access_kind, access_bytes;
  std::optional<uint64_t> l1_class, l2_class, l3_class, load_replay, by_kernel;
  std::optional<uint64_t> block_start, block_bytes, block_site;
  std::optional<uint64_t> step_1, step_2, step_3;  // int64_t
  std::optional<uint64_t> next_line_hits, huge_page_hits;
  std::optional<uint64_t> reuse_lines, reuse_lines_at_least;

  bool operator==(const Details&) const = default;
};

[[nodiscard]] Details details_of(const record::Sample& sample);

// Returns the RAW payload (record/extension.h) with the software PMU's findings; empty if there are none.
[[nodiscard]] std::vector<std::byte> extension_of(const Details& details);

// Returns text in the form "period=203 address=00007fffe5029c00 ..."; empty if no attribute is known.
[[nodiscard]] std::string text_of(const Details& details);

// Returns nullopt if `text` contains a word that text_of() cannot have written. Keys that this version does
// not know are ignored.
[[nodiscard]] std::optional<Details> parse_details(std::string_view text);

}  // namespace hm::dump
