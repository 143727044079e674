// SPDX-License-Identifier: MIT
#include "analysis/flame/owners.h"

#include <fmt/format.h>

namespace hm::flame {

Owners::Owners(const profile::Profile& profile) : profile_(profile) {
  std::vector<bool> has_samples(profile.threads.size());
  for (uint32_t row : profile.samples.thread) has_samples[row] = true;
  for (size_t row = 0; row < profile.threads.size(); ++row) {
    const profile::Thread& thread = profile.threads[row];
    if (has_samples[row]) tids_[thread.pid].insert(thread.tid);
    if (thread.pid == thread.tid) leader_names_[thread.pid] = &thread.comm;
  }
}

const std::string& Owners::process_name(const profile::Thread& thread) const {
  if (!thread.program.empty()) return thread.program;
  auto leader = leader_names_.find(thread.pid);
  bool is_leader = thread.pid == thread.tid || leader == leader_names_.end();
  return is_leader ? thread.comm : *leader->second;
}

uint32_t Owners::number_of(NodeKind kind, uint32_t id, const std::string& name) {
  std::string text = fmt::format("{} ({})", name, id);
  auto next = kFirst + static_cast<uint32_t>(owners_.size());
  auto [found, is_new] = numbers_.try_emplace({static_cast<uint32_t>(kind), text}, next);
  if (is_new) owners_.push_back({kind, std::move(text)});
  return found->second;
}

void Owners::add_to(uint32_t row, std::vector<uint32_t>& path) {
  auto [frames, is_new] = frames_.try_emplace(row);
  if (is_new) frames->second = frames_of(profile_.threads[row]);
  path.insert(path.end(), frames->second.begin(), frames->second.end());
}

std::vector<uint32_t> Owners::frames_of(const profile::Thread& thread) {
  std::vector<uint32_t> frames;
  if (tids_[thread.pid].size() > 1) frames.push_back(number_of(NodeKind::kThread, thread.tid, thread.name()));
  frames.push_back(number_of(NodeKind::kProcess, thread.pid, process_name(thread)));
  return frames;
}

const Owners::Owner* Owners::of(uint32_t frame) const {
  return frame < kFirst ? nullptr : &owners_[frame - kFirst];
}

}  // namespace hm::flame
