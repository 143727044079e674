// SPDX-License-Identifier: MIT
#include "app/live/live_map.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "base/pagemap.h"
#include "base/process_tree.h"

namespace hm::live {
namespace {

// Adds the physical addresses of the sampled data, from the page maps of processes that still run.
void find_frames(profile::Profile& window) {
  std::map<uint32_t, Pagemap> processes;
  profile::Samples& samples = window.samples;
  for (size_t i = 0; i < samples.size(); ++i) {
    uint64_t address = samples.address.at(i).value_or(0);
    if (address == 0 || samples.physical_address.at(i)) continue;
    uint32_t pid = window.threads[samples.thread[i]].pid;
    const Pagemap& pagemap = processes.try_emplace(pid, static_cast<pid_t>(pid)).first->second;
    if (std::optional<uint64_t> physical = pagemap.physical(address))
      samples.physical_address.set(i, *physical);
  }
}

Error gone(const std::vector<pid_t>& pids, bool measured_before) {
  const char* since = measured_before ? " any more" : "";
  if (pids.size() == 1)
    return make_error(ErrorCode::kNotFound, "process {} does not exist{}", pids.front(), since);
  return make_error(ErrorCode::kNotFound, "none of the {} processes exists{}", pids.size(), since);
}

}  // namespace

LiveMap::LiveMap(const LiveMapOptions& options, const symbol::Resolver& resolver)
    : options_(options), resolver_(resolver), pids_(options.record.what.target.pids) {
  options_.map.map.columns = 1;  // one column per window
}

Status LiveMap::measure(const measure::Observer& observer) {
  measure::RecordOptions& record = options_.record;
  record.what.target.pids = with_descendants(pids_);
  if (record.what.target.pids.empty()) return gone(pids_, !windows_.empty());
  if (!folder_.exists())
    return make_error(ErrorCode::kIo, "cannot create a folder for the measurement in $TMPDIR or /tmp");
  record.output = folder_.file("window.data");
  Result<measure::Recorded> recorded = measure::make_recording(record, observer);
  if (!recorded) {
    // Processes may have ended between being listed and being opened.
    bool ended = recorded.error().code == ErrorCode::kNotFound && with_descendants(pids_).empty();
    return ended ? gone(pids_, !windows_.empty()) : recorded.error();
  }
  Result<profile::Profile> window = query::load_profile(record.output, resolver_, query::kDataObjects, {});
  std::error_code ignored;
  std::filesystem::remove(record.output, ignored);
  if (!window) return window.error();
  find_frames(*window);
  Result<map::Map> map = query::map_of(*window, options_.map);
  windows_.push_back({*std::move(window), std::move(map)});
  ++measured_;
  if (windows_.size() > options_.max_windows) windows_.pop_front();
  return {};
}

void LiveMap::choose(const query::MapOptions& map) {
  options_.map = map;
  options_.map.map.columns = 1;
  for (Window& window : windows_) window.map = query::map_of(window.profile, options_.map);
}

Result<map::Map> LiveMap::map(size_t columns, size_t back) const {
  size_t end = windows_.size() - std::min(back, windows_.size());
  size_t begin = end - std::min(end, std::max<size_t>(columns, 1));
  std::vector<map::Map> maps;
  std::optional<Error> nothing;
  for (size_t i = begin; i < end; ++i) {
    const Result<map::Map>& one = windows_[i].map;
    if (one) {
      maps.push_back(*one);
      continue;
    }
    if (one.error().code != ErrorCode::kNotFound) return one.error();
    nothing = one.error();
    if (maps.empty()) continue;
    maps.push_back(maps.back());  // same cache, but without data
    maps.back().columns.clear();
    maps.back().samples = 0;
  }
  if (maps.empty())
    return nothing ? *nothing : make_error(ErrorCode::kNotFound, "nothing has been measured yet");
  return map::join(maps);
}

}  // namespace hm::live
