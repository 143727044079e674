// SPDX-License-Identifier: MIT
#include "agent/rows.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "agent/roll_up.h"
#include "analysis/cause/cause.h"
#include "analysis/cause/event_subject.h"
#include "profile/lookup.h"

namespace hm::agent {
namespace {

constexpr std::string_view kInstructions = "instr_retired", kClock = "clock";

// The service that ran, and its build.
struct Runner {
  std::string service, release;
  auto operator<=>(const Runner&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct Sums {
  uint64_t samples = 0;
  double count = 0;
  void add(const Sums& other) {
    samples += other.samples;
    count += other.count;
  }
};

class Adding {
 public:
  Adding(const profile::Profile& profile, const symbol::Resolver& resolver, Services& services,
         const Privacy& privacy)
      : profile_(profile),
        resolver_(resolver),
        privacy_(privacy),
        places_(profile.locations.size()),
        source_(source_of(profile)) {
    find_runners(services);
    for (const profile::Event& event : profile.events) {
      uint32_t level = cause::cache_level_of(event.name);
      const profile::Samples& samples = profile.samples;
      const profile::Column* const classes[] = {nullptr, &samples.l1_class, &samples.l2_class,
                                                &samples.l3_class};
      classes_.push_back(classes[level]);
    }
  }

  void add(size_t sample) {
    const profile::Samples& samples = profile_.samples;
    const std::optional<Runner>& runner = runners_[samples.thread[sample]];
    if (!runner) return;
    Sums sums{1, static_cast<double>(samples.events_of(sample))};
    uint32_t event = samples.event[sample];
    totals_[{*runner, event}].add(sums);
    rows_[{*runner, event}][place_of(sample)].add(sums);
  }

  std::vector<store::Row> rows() {
    std::vector<store::Row> all;
    for (const auto& [key, sums] : totals_) {
      auto [unit, load] = load_of(key.first);
      store::Series series{key.first.service, key.first.release, profile_.events[key.second].name, source_,
                           unit};
      all.push_back({series, true, {}, sums.samples, sums.count, load});
      for (const auto& [place, part] : rows_[key])
        all.push_back({series, false, place, part.samples, part.count, load});
    }
    return all;
  }

 private:
  using Key = std::pair<Runner, uint32_t>;  // with the event's index

  static std::string source_of(const profile::Profile& profile) {
    std::string pmu = profile.origin().pmu;
    return pmu == "kernel" ? std::string(kClock) : pmu;
  }

  // A process has the name of its first thread; its other threads may have other names.
  void find_runners(Services& services) {
    std::unordered_map<uint32_t, std::string> names;      // by process
    std::unordered_map<std::string, std::string> builds;  // by path
    for (const profile::Thread& thread : profile_.threads) {
      if (thread.pid == thread.tid) names.try_emplace(thread.pid, thread.comm);
    }
    for (const profile::DsoRow& dso : profile_.dsos) builds.try_emplace(dso.path, dso.build_id);
    for (const profile::Thread& thread : profile_.threads) {
      std::optional<Runner>& runner = runners_.emplace_back();
      if (thread.pid == 0) continue;
      auto name = names.find(thread.pid);
      const Process& process =
          services.process(static_cast<pid_t>(thread.pid), name == names.end() ? thread.comm : name->second);
      auto build = builds.find(process.executable);
      runner = Runner{process.service, build == builds.end() ? "" : build->second};
    }
  }

  // Returns the amount of work of the service: sampled instructions if available, else CPU time.
  std::pair<std::string, double> load_of(const Runner& runner) const {
    for (auto [event, unit] : {std::pair{kInstructions, "instructions"}, std::pair{kClock, "cpu_ns"}}) {
      for (uint32_t i = 0; i < profile_.events.size(); ++i) {
        auto found = totals_.find({runner, i});
        if (profile_.events[i].name == event && found != totals_.end()) return {unit, found->second.count};
      }
    }
    return {"", 0};
  }

  store::CodeLocation place_of(size_t sample) {
    const profile::Samples& samples = profile_.samples;
    uint32_t location = samples.location[sample];
    std::optional<store::CodeLocation>& known = places_[location];
    if (!known) known = look_up(location);
    store::CodeLocation place = *known;
    const profile::Column* classes = classes_[samples.event[sample]];
    if (std::optional<uint64_t> number = classes == nullptr ? std::nullopt : classes->at(sample))
      place.miss_class = cause::name_of(static_cast<record::MissClass>(*number));
    if (!samples.object.empty() && samples.object[sample] != 0 && privacy_.functions)
      place.object = profile_.object_text(samples.object[sample]);
    return place;
  }

  // Merges instructions of one source line into one place, at the address of the first. Without a known line,
  // each instruction is a place.
  store::CodeLocation look_up(uint32_t location) {
    const profile::Location& at = profile_.locations[location];
    const profile::DsoRow& dso = profile_.dsos[at.dso];
    store::CodeLocation place;
    place.build_id = dso.build_id;
    place.module = dso.name();
    place.offset = at.address;
    const profile::FunctionRow& function = profile_.functions[at.function];
    place.function = privacy_.functions ? function.name : profile::address_text(profile_, function);
    symbol::SourceLine line = profile::line_at(profile_, resolver_, location);
    if (line.file.empty() || line.line == 0) return place;
    place.file = privacy_.paths ? line.file : std::filesystem::path(line.file).filename().string();
    place.line = line.line;
    auto [first, is_new] = lines_.try_emplace({at.function, place.file, place.line}, place.offset);
    place.offset = first->second;
    return place;
  }

  const profile::Profile& profile_;
  const symbol::Resolver& resolver_;
  Privacy privacy_;
  std::vector<std::optional<store::CodeLocation>> places_;  // by location
  std::map<std::tuple<uint32_t, std::string, uint32_t>, uint64_t> lines_;
  std::string source_;
  std::vector<std::optional<Runner>> runners_;   // by thread
  std::vector<const profile::Column*> classes_;  // by event
  std::map<Key, Sums> totals_;
  std::map<Key, std::map<store::CodeLocation, Sums>> rows_;
};

}  // namespace

std::vector<store::Row> rows_of(const profile::Profile& profile, const symbol::Resolver& resolver,
                                Services& services, const Privacy& privacy, size_t most) {
  Adding adding(profile, resolver, services, privacy);
  for (size_t i = 0; i < profile.samples.size(); ++i) adding.add(i);
  std::vector<store::Row> rows = adding.rows();
  coarsen(rows, most);
  return rows;
}

}  // namespace hm::agent
