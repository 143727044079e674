// SPDX-License-Identifier: MIT
// PERF_RECORD_MMAP and PERF_RECORD_MMAP2: memory mappings.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "record/perf_record.h"

namespace hm::record {

struct FileIdentity {
  uint32_t major = 0;
  uint32_t minor = 0;
  uint64_t inode = 0;
  uint64_t inode_generation = 0;

  bool operator==(const FileIdentity&) const = default;
};

// The views point into the recording.
struct Mmap {
  uint32_t pid = 0;  // UINT32_MAX = the kernel
  uint32_t tid = 0;
  uint64_t address = 0;
  uint64_t length = 0;
  uint64_t file_offset = 0;
  std::string_view path{};
  bool executable = true;  // MMAP: not marked as data; MMAP2: PROT_EXEC is set

  // Only in an MMAP2:
  std::optional<uint32_t> protection{};    // PROT_* of mmap(2)
  uint32_t flags = 0;                      // MAP_* of mmap(2)
  std::optional<FileIdentity> identity{};  // an MMAP2 has either this or a build ID
  Bytes build_id{};                        // empty if not recorded
};

// Returns the PROT_* bits of permissions such as "rw-p", as /proc/PID/maps writes them (proc(5)).
[[nodiscard]] uint32_t protection_of(std::string_view permissions);

// Decodes either record, according to its type.
Result<Mmap> decode_mmap(const Record& record);

// Appends the payload of an MMAP2 if `protection` is set, otherwise of an MMAP.
void encode_mmap(const Mmap& mmap, ByteWriter& payload);

// Return the record type and the misc bits for this payload; the caller combines the misc bits with
// PERF_RECORD_MISC_USER or _KERNEL.
[[nodiscard]] uint32_t record_type_of(const Mmap& mmap);
[[nodiscard]] uint16_t misc_bits_of(const Mmap& mmap);

}  // namespace hm::record
