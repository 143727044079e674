// SPDX-License-Identifier: MIT
#include "profile/image_finder.h"

#include "profile/lookup.h"

namespace hm::profile {
namespace {

// Limit on mappings of one object and memory between them: a loader makes five.
constexpr int kMaxMappings = 16;

const Mapping* next_below(const AddressSpace& space, const Mapping& mapping) {
  return mapping.start == 0 ? nullptr : space.at_or_below(mapping.start - 1);
}

}  // namespace

bool ImageFinder::is_file(const Mapping& mapping) const {
  const std::string& path = profile_.dsos[mapping.dso].path;
  return path.starts_with('/') && !path.starts_with("/tmp/perf-");
}

ImageFinder::Image ImageFinder::look_below(const AddressSpace& space, const Mapping& from) const {
  const Mapping* lowest = nullptr;
  const Mapping* mapping = &from;
  for (int i = 0; i < kMaxMappings && mapping != nullptr; ++i, mapping = next_below(space, *mapping)) {
    if (!is_file(*mapping)) continue;
    if (lowest != nullptr && mapping->dso != lowest->dso) break;
    lowest = mapping;
  }
  if (lowest == nullptr) return {};
  const symbol::Object* object = object_of(profile_, resolver_, lowest->dso);
  std::optional<uint64_t> bias =
      object == nullptr ? std::nullopt : object->load_bias(lowest->start, lowest->offset, lowest->executable);
  return bias ? Image{lowest->dso, *bias, object} : Image{};
}

std::optional<ImagePlace> ImageFinder::find(const NumberedSpace& space, uint64_t address) {
  const Mapping* below = space.mappings.at_or_below(address);
  if (below == nullptr) return std::nullopt;
  auto [found, is_new] = images_.try_emplace({space.version, below->start});
  if (is_new) found->second = look_below(space.mappings, *below);
  const Image& image = found->second;
  if (image.dso == 0) return std::nullopt;
  bool in_file = address < below->end && is_file(*below);
  if (in_file && below->dso != image.dso) return std::nullopt;
  uint64_t place = address - image.bias;
  if (!image.object->loads(place)) return std::nullopt;
  // Excludes mappings with which a program reads an object's file as data.
  uint64_t mapped = below->offset + (address - below->start);
  bool agrees = !in_file || image.object->offset_of(place).value_or(mapped) == mapped;
  return agrees ? std::optional(ImagePlace{image.dso, place}) : std::nullopt;
}

}  // namespace hm::profile
