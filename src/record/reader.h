// SPDX-License-Identifier: MIT
// Reads a recording: a perf.data file, what `perf record -o -` writes to a pipe, or the folder of files that
// `perf record --threads` makes.
// tools/perf/Documentation/perf.data-file-format.txt in the Linux source.
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
#include "record/record.h"

namespace hm::record {

class Source;

// The events and features are known once it is open. The records come in the order of the file (of a folder,
// file by file), with those that were compressed right after the COMPRESSED record that held their last byte;
// they are views, and stay valid as long as the Reader (also when it is moved). A damaged record is a
// problem, not an error: see problems().
class Reader {
 public:
  // "-" is standard input. kNotFound, kPermission, kIo; kDamaged where it is no recording or its header is
  // broken; kUnsupported for a format that is understood but not read.
  static Result<Reader> open(const std::string& path);
  // Over memory that outlives the Reader. `parts`: the files data.0, data.1, ... of a folder whose file
  // "data" is `bytes`.
  static Result<Reader> over(Bytes bytes, const std::vector<Bytes>& parts = {});

  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;
  ~Reader();

  [[nodiscard]] const std::vector<EventDescription>& events() const;
  // On which CPU and for which thread each id was opened; empty where the recording does not say.
  [[nodiscard]] const std::vector<IdPlace>& id_places() const;
  [[nodiscard]] const Features& features() const;
  // What was found wrong so far, a sentence each; complete when next() has given nothing.
  [[nodiscard]] const std::vector<std::string>& problems() const;
  // What was left out without anything being wrong (hardware traces), a sentence each; complete likewise.
  [[nodiscard]] const std::vector<std::string>& notes() const;
  [[nodiscard]] bool is_pipe() const;

  // The next record, or nothing at the end.
  std::optional<Record> next();

  // Which of events() a record belongs to: by its id; trivially where there is one event, or no id. Nothing
  // where the id is not known. Safe to call from several threads.
  [[nodiscard]] std::optional<size_t> event_of(const Record& record) const;
  // Which of events() the counter with this id belongs to; nothing if the id is unknown. Safe to call from
  // several threads.
  [[nodiscard]] std::optional<size_t> event_of_id(uint64_t id) const;

 private:
  struct State;
  explicit Reader(std::unique_ptr<State> state);
  static Result<Reader> from(Source source);

  std::unique_ptr<State> state_;
};

}  // namespace hm::record
