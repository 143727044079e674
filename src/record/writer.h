// SPDX-License-Identifier: MIT
// Writes a recording that perf reads: tools/perf/Documentation/perf.data-file-format.txt in the Linux source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "record/compressor.h"
#include "record/event.h"
#include "record/features.h"
#include "record/file_header.h"
#include "record/output.h"

namespace hm::record {

// At every moment the file holds a recording that can be read: the header and the events come first, and the
// size of the data stays 0 until finish(), which tells a reader to go on to the end of the file, as perf
// does.
class Writer {
 public:
  // An existing regular file at `path` is renamed to `path`.old. "-" is standard output; that, and whatever
  // is not a regular file, gets the pipe format. kPermission, kIo; kInvalidArgument where there is no event.
  // A file that is never finished has the `known` features; those given to finish() replace them.
  // With a `compression_level` from 1 to kMaxCompressionLevel, records are written as COMPRESSED records; 0:
  // as they are.
  static Result<Writer> create(const std::string& path, std::vector<EventDescription> events,
                               const Features& known = {}, int compression_level = 0);

  // Whole records, as a ring gives them. Those to be compressed are written when they fill a COMPRESSED
  // record, and at each FINISHED_ROUND, which has to come alone. kIo where they cannot be written (no space;
  // a broken pipe, where SIGPIPE is ignored): a file then ends with the last records that were appended
  // whole, and every further append gives the same error.
  Status append(Bytes whole_records);

  // Writes the features and closes. After an append that failed it only says how far the records go: the
  // known features stay, and a reader tells that the others are missing. Likewise where there is no room for
  // them.
  Status finish(const Features& features);

  [[nodiscard]] uint64_t data_bytes() const { return data_bytes_; }
  // The size of the file so far.
  [[nodiscard]] uint64_t file_bytes() const { return header_.data.offset + data_bytes_; }

 private:
  Writer(Output output, std::vector<EventDescription> events)
      : output_(std::move(output)), events_(std::move(events)) {}

  Status begin_file(const Features& known);
  Status begin_pipe();
  [[nodiscard]] Features with_compression(const Features& features) const;
  Status append_compressed(Bytes whole_records);
  Status flush();
  Status write_records(Bytes whole_records);
  Status finish_file(const Features& features);
  Status finish_pipe(const Features& features);
  Status write_header();

  Output output_;
  std::vector<EventDescription> events_;
  FileHeader header_;
  std::optional<Compressor> compressor_;
  uint64_t data_bytes_ = 0;
  Status failure_;
};

}  // namespace hm::record
