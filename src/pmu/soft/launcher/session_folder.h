// SPDX-License-Identifier: MIT
// The folder in memory that a recorder shares with the processes that it profiles.
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

// Removes a session's folder, and its parent folder.
void remove_session_folder(const std::string& path);

// Created, locked while this recorder lives, and removed with its contents. Folders of killed recorders are
// removed when the next folder is created.
//
// Programs under test may change their user and must still reach the session, so all users may open its
// files. The protection is their secret name. The folder `hardmeter-XXXXXX`, which others may pass but not
// list, contains a folder with a random 128-bit name. Only the recorder and the processes that it measures
// know this name.
class SessionFolder {
 public:
  static Result<SessionFolder> create(const Session& initial);
  SessionFolder(SessionFolder&&) noexcept;
  SessionFolder& operator=(SessionFolder&&) = delete;
  ~SessionFolder();

  [[nodiscard]] const std::string& path() const { return path_; }
  // The last-level cache that the processes share; null if there is none (Session::shares_cache).
  [[nodiscard]] model::SessionCache* cache() const {
    return cache_ ? static_cast<model::SessionCache*>(cache_->data()) : nullptr;
  }
  // The session that the processes see, and may write to.
  [[nodiscard]] Session& session() const { return *static_cast<Session*>(file_.data()); }
  // The session's initial settings, which the processes cannot change.
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
