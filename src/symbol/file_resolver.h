// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "symbol/files/debug_files.h"
#include "symbol/resolver.h"
#include "symbol/source_files.h"

namespace hm::symbol {

// Resolver that uses the files of this machine. Opens each file at most once, at its first use.
class FileResolver final : public Resolver {
 public:
  FileResolver();
  explicit FileResolver(const DebugFiles::Options& debug_files);
  explicit FileResolver(SourceRules rules);
  ~FileResolver() override;

  [[nodiscard]] const Object& object(const std::string& path, const std::string& build_id) const override;
  [[nodiscard]] std::optional<SourceFile> source_file(const std::string& file,
                                                      const std::string& build_id) const override;
  [[nodiscard]] std::optional<std::string> source_text(const std::string& file, uint32_t line,
                                                       const std::string& build_id) const override;
  [[nodiscard]] std::vector<std::string> problems() const override { return debug_files_.problems(); }

 private:
  mutable DebugFiles debug_files_;
  mutable SourceFiles source_files_;
  mutable std::mutex mutex_;  // guards the members below
  mutable std::map<std::pair<std::string, std::string>, std::unique_ptr<Object>> objects_;
  mutable std::map<std::string, std::vector<std::string>>
      sources_;  // by path on this machine; one string per line
};

}  // namespace hm::symbol
