// SPDX-License-Identifier: MIT
#include "app/query/archive_writer.h"

#include <sys/stat.h>
#include <unistd.h>

#include <iterator>
#include <set>

#include "base/mapped_file.h"
#include "profile/lookup.h"
#include "record/added_feature.h"
#include "record/extension.h"
#include "symbol/files/file_archive.h"
#include "symbol/source_files.h"

namespace hm::query {
namespace {

constexpr uint64_t kMaxSource = uint64_t{4} << 20, kMaxSources = uint64_t{256} << 20;

// Debug information is untrusted, and may name any file as a source. An archive is made to be handed on, so
// it gets only texts that every user may read, or that this user owns.
bool may_be_handed_on(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return false;
  bool is_own = file.st_uid == ::geteuid() && file.st_uid != 0;
  return (is_own || (file.st_mode & S_IROTH) != 0) && static_cast<uint64_t>(file.st_size) <= kMaxSource;
}

class ArchiveMaker {
 public:
  ArchiveMaker(const profile::Profile& profile, const symbol::Resolver& resolver,
               const symbol::SourceRules& rules)
      : profile_(profile), resolver_(resolver), rules_(rules) {}

  Status add_objects() {
    std::set<uint32_t> used;
    for (uint32_t location = 0; location < profile_.locations.size(); ++location) {
      used.insert(profile_.locations[location].dso);
      (void)profile::frames_at(profile_, resolver_, location);  // finds the units of split debug information
    }
    for (uint32_t dso : used) {
      if (dso == 0) continue;
      if (Status added = add_object(dso); !added) return added;
    }
    return {};
  }

  Status add_sources() {
    std::set<std::string> files;
    for (uint32_t location = 0; location < profile_.locations.size(); ++location) {
      for (symbol::Frame& frame : profile::frames_at(profile_, resolver_, location)) files.insert(frame.file);
    }
    uint64_t bytes = 0;
    for (const std::string& file : files) {
      std::string here = symbol::apply_source_rules(rules_, file);
      if (!may_be_handed_on(here)) continue;
      Result<MappedFile> text = MappedFile::open(here);
      if (!text || (bytes += text->bytes().size()) > kMaxSources) continue;
      if (Status added = writer_.add(symbol::ArchivedKind::kSource, file, "", text->bytes()); !added)
        return added;
      ++result_.sources;
    }
    return {};
  }

  [[nodiscard]] std::vector<std::byte> take_block() { return std::move(writer_).take(); }
  [[nodiscard]] Archived& result() { return result_; }

 private:
  Status add_object(uint32_t dso) {
    const profile::DsoRow& row = profile_.dsos[dso];
    const symbol::Object* object = profile::object_of(profile_, resolver_, dso);
    Status status;
    object->visit_files([&](const symbol::VisitedFile& file) {
      bool is_object = file.kind == symbol::ArchivedKind::kObject;
      bool has_name = is_object || !file.path.empty() || !row.build_id.empty();
      if (!status || !has_name) return;
      status = writer_.add(file.kind, is_object ? row.path : file.path, row.build_id, file.contents);
      ++(is_object ? result_.objects : result_.debug_files);
    });
    return status;
  }

  const profile::Profile& profile_;
  const symbol::Resolver& resolver_;
  const symbol::SourceRules& rules_;
  symbol::FileArchiveWriter writer_;
  Archived result_;
};

}  // namespace

Result<Archived> make_archive(const ArchiveOptions& options, const symbol::Resolver& resolver) {
  profile::Needs needs = profile::kPlacesOnly;
  needs.chains = true;
  Result<profile::Profile> profile = load_profile(options.input, resolver, needs, options.reading);
  if (!profile) return profile.error();
  Result<MappedFile> recording = MappedFile::open(options.input);
  if (!recording) return recording.error();
  ArchiveMaker maker(*profile, resolver, options.reading.source_rules);
  if (Status added = maker.add_objects(); !added) return added.error();
  if (Status added = options.no_sources ? Status() : maker.add_sources(); !added) return added.error();
  std::vector<std::byte> block = maker.take_block();
  Status written =
      record::write_with_feature(recording->bytes(), record::kFeatureFiles, block, options.output);
  if (!written)
    return make_error(written.error().code, "cannot archive {}: {}", options.input, written.error().message);
  Archived result = std::move(maker.result());
  result.bytes = block.size();
  result.problems = std::move(profile->problems);
  return result;
}

}  // namespace hm::query
