// SPDX-License-Identifier: MIT
#include "symbol/file_resolver.h"

#include "symbol/file_object.h"

namespace hm::symbol {

FileResolver::FileResolver() = default;
FileResolver::FileResolver(const DebugFiles::Options& debug_files) : debug_files_(debug_files) {}
FileResolver::~FileResolver() = default;

const Object& FileResolver::object(const std::string& path, const std::string& build_id) const {
  std::scoped_lock lock(mutex_);
  std::unique_ptr<Object>& object = objects_[{path, build_id}];
  if (object == nullptr) object = std::make_unique<FileObject>(path, build_id, debug_files_);
  return *object;
}

std::optional<std::string> FileResolver::source_text(const std::string& file, uint32_t line) const {
  std::scoped_lock lock(mutex_);
  return sources_.line(file, line);
}

}  // namespace hm::symbol
