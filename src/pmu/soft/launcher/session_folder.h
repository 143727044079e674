// SPDX-License-Identifier: MIT
// The memory-backed folder that a recorder and the profiled processes share.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "model/session_cache.h"
#include "pmu/soft/launcher/shared_file.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// Removes a session's folder and its parent folder.
void remove_session_folder(const std::string& path);

// Creates, locks and finally removes the folder with all its content. create() also removes the folders that
// killed recorders left behind.
//
// Programs under test may change their user and must still reach the session, so its files are open to all
// users. The path protects them: the outer folder `hardmeter-XXXXXX` can be traversed but not listed. The
// inner folder has a random name of 128 bits, which only the recorder and the measured processes have.
class SessionFolder {
 public:
  static Result<SessionFolder> create(const Session& initial);
  SessionFolder(SessionFolder&&) noexcept;
  SessionFolder& operator=(SessionFolder&&) = delete;
  ~SessionFolder();

  [[nodiscard]] const std::string& path() const { return path_; }
  // The last-level cache that the processes share; null if they share none (Session::shares_cache).
  [[nodiscard]] model::SessionCache* cache() const {
    return cache_ ? static_cast<model::SessionCache*>(cache_->data()) : nullptr;
  }
  // The mapped session, which the processes can read and write.
  [[nodiscard]] Session& session() const { return *static_cast<Session*>(file_.data()); }
  // The session as it was created. Unlike session(), processes cannot change it.
  [[nodiscard]] const Session& settings() const { return *settings_; }

 private:
  [[nodiscard]] Status make_cache();

  SessionFolder(std::string path, UniqueFd fd, SharedFile file)
      : path_(std::move(path)), fd_(std::move(fd)), file_(std::move(file)) {}

  std::string path_;
  UniqueFd fd_;
  SharedFile file_;
  std::unique_ptr<const Session> settings_;
  std::optional<SharedFile> cache_;
};

}  // namespace hm::soft
