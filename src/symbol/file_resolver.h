// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/mutex.h"
#include "symbol/files/debug_files.h"
#include "symbol/resolver.h"
#include "symbol/source_files.h"

namespace hm::symbol {

// Resolver that uses the files of this machine. Opens each file at most once, at its first use.
class FileResolver final : public Resolver {
 public:
  explicit FileResolver(const DebugFiles::Options& debug_files = {}, SourceRules rules = {});
  ~FileResolver() override;

  using Resolver::object;
  [[nodiscard]] const Object& object(const RecordedObject& object) const override;
  [[nodiscard]] std::optional<SourceFile> source_file(const std::string& file,
                                                      const std::string& build_id) const override;
  [[nodiscard]] std::optional<std::string> source_text(const std::string& file, uint32_t line,
                                                       const std::string& build_id) const override;
  void add_archive(Bytes block) const override { debug_files_.add_archive(FileArchive::read(block)); }
  [[nodiscard]] std::vector<std::string> problems() const override { return debug_files_.problems(); }

 private:
  // Each returns the lines of a source file, which it reads once. The lines stay where they are.
  // archived_lines() returns nullptr if no archive has the file.
  [[nodiscard]] const std::vector<std::string>* archived_lines(const std::string& file) const;
  [[nodiscard]] const std::vector<std::string>& lines_here(const std::string& path) const;

  mutable DebugFiles debug_files_;
  mutable SourceFiles source_files_;
  mutable Mutex mutex_;
  // Keyed by path, build ID, and the inode in a running process.
  mutable std::map<std::tuple<std::string, std::string, uint64_t>, std::unique_ptr<Object>> objects_
      HM_GUARDED_BY(mutex_);
  mutable std::map<std::string, std::optional<std::vector<std::string>>> archived_
      HM_GUARDED_BY(mutex_);  // keyed by recorded path
  mutable std::map<std::string, std::vector<std::string>> sources_
      HM_GUARDED_BY(mutex_);  // keyed by path on this machine
};

}  // namespace hm::symbol
