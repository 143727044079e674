// SPDX-License-Identifier: MIT
// Queue of batches on disk, from their measurement until a store has accepted them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "store/batch.h"

namespace hm::agent {

// A waiting batch. `name` is its file's name, which encodes the other fields except `bytes`.
struct Waiting {
  std::string name;
  unsigned merges = 0;  // how often its contents have been merged
  std::string server;   // server that it was sent to, and that may have it; empty: never sent
  uint64_t bytes = 0;
};

class Spool {
 public:
  // Creates the folder with access for its user only. Fails with kPermission if another agent uses it.
  [[nodiscard]] static Result<Spool> open(const std::string& folder);

  [[nodiscard]] const std::string& folder() const { return folder_; }

  // The batch is completely on disk when this returns.
  Status add(const store::Batch& batch);

  // Returns the batches, oldest first.
  [[nodiscard]] Result<std::vector<Waiting>> waiting();
  // Fails if the batch is damaged, and renames its file to NAME.damaged.
  [[nodiscard]] Result<store::Batch> read(const Waiting& waiting) const;
  // Records that the batch is about to be sent to `server`. From now on it is never merged.
  Status note_attempt(Waiting& waiting, const std::string& server);
  // Removes a batch that a store has accepted.
  Status remove(const Waiting& waiting);

  // Merges the oldest batches that were never sent, until all batches take at most `max_bytes`. If merging
  // does not help, drops the oldest batch. A crash at any time leaves either the old batches or the merged
  // one.
  Status bound(uint64_t max_bytes);

 private:
  Spool(std::string folder, UniqueFd lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}
  [[nodiscard]] std::string path_of(const std::string& name) const { return folder_ + "/" + name; }
  Status put(const std::string& name, const std::string& text);
  Status finish_replacing();
  Result<bool> replace(const std::vector<Waiting>& olds);

  std::string folder_;
  UniqueFd lock_;
};

// Returns an ID that is unique among the batches of all machines.
[[nodiscard]] Result<std::string> make_batch_id(const std::string& host, uint64_t time_s);

}  // namespace hm::agent
