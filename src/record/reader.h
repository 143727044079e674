// SPDX-License-Identifier: MIT
// Reads a recording: a perf.data file, the output of `perf record -o -`, or the folder of files that `perf
// record --threads` makes.
// Format: tools/perf/Documentation/perf.data-file-format.txt in the Linux source.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "record/event.h"
#include "record/features.h"
#include "record/id_index.h"
#include "record/perf_record.h"

namespace hm::record {

class Source;

// The events and features are known after open(). The records come in file order (for a folder, file by
// file). Decompressed records follow the COMPRESSED record that held their last byte. Records are views that
// stay valid for the lifetime of the Reader, also after a move. A damaged record is a problem, not an error:
// see problems().
class Reader {
 public:
  // "-" is standard input. Unpacks files of gzip, xz and zstd. Fails with kNotFound, kPermission or kIo; with
  // kDamaged if the file is not a recording or its header is broken; with kUnsupported for a known format
  // that this reader does not support.
  static Result<Reader> open(const std::string& path);
  // Reads what Source::open() opened.
  static Result<Reader> from(Source source);
  // Reads from memory that outlives the Reader. `parts` are the files data.0, data.1, ... of a folder with
  // the file "data" in `bytes`.
  static Result<Reader> over(Bytes bytes, const std::vector<Bytes>& parts = {});

  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  [[nodiscard]] const std::vector<EventDescription>& events() const;
  // Returns the CPU and thread on which each id was opened; empty if the recording lacks this information.
  [[nodiscard]] const std::vector<IdPlace>& id_places() const;
  [[nodiscard]] const Features& features() const;
  // Returns the problems found so far, one sentence each. The list is complete when next() has returned
  // nullopt.
  [[nodiscard]] const std::vector<std::string>& problems() const;
  // Returns sentences on data skipped without an error (hardware traces). The list is complete when next()
  // has returned nullopt.
  [[nodiscard]] const std::vector<std::string>& notes() const;
  [[nodiscard]] bool is_pipe() const;

  // Returns the next record, or nullopt at the end.
  std::optional<Record> next();

  // Returns the index into events() of the record's event. Decided by the id; if there is only one event or
  // records have no id, returns the first event. Returns nullopt if the id is unknown. Thread-safe.
  [[nodiscard]] std::optional<size_t> event_of(const Record& record) const;
  // Returns the index into events() of the counter with this id; nullopt if the id is unknown. Thread-safe.
  [[nodiscard]] std::optional<size_t> event_of_id(uint64_t id) const;

 private:
  struct State;
  explicit Reader(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace hm::record
