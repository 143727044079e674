// SPDX-License-Identifier: MIT
#include "agent/roll_up.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace hm::agent {
namespace {

// Rows that compare equal are merged.
struct RowOrder {
  bool operator()(const store::Row& a, const store::Row& b) const {
    return std::tie(a.series, a.is_total, a.place) < std::tie(b.series, b.is_total, b.place);
  }
};

// Adds up rows with equal series and place. Keeps the load of the first row.
class Added {
 public:
  void add(const store::Row& row) {
    auto [found, is_new] = rows_.try_emplace(row, Sums{});
    found->second.samples += row.samples;
    found->second.count += row.count;
  }
  [[nodiscard]] size_t size() const { return rows_.size(); }
  void append_to(std::vector<store::Row>& rows) const {
    for (const auto& [row, sums] : rows_) {
      rows.push_back(row);
      rows.back().samples = sums.samples;
      rows.back().count = sums.count;
    }
  }

 private:
  struct Sums {
    uint64_t samples = 0;
    double count = 0;
  };
  std::map<store::Row, Sums, RowOrder> rows_;
};

Added without_places(const std::vector<store::Row>& rows, size_t begin, bool with_modules) {
  Added added;
  for (size_t i = begin; i < rows.size(); ++i) {
    store::Row row = rows[i];
    store::CodeLocation module;
    if (with_modules) {
      module.build_id = row.place.build_id;
      module.module = row.place.module;
    }
    row.place = module;
    added.add(row);
  }
  return added;
}

}  // namespace

void coarsen(std::vector<store::Row>& rows, size_t most) {
  if (rows.size() <= most) return;
  std::ranges::stable_sort(rows, [](const store::Row& a, const store::Row& b) {
    return std::tuple(b.is_total, b.samples) < std::tuple(a.is_total, a.samples);
  });
  auto totals = static_cast<size_t>(std::ranges::count_if(rows, &store::Row::is_total));
  size_t kept = std::max(totals, most / 2);
  Added rest = without_places(rows, kept, true);
  if (kept + rest.size() > most) rest = without_places(rows, kept, false);
  if (kept + rest.size() > most) {
    kept = totals;
    rest = without_places(rows, kept, false);
  }
  rows.resize(kept);
  rest.append_to(rows);
}

store::Batch merge(const std::vector<store::Batch>& batches, std::string id) {
  Added added;
  std::map<store::Series, double> loads;
  for (const store::Batch& batch : batches) {
    for (const store::Row& row : batch.rows) {
      added.add(row);
      if (row.is_total) loads[row.series] += row.load;
    }
  }
  store::Batch merged{std::move(id), batches.front().host, batches.front().time_s, {}};
  added.append_to(merged.rows);
  for (store::Row& row : merged.rows) {
    if (auto load = loads.find(row.series); load != loads.end()) row.load = load->second;
  }
  return merged;
}

}  // namespace hm::agent
