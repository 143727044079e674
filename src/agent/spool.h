// SPDX-License-Identifier: MIT
// Batches on disk, from when they are measured until a store has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "store/batch.h"

namespace hm::agent {

// One that waits. `name` is its file's, and says the rest.
struct Waiting {
  std::string name;
  unsigned merges = 0;  // how often what is in it was merged with others
  std::string server;   // which it was sent to; that may have taken it. Empty: it was never sent
  uint64_t bytes = 0;
};

class Spool {
 public:
  // Makes the folder, for its user alone. kPermission where another agent uses it.
  [[nodiscard]] static Result<Spool> open(const std::string& folder);

  [[nodiscard]] const std::string& folder() const { return folder_; }

  // On disk, whole, when it returns.
  Status add(const store::Batch& batch);

  // Oldest first.
  [[nodiscard]] Result<std::vector<Waiting>> waiting();
  // One that is damaged is put aside, as NAME.damaged, and is an error.
  [[nodiscard]] Result<store::Batch> read(const Waiting& waiting) const;
  // It is about to be sent to `server`: from now on it stays as it is.
  Status note_attempt(Waiting& waiting, const std::string& server);
  // A store has it.
  Status remove(const Waiting& waiting);

  // Merges the oldest of those that were never sent, until all take at most `most_bytes`; where that does not
  // make them less, the oldest goes. An end at any moment leaves those before or those after.
  Status bound(uint64_t most_bytes);

 private:
  Spool(std::string folder, UniqueFd lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}
  [[nodiscard]] std::string path_of(const std::string& name) const { return folder_ + "/" + name; }
  Status put(const std::string& name, const std::string& text);
  Status finish_replacing();
  Result<bool> replace(const std::vector<Waiting>& olds);

  std::string folder_;
  UniqueFd lock_;
};

// Unlike any other batch's of any machine.
[[nodiscard]] Result<std::string> make_batch_id(const std::string& host, uint64_t time_s);

}  // namespace hm::agent
