// SPDX-License-Identifier: MIT
// The folder in memory that a recorder and the processes it profiles share.
#pragma once

#include <optional>
#include <string>

#include "base/mapped_file.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "model/session_cache.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

// Created, locked while this recorder lives, and removed with everything in it. Folders of recorders that
// were killed are removed when the next one is created.
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
  [[nodiscard]] Session& session() const { return *static_cast<Session*>(file_.data()); }

 private:
  [[nodiscard]] Status make_cache();

  SessionFolder(std::string path, UniqueFd fd, MappedFile file)
      : path_(std::move(path)), fd_(std::move(fd)), file_(std::move(file)) {}

  std::string path_;
  UniqueFd fd_;
  MappedFile file_;
  std::optional<MappedFile> cache_;
};

}  // namespace hm::soft
