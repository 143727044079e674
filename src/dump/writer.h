// SPDX-License-Identifier: MIT
// Writes a dump incrementally, sample by sample.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "dump/dump.h"
#include "record/output.h"

namespace hm::dump {

// Values that are known only at the end.
struct Ending {
  std::optional<uint64_t> dropped{};
  std::optional<uint64_t> samples_to_buffer{};
  std::optional<Period> events_per_sample{};
  std::string extent{};  // as in Header
  std::string run{};     // JSON: the run description (record/run_description.h); empty if unknown
  std::vector<record::BuildId> build_ids{};  // of the files and of the kernel
};

class Writer {
 public:
  // Renames an existing regular file to FILE.old. "-" is standard output. For standard output and any output
  // that is not a regular file, the whole dump is held back until the header's counts are known. Fails with
  // kPermission or kIo.
  static Result<Writer> create(const std::string& path, Header header);

  // These lines apply to the samples that follow them.
  void mapping(const Mapping& mapping);
  void fork(const Fork& fork);
  void exec(const Exec& exec);
  void name(Thread thread, std::string_view comm);
  void heap_site(const HeapSite& site);
  void sample(const Sample& sample);

  void counted(const Counted& counted);

  [[nodiscard]] uint64_t samples() const { return samples_; }
  [[nodiscard]] size_t pending_bytes() const { return pending_.size(); }

  // Writes pending lines to the output if it is a regular file.
  Status flush();
  // Writes the rest of the dump and fills in the header's final values.
  Status finish(const Ending& ending);

 private:
  Writer(record::Output output, Header header) : output_(std::move(output)), header_(std::move(header)) {}
  void add_ending(const Ending& ending);

  record::Output output_;
  Header header_;
  std::string pending_;
  Status failure_;
  uint64_t samples_ = 0;
  uint64_t written_ = 0;          // bytes
  std::optional<Thread> thread_;  // of the last sample; nullopt: a thread line is due before the next sample
  std::map<uint32_t, std::string> names_;  // by thread
};

}  // namespace hm::dump
