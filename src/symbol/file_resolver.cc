// SPDX-License-Identifier: MIT
#include "symbol/file_resolver.h"

#include <string_view>

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

FileResolver::FileResolver() = default;
FileResolver::FileResolver(const DebugFiles::Options& debug_files) : debug_files_(debug_files) {}
FileResolver::~FileResolver() = default;

const Object& FileResolver::object(const RecordedObject& recorded) const {
  std::scoped_lock lock(mutex_);
  std::unique_ptr<Object>& object = objects_[{recorded.path, recorded.build_id, recorded.process.inode}];
  if (object == nullptr) object = std::make_unique<FileObject>(recorded, debug_files_);
  return *object;
}

std::optional<std::string> FileResolver::source_text(const std::string& file, uint32_t line) const {
  std::scoped_lock lock(mutex_);
  auto [found, is_new] = sources_.try_emplace(file);
  if (is_new) {
    std::optional<std::string> archived = debug_files_.archived_source(file);
    found->second = archived ? lines_of(*archived) : read_lines(file);
  }
  const std::vector<std::string>& lines = found->second;
  if (line == 0 || line > lines.size()) return std::nullopt;
  return lines[line - 1];
}

}  // namespace hm::symbol
