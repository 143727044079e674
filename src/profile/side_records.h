// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/change.h"
#include "profile/dso_names.h"
#include "profile/file_trust.h"
#include "profile/place_table.h"
#include "profile/process_table.h"
#include "profile/profile.h"
#include "record/deferred_chain.h"
#include "record/reader.h"

namespace hm::profile {

// Reads the records between the samples, in order of time: totals and losses into the profile, its named
// threads and objects too; what happened to processes becomes a list of changes.
class SideRecords {
 public:
  // `trust`: nullptr where the files of this machine are to be taken for the recording's in any case.
  SideRecords(const record::Reader& reader, const BuildIds& build_ids, const FileTrust* trust,
              Profile& profile, PlaceTable& places);

  // `position`: of the record in the index. False where the record is damaged.
  [[nodiscard]] bool take(size_t position, uint64_t time_ns, const record::Record& record);

  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }
  // What samples take the user's part of their call chains from.
  [[nodiscard]] const record::DeferredChains& deferred_chains() const { return deferred_chains_; }
  // Some mappings of forked processes were not followed, because the recording has unreasonably many.
  [[nodiscard]] bool gave_up() const { return copied_mappings_ > kMaxCopiedMappings; }

 private:
  static constexpr size_t kMaxCopiedMappings = size_t{1} << 22;

  bool on_mmap(const record::Record& record);
  bool on_comm(const record::Record& record);
  bool on_fork(const record::Record& record);
  bool on_lost(const record::Record& record);
  bool on_throttle(const record::Record& record);
  bool on_read(const record::Record& record);
  bool on_deferred_chain(const record::Record& record);
  [[nodiscard]] std::string path_of(const record::Mmap& mmap);
  void rename(uint32_t pid, uint32_t tid, std::string comm);
  template <typename What>
  void add(What what);

  const record::Reader& reader_;
  const BuildIds& build_ids_;
  const FileTrust* trust_;
  Profile& profile_;
  PlaceTable& places_;
  ProcessTable processes_;
  std::unordered_map<uint64_t, uint32_t> event_of_id_;
  std::unordered_map<uint32_t, std::string> jitdumps_;  // by pid: what its compiler writes
  std::unordered_map<uint64_t, size_t> throttled_;      // by stream: its gap, as long as it lasts
  size_t position_ = 0;
  uint64_t time_ns_ = 0;  // of the record there
  std::vector<Change> changes_;
  record::DeferredChains deferred_chains_;
  size_t copied_mappings_ = 0;
};

}  // namespace hm::profile
