// SPDX-License-Identifier: MIT
#pragma once

#include "analysis/timeline/timeline_source.h"
#include "analysis/timeline/timeline_window.h"
#include "base/result.h"

namespace hm::timeline {

// Fills in a time line with the content of a window.
class WindowBuilder {
 public:
  // `to` must have its window and bin length set.
  WindowBuilder(const Source& source, const Window& window, Timeline& to);

  // Fails with kInvalidArgument if the result exceeds Window::max_cells.
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
  std::vector<bool> shown_function_;  // by function: true if it passes the filter
  std::vector<uint32_t> column_of_;   // by function
  std::vector<size_t> row_of_;        // by lane; SIZE_MAX: not shown
};

}  // namespace hm::timeline
