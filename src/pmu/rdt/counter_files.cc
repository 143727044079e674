// SPDX-License-Identifier: MIT
#include "pmu/rdt/counter_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace hm::rdt {
namespace {

constexpr size_t kDescriptorsForOthers = 256;

struct CounterValue {
  bool has_gone = false;
  std::optional<uint64_t> number;
};

// A removed group or domain causes ENODEV; a file server that has ended causes ENOTCONN.
bool means_gone(int error_number) {
  return error_number == ENODEV || error_number == ENOENT || error_number == ENOTCONN ||
         error_number == ESTALE;
}

CounterValue read_counter(int file) {
  std::array<char, 64> text;
  ssize_t bytes = ::pread(file, text.data(), text.size(), 0);
  if (bytes < 0) return {means_gone(errno), {}};
  return {false, parse_number({text.data(), static_cast<size_t>(bytes)})};
}

UniqueFd open_counter_file(const std::string& path) {
  return UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

CounterValue read_counter_at(const std::string& path) {
  UniqueFd file = open_counter_file(path);
  if (!file.valid()) return {means_gone(errno), {}};
  return read_counter(file.get());
}

bool is_there(const std::string& folder) { return ::access(folder.c_str(), F_OK) == 0; }

}  // namespace

DescriptorBudget DescriptorBudget::for_counters(size_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return DescriptorBudget(0);
  rlim_t enough = wanted + kDescriptorsForOthers;
  if (limit.rlim_cur < enough && limit.rlim_cur < limit.rlim_max) {
    rlimit raised = limit;
    raised.rlim_cur = std::min(enough, limit.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return DescriptorBudget(limit.rlim_cur > kDescriptorsForOthers ? limit.rlim_cur - kDescriptorsForOthers
                                                                 : 0);
}

CounterFiles::CounterFiles(std::string group, const Monitoring& monitoring,
                           std::shared_ptr<DescriptorBudget> budget)
    : group_(std::move(group)), budget_(std::move(budget)) {
  if (monitoring.occupancy) names_[0] = "llc_occupancy";
  if (monitoring.total_bandwidth) names_[1] = "mbm_total_bytes";
  if (monitoring.local_bandwidth) names_[2] = "mbm_local_bytes";
}

CounterFiles::~CounterFiles() { close_all(); }

void CounterFiles::close_all() {
  for (const DomainCounters& domain : domains_) {
    for (const Counter& counter : domain.counters) {
      if (counter.file.valid()) budget_->give_back();
    }
  }
  domains_.clear();
}

CounterFiles::Counter CounterFiles::open_counter(const std::string& path) const {
  Counter counter;
  if (budget_->take()) {
    counter.file = open_counter_file(path);
    if (counter.file.valid()) return counter;
    budget_->give_back();
    if (errno != EMFILE && errno != ENFILE) return counter;
  }
  if (is_there(path)) counter.path = path;
  return counter;
}

bool CounterFiles::find_counters() {
  close_all();
  std::string data = group_ + "/mon_data";
  for (const std::string& name : folders_in(data)) {
    std::optional<uint32_t> domain = l3_domain_of(name);
    if (!domain) continue;
    DomainCounters& found = domains_.emplace_back(DomainCounters{*domain, {}});
    for (size_t kind = 0; kind < kKinds; ++kind) {
      if (names_[kind] != nullptr)
        found.counters[kind] = open_counter(fmt::format("{}/{}/{}", data, name, names_[kind]));
    }
  }
  std::ranges::sort(domains_, {}, &DomainCounters::domain);
  return !domains_.empty() || is_there(data);
}

std::optional<std::vector<Reading>> CounterFiles::read_all() const {
  std::vector<Reading> readings;
  readings.reserve(domains_.size());
  for (const DomainCounters& domain : domains_) {
    std::array<std::optional<uint64_t>, kKinds> numbers;
    for (size_t kind = 0; kind < kKinds; ++kind) {
      const Counter& counter = domain.counters[kind];
      if (!counter.file.valid() && counter.path.empty()) continue;
      CounterValue value =
          counter.file.valid() ? read_counter(counter.file.get()) : read_counter_at(counter.path);
      if (value.has_gone) return std::nullopt;
      numbers[kind] = value.number;
    }
    readings.push_back({domain.domain, numbers[0], numbers[1], numbers[2]});
  }
  return readings;
}

std::optional<std::vector<Reading>> CounterFiles::read(uint64_t version) {
  if (version_ == version) {
    if (std::optional<std::vector<Reading>> readings = read_all()) return readings;
  }
  // Tries twice, because a domain may be removed while it is read.
  for (int tries = 0; tries < 2; ++tries) {
    version_.reset();
    if (!find_counters()) return std::nullopt;
    if (std::optional<std::vector<Reading>> readings = read_all()) {
      version_ = version;
      return readings;
    }
  }
  return std::nullopt;
}

}  // namespace hm::rdt
