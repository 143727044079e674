// SPDX-License-Identifier: MIT
#include "app/mapped_files.h"

#include <linux/perf_event.h>

#include <algorithm>

#include "base/hex.h"
#include "record/mmap.h"
#include "symbol/files/build_id.h"

namespace hm::app {
namespace {

// The first bytes, if a linker was told to make a longer one.
std::vector<std::byte> recorded_build_id(const std::string& hex) {
  std::vector<std::byte> id = bytes_of_hex(hex).value_or(std::vector<std::byte>());
  id.resize(std::min(id.size(), record::kMaxBuildIdBytes));
  return id;
}

}  // namespace

uint32_t MappedFiles::index_of(std::string_view path) {
  auto known = index_of_path_.find(path);
  if (known != index_of_path_.end()) return known->second;
  auto index = static_cast<uint32_t>(paths_.size());
  paths_.emplace_back(path);
  index_of_path_.emplace(path, index);
  return index;
}

void MappedFiles::see(const record::Record& record) {
  if (record.type != PERF_RECORD_MMAP2 && record.type != PERF_RECORD_MMAP) return;
  auto mmap = record::decode_mmap(record);
  if (mmap && mmap->executable && is_file(mmap->path)) (void)index_of(mmap->path);
}

void MappedFiles::describe(record::Features& features) const {
  for (const auto& [path, index] : index_of_path_) {
    if (!is_file(path)) continue;
    if (auto hex = symbol::build_id_of(path)) {
      features.build_ids.push_back(
          {.misc = PERF_RECORD_MISC_USER, .id = recorded_build_id(*hex), .path = path});
    }
  }
}

}  // namespace hm::app
