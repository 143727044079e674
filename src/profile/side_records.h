// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "profile/change.h"
#include "profile/dso_names.h"
#include "profile/file_trust.h"
#include "profile/location_table.h"
#include "profile/process_files.h"
#include "profile/process_table.h"
#include "profile/profile.h"
#include "record/deferred_chain.h"
#include "record/mmap.h"
#include "record/reader.h"

namespace hm::profile {

// Reads the records between the samples in order of time. Adds totals, losses, named threads and objects to
// the profile, and collects changes to processes in a list.
class SideRecords {
 public:
  // `trust` is nullptr if files on this machine are always taken for the recorded ones.
  SideRecords(const record::Reader& reader, const BuildIds& build_ids, const FileTrust* trust,
              Profile& profile, LocationTable& locations);

  // `position` is the record's position in the index. Returns false if the record is damaged.
  [[nodiscard]] bool take(size_t position, uint64_t time_ns, const record::Record& record);

  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }
  // Returns the deferred user parts of the samples' call chains.
  [[nodiscard]] const record::DeferredChains& deferred_chains() const { return deferred_chains_; }
  // Returns true if some mappings of forked processes were ignored, because the recording has unreasonably
  // many.
  [[nodiscard]] bool gave_up() const { return copied_mappings_ > kMaxCopiedMappings; }

 private:
  static constexpr size_t kMaxCopiedMappings = size_t{1} << 22;

  struct Dump {
    std::string path;
    ProcessMapping process;  // as in DsoRow
  };

  bool on_mmap(const record::Record& record);
  bool on_ksymbol(const record::Record& record);
  bool on_comm(const record::Record& record);
  bool on_fork(const record::Record& record);
  bool on_lost(const record::Record& record);
  bool on_throttle(const record::Record& record);
  bool on_read(const record::Record& record);
  bool on_deferred_chain(const record::Record& record);
  [[nodiscard]] Dump dump_or_file(const record::Mmap& mmap);
  void rename(uint32_t pid, uint32_t tid, std::string comm);
  void find_program(const record::Mmap& mmap, const std::string& path);
  template <typename What>
  void add(What what);

  const record::Reader& reader_;
  const BuildIds& build_ids_;
  const FileTrust* trust_;
  ProcessFiles process_files_;
  std::map<std::tuple<uint32_t, uint64_t, uint64_t>, bool> code_copies_;  // by process, start and end
  Profile& profile_;
  LocationTable& locations_;
  ProcessTable processes_;
  std::unordered_map<uint64_t, uint32_t> event_of_id_;
  std::unordered_map<uint32_t, Dump> jitdumps_;     // by pid: the dump file that its compiler writes
  std::unordered_map<uint64_t, size_t> throttled_;  // by stream: the current gap
  // By pid: the file name of the executable, and the rows of the process's threads since it was executed.
  struct Program {
    std::string name;
    std::vector<uint32_t> rows;
  };
  std::unordered_map<uint32_t, Program> programs_;
  size_t position_ = 0;
  uint64_t time_ns_ = 0;  // of the current record
  std::vector<Change> changes_;
  record::DeferredChains deferred_chains_;
  size_t copied_mappings_ = 0;
};

}  // namespace hm::profile
