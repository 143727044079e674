// SPDX-License-Identifier: MIT
// Writes a dump as its samples come.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "dump/dump.h"
#include "record/output.h"

namespace hm::dump {

// What is known at the end.
struct Ending {
  std::optional<uint64_t> dropped{};
  std::optional<uint64_t> samples_to_buffer{};
  std::optional<Period> events_per_sample{};
  std::string extent{};  // as in Header
  std::string run{};     // JSON: how the run went (record/run_description.h); empty if it is not known
  std::vector<record::BuildId> build_ids{};  // of the files and of the kernel
};

class Writer {
 public:
  // An existing regular file is renamed to FILE.old. "-" is standard output; there, and where the output is
  // no regular file, the header waits for its counts, and all of the dump with it. kPermission, kIo.
  static Result<Writer> create(const std::string& path, Header header);

  // Each applies to the samples that follow.
  void mapping(const Mapping& mapping);
  void fork(const Fork& fork);
  void exec(const Exec& exec);
  void name(Thread thread, std::string_view comm);
  void heap_site(const HeapSite& site);
  void sample(const Sample& sample);

  void counted(const Counted& counted);

  [[nodiscard]] uint64_t samples() const { return samples_; }
  [[nodiscard]] size_t pending_bytes() const { return pending_.size(); }

  // What was added so far goes to the file, where it is one.
  Status flush();
  // With the last of the header's values.
  Status finish(const Ending& ending);

 private:
  Writer(record::Output output, Header header) : output_(std::move(output)), header_(std::move(header)) {}
  void add_ending(const Ending& ending);

  record::Output output_;
  Header header_;
  std::string pending_;
  Status failure_;
  uint64_t samples_ = 0;
  uint64_t written_ = 0;                   // bytes
  std::optional<Thread> thread_;           // of the last sample; nullopt: to be told with the next
  std::map<uint32_t, std::string> names_;  // by thread
};

}  // namespace hm::dump
