// SPDX-License-Identifier: MIT
// Writes a recording that perf reads: tools/perf/Documentation/perf.data-file-format.txt in the Linux source.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "record/event.h"
#include "record/features.h"

namespace hm::record {

// At every moment the file holds a recording that can be read: the header and the events come first, and the
// size of the data stays 0 until finish(), which tells a reader to go on to the end of the file, as perf
// does.
class Writer {
 public:
  // An existing regular file at `path` is renamed to `path`.old. "-" is standard output; that, and whatever
  // is not a regular file, gets the pipe format. kPermission, kIo.
  static Result<Writer> create(const std::string& path, std::vector<EventDescription> events);

  // Whole records, as a ring gives them. kIo where they cannot be written (no space, a broken pipe): a file
  // then ends with the last records that were appended whole, and every further append gives the same error.
  Status append(Bytes whole_records);

  // Writes the features and closes. After an append that failed it still makes the file whole, as far as it
  // goes.
  Status finish(const Features& features);

  [[nodiscard]] uint64_t data_bytes() const { return data_bytes_; }

 private:
  enum class Format { kFile, kPipe };

  Writer(std::string path, UniqueFd fd, Format format, std::vector<EventDescription> events)
      : path_(std::move(path)), fd_(std::move(fd)), format_(format), events_(std::move(events)) {}

  std::string path_;
  UniqueFd fd_;
  Format format_;
  std::vector<EventDescription> events_;
  uint64_t data_offset_ = 0;
  uint64_t data_bytes_ = 0;
  Status failure_;
};

}  // namespace hm::record
