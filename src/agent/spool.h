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

class Spool {
 public:
  // Makes the folder, for its user alone. kPermission where another agent uses it.
  [[nodiscard]] static Result<Spool> open(const std::string& folder);

  [[nodiscard]] const std::string& folder() const { return folder_; }

  // On disk, whole, when it returns.
  Status add(const store::Batch& batch);

  // The names of those that wait, oldest first.
  [[nodiscard]] Result<std::vector<std::string>> waiting() const;
  // One that is damaged is put aside, as NAME.damaged, and is an error.
  [[nodiscard]] Result<store::Batch> read(const std::string& name) const;
  // A store has it.
  Status remove(const std::string& name);

 private:
  Spool(std::string folder, UniqueFd lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}
  [[nodiscard]] std::string path_of(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
  UniqueFd lock_;
};

// Unlike any other batch's of any machine.
[[nodiscard]] Result<std::string> make_batch_id(const std::string& host, uint64_t time_s);

}  // namespace hm::agent
