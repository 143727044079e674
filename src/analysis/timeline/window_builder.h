// SPDX-License-Identifier: MIT
#pragma once

#include "analysis/timeline/source.h"
#include "analysis/timeline/timeline.h"
#include "base/result.h"

namespace hm::timeline {

// Fills a time line in with what a window shows.
class WindowBuilder {
 public:
  // `to` has its window and its bins.
  WindowBuilder(const Source& source, const Window& window, Timeline& to);

  // kInvalidArgument where that were more cells than the window may have.
  [[nodiscard]] Status build();

 private:
  using Times = std::vector<double>;

  [[nodiscard]] Grid whole_window() const;
  [[nodiscard]] Grid bins() const;
  [[nodiscard]] Status check_cells() const;
  void number_lanes();
  void add_totals();
  void add_moments();
  [[nodiscard]] Moment moment_of(const Point& point, const std::string& lane) const;
  void choose_functions(const Times& ns);
  void choose_lanes(const Times& ns);
  void fill_bins();
  void find_idle(const Times& ns);
  void count_events();
  [[nodiscard]] Function function_row(uint32_t number, double ns) const;

  Source source_;
  const Index& index_;
  const Window& window_;
  Timeline& to_;
  LaneNumbers lanes_;
  std::vector<uint32_t> lane_of_track_;
  std::vector<bool> shown_function_;  // by function: the filter lets it through
  std::vector<uint32_t> column_of_;   // by function
  std::vector<size_t> row_of_;        // by lane; SIZE_MAX: it is not shown
};

}  // namespace hm::timeline
