// SPDX-License-Identifier: MIT
#include "symbol/files/recorded_file.h"

#include <utility>

#include "base/path_inside.h"
#include "symbol/files/build_id.h"
#include "symbol/files/kept_files.h"

namespace hm::symbol {
namespace {

class Search {
 public:
  Search(const std::string& path, const std::string& build_id) : path_(path), build_id_(build_id) {}

  // Returns true if the search is over. Remembers the first error, or else the first other build.
  bool take(Result<ElfModule> module) {
    if (!module) {
      if (!found_.problem) found_.problem = module.error();
      return false;
    }
    std::string other = module->build_id();
    if (build_id_.empty() || same_build_id(build_id_, other)) {
      found_ = {*std::move(module), std::nullopt, false};
      return true;
    }
    if (!found_.was_built_again) found_ = {std::nullopt, built_again(other), true};
    return false;
  }

  // Accepts a file without a build ID, because the cache has it under another key.
  bool take_kept(Result<ElfModule> module) {
    if (!module || !module->build_id().empty()) return take(std::move(module));
    found_ = {*std::move(module), std::nullopt, false};
    return true;
  }

  [[nodiscard]] RecordedFile result() { return std::move(found_); }

 private:
  [[nodiscard]] Error built_again(const std::string& other) const {
    return make_error(
        ErrorCode::kNotFound,
        "'{}' was built again since: build ID {} needed, {} found, so its samples have no names", path_,
        build_id_, other.empty() ? "none" : other);
  }

  const std::string& path_;
  const std::string& build_id_;
  RecordedFile found_;
};

Result<ElfModule> open_in_process(const std::string& path, const ProcessMapping& process,
                                  DebugFiles& debug_files) {
  UniqueFd fd = open_file_of_process(process);
  if (fd.valid()) return ElfModule::open(std::move(fd), path, debug_files);
  return make_error(ErrorCode::kNotFound,
                    "'{}' is a file of process {} alone, and can no longer be read through it", path,
                    process.pid);
}

}  // namespace

UniqueFd open_file_of_process(const ProcessMapping& process) {
  constexpr size_t kMaxBytes = size_t{1} << 30;
  UniqueFd file = open_mapped_file(process);
  return file.valid() ? copy_to_memory(file.get(), kMaxBytes) : UniqueFd();
}

RecordedFile find_recorded_file(const std::string& path, const std::string& build_id,
                                const ProcessMapping& process, DebugFiles& debug_files) {
  Search search(path, build_id);
  if (UniqueFd archived = debug_files.open_archived(ArchivedKind::kObject, path, build_id);
      archived.valid()) {
    if (search.take_kept(ElfModule::open(std::move(archived), path, debug_files))) return search.result();
  }
  for (const std::filesystem::path& root : debug_files.system_roots()) {
    if (search.take(ElfModule::open(path_inside(root, path), debug_files))) return search.result();
  }
  bool is_found = search.take(process.pid != 0 ? open_in_process(path, process, debug_files)
                                               : ElfModule::open(path, debug_files));
  if (is_found || build_id.empty()) return search.result();
  for (const std::string& file : debug_files.programs_of_build(build_id, path)) {
    if (search.take(ElfModule::open(file, debug_files))) return search.result();
  }
  if (std::string kept = kept_file(build_id); !kept.empty()) {
    if (search.take_kept(ElfModule::open(kept, debug_files))) return search.result();
  }
  if (std::string fetched = debug_files.servers().fetch_program(build_id); !fetched.empty())
    (void)search.take(ElfModule::open(fetched, debug_files));
  return search.result();
}

}  // namespace hm::symbol
