// SPDX-License-Identifier: MIT
// Writes a recording that perf reads: tools/perf/Documentation/perf.data-file-format.txt in the Linux source.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "record/compressor.h"
#include "record/event.h"
#include "record/features.h"
#include "record/file_header.h"
#include "record/newest_description.h"
#include "record/output.h"

namespace hm::record {

struct WriterOptions {
  // From 1 to kMaxCompressionLevel: records are written as COMPRESSED records; 0: they are not compressed.
  int compression_level = 0;
  bool keeps_newest_description = false;  // describe() is called; takes about 60 KiB of the file
};

// Returns true if a file that may grow to `max_bytes` (0: without a limit) has room for the newest
// description.
[[nodiscard]] constexpr bool has_room_for_description(uint64_t max_bytes) {
  constexpr uint64_t kLeast = uint64_t{1} << 20;
  return max_bytes == 0 || max_bytes >= kLeast;
}

// The file is a readable recording at every moment. The header and the events come first, and the size of the
// data stays 0 until finish(). Size 0 makes a reader continue to the end of the file, as in perf.
class Writer {
 public:
  // Renames an existing regular file at `path` to `path`.old. "-" is standard output, which gets the pipe
  // format, as does every output that is not a regular file. Fails with kPermission or kIo, or with
  // kInvalidArgument if `events` is empty.
  // A file that is never finished has the `known` features; those given to finish() replace them.
  static Result<Writer> create(const std::string& path, std::vector<EventDescription> events,
                               const Features& known = {}, const WriterOptions& options = {});

  // Replaces the known Features::hardmeter, in case the file is never finished. Has no effect without
  // `keeps_newest_description`, in a pipe, or if the text is over 24 KiB longer than the first one. Errors
  // are ignored: the file then keeps the previous text.
  void describe(std::string_view hardmeter);

  // Appends whole records, as read from a ring. Compressed records are written when they fill a COMPRESSED
  // record and at each FINISHED_ROUND, which must be passed alone. FINISHED_ROUNDs that follow another within
  // 100 ms are left out. Fails with kIo if writing fails (disk
  // full; broken pipe, if SIGPIPE is ignored). A file then ends after the last records that were appended
  // whole, and every further append returns the first error.
  Status append(Bytes whole_records);

  // Writes the features and closes the output. After a failed append, or if there is no room for the
  // features, only writes the size of the data: the known features stay, and a reader detects that the others
  // are missing.
  Status finish(const Features& features);

  [[nodiscard]] uint64_t data_bytes() const { return data_bytes_; }
  // Returns the size of the file so far.
  [[nodiscard]] uint64_t file_bytes() const { return header_.data.offset + data_bytes_; }

 private:
  Writer(Output output, std::vector<EventDescription> events)
      : output_(std::move(output)), events_(std::move(events)) {}

  Status begin_file(const Features& known, const WriterOptions& options);
  Status begin_pipe();
  [[nodiscard]] Features with_compression(const Features& features) const;
  Status append_round(Bytes finished_round);
  Status append_compressed(Bytes whole_records);
  Status flush();
  Status write_records(Bytes whole_records);
  Status finish_file(const Features& features);
  Status finish_pipe(const Features& features);
  Status write_header();

  Output output_;
  std::vector<EventDescription> events_;
  FileHeader header_;
  std::optional<NewestDescription> newest_;
  uint64_t newest_offset_ = 0;
  std::optional<Compressor> compressor_;
  uint64_t data_bytes_ = 0;
  std::chrono::steady_clock::time_point last_round_ = std::chrono::steady_clock::now();
  Status failure_;
};

}  // namespace hm::record
