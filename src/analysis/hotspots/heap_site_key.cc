// SPDX-License-Identifier: MIT
#include "analysis/hotspots/heap_site_key.h"

#include <fmt/format.h>

namespace hm::hotspots {
namespace {

std::string text_at(const std::optional<symbol::Frame>& frame) {
  if (!frame) return "[unknown site]";
  if (frame->line == 0) return frame->function;
  std::string_view file = std::string_view(frame->file).substr(frame->file.rfind('/') + 1);
  return fmt::format("{} ({}:{})", frame->function, file, frame->line);
}

}  // namespace

HeapSiteKey::HeapSiteKey(const profile::Profile& profile) {
  const profile::Samples& samples = profile.samples;
  auto unknown = static_cast<uint32_t>(profile.heap_sites.size());
  texts_.resize(profile.heap_sites.size());
  texts_.push_back(text_at(std::nullopt));
  texts_.emplace_back("[no heap block]");
  profile::AllocatingCode code(profile);
  for (size_t sample = 0; sample < samples.size(); ++sample) {
    bool in_block = samples.heap_start.at(sample).has_value();
    auto site = static_cast<uint32_t>(samples.heap_site.at(sample).value_or(unknown));
    column_.push_back(in_block ? site : unknown + 1);
    std::string& text = texts_[column_.back()];
    if (text.empty()) text = text_at(code.at(profile.heap_sites[site]));
  }
}

}  // namespace hm::hotspots
