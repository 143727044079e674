// SPDX-License-Identifier: MIT
// The folder in memory that a recorder and the processes it profiles share.
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

// Removes a session's folder, and the one around it.
void remove_session_folder(const std::string& path);

// Created, locked while this recorder lives, and removed with everything in it. Folders of recorders that
// were killed are removed when the next one is created.
//
// Programs under test may change their user and must still reach the session, so its files are open to all
// users. The protection is their name: the folder `hardmeter-XXXXXX`, which others may pass but not list,
// holds one with a random name of 128 bits, and only the recorder and the processes that it measures have
// that.
class SessionFolder {
 public:
  static Result<SessionFolder> create(const Session& initial);
  SessionFolder(SessionFolder&&) noexcept;
  SessionFolder& operator=(SessionFolder&&) = delete;
  ~SessionFolder();

  [[nodiscard]] const std::string& path() const { return path_; }
  // The last level that the processes share; null where there is none (Session::shares_cache).
  [[nodiscard]] model::SessionCache* cache() const {
    return cache_ ? static_cast<model::SessionCache*>(cache_->data()) : nullptr;
  }
  // What the processes see, and may write to.
  [[nodiscard]] Session& session() const { return *static_cast<Session*>(file_.data()); }
  // As the session was created: what the recorder has to rely on.
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
