// SPDX-License-Identifier: MIT
#include "analysis/hotspots/heap_site_key.h"

namespace hm::hotspots {
namespace {

constexpr std::string_view kUnknownSite = "[unknown site]";

}  // namespace

HeapSiteKey::HeapSiteKey(const profile::Profile& profile, const symbol::Resolver& resolver) {
  const profile::Samples& samples = profile.samples;
  auto unknown = static_cast<uint32_t>(profile.heap_sites.size());
  texts_.resize(profile.heap_sites.size());
  texts_.emplace_back(kUnknownSite);
  texts_.emplace_back("[no heap block]");
  profile::AllocatingCode code(profile, resolver);
  for (size_t sample = 0; sample < samples.size(); ++sample) {
    bool in_block = samples.heap_start.at(sample).has_value();
    auto site = static_cast<uint32_t>(samples.heap_site.at(sample).value_or(unknown));
    column_.push_back(in_block ? site : unknown + 1);
    std::string& text = texts_[column_.back()];
    if (text.empty()) text = code.text_at(profile.heap_sites[site]);
    if (text.empty()) text = kUnknownSite;
  }
}

}  // namespace hm::hotspots
