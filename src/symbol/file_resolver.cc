// SPDX-License-Identifier: MIT
#include "symbol/file_resolver.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/mapped_file.h"
#include "symbol/file_object.h"

namespace hm::symbol {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
  }
  return lines;
}

std::vector<std::string> read_lines(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) return {};
  return lines_of({reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()});
}

}  // namespace

FileResolver::FileResolver(const DebugFiles::Options& debug_files, SourceRules rules)
    : debug_files_(debug_files), source_files_({.rules = std::move(rules)}, debug_files_.servers()) {}
FileResolver::~FileResolver() = default;

const Object& FileResolver::object(const RecordedObject& recorded) const {
  MutexLock lock(mutex_);
  std::unique_ptr<Object>& object = objects_[{recorded.path, recorded.build_id, recorded.process.inode}];
  if (object == nullptr) object = std::make_unique<FileObject>(recorded, debug_files_, source_files_);
  return *object;
}

const std::vector<std::string>* FileResolver::archived_lines(const std::string& file) const {
  MutexLock lock(mutex_);
  auto [found, is_new] = archived_.try_emplace(file);
  if (is_new) {
    if (std::optional<std::string> text = debug_files_.archived_source(file)) found->second = lines_of(*text);
  }
  return found->second ? &*found->second : nullptr;
}

const std::vector<std::string>& FileResolver::lines_here(const std::string& path) const {
  MutexLock lock(mutex_);
  auto [found, is_new] = sources_.try_emplace(path);
  if (is_new) found->second = read_lines(path);
  return found->second;
}

std::optional<SourceFile> FileResolver::source_file(const std::string& file,
                                                    const std::string& build_id) const {
  if (archived_lines(file) != nullptr) return SourceFile{file};
  return source_files_.find(file, build_id);
}

std::optional<std::string> FileResolver::source_text(const std::string& file, uint32_t line,
                                                     const std::string& build_id) const {
  const std::vector<std::string>* lines = archived_lines(file);
  if (lines == nullptr) {
    std::optional<SourceFile> here = source_files_.find(file, build_id);
    if (!here) return std::nullopt;
    lines = &lines_here(here->path);
  }
  if (line == 0 || line > lines->size()) return std::nullopt;
  return (*lines)[line - 1];
}

}  // namespace hm::symbol
