// SPDX-License-Identifier: MIT
#include "view/text/fleet_text.h"

#include <fmt/format.h>

#include <cmath>

#include "view/text/fleet_rate_text.h"
#include "view/text/format.h"
#include "view/text/function_names.h"
#include "view/text/naming_text.h"

namespace hm::text {
namespace {

std::string count_text(double count) { return grouped(static_cast<uint64_t>(std::llround(count))); }

template <typename Row>
KeyNames names_of(const std::vector<std::string>& columns, const std::vector<Row>& rows, const Style& style) {
  std::vector<std::vector<std::string>> keys;
  keys.reserve(rows.size());
  for (const Row& row : rows) keys.push_back(row.keys);
  return {columns, keys, style};
}

void add_key_headings(const std::vector<std::string>& keys, std::vector<Table::Heading>& headings) {
  for (const std::string& key : keys) headings.push_back({key, Align::kLeft});
}

// True for readings of occupancy: their sums are meaningless, the rate is their mean.
bool is_read(const fleet::Table& table) { return table.unit == "readings"; }

}  // namespace

std::string fleet_table(const fleet::Table& table, const Style& style) {
  RateForm form = rate_form(table.event, table.unit);
  std::string measurements = count_of(table.batches, "measurement", "measurements");
  std::string seen = is_read(table) ? fmt::format("read in {}", measurements)
                                    : fmt::format("{} in {}; {} events estimated",
                                                  count_of(table.samples, "sample", "samples"), measurements,
                                                  count_text(table.count));
  std::string out = fmt::format("# event {}, measured by: {}; {}\n{}#\n", printable(table.event),
                                printable(table.source), seen, naming_lines(table.naming));
  std::vector<Table::Heading> headings{{"share"}};
  if (!is_read(table))
    headings.insert(headings.end(), {{"samples"}, {"events", Align::kRight, Presence::kOptional}});
  headings.push_back({form.title});
  add_key_headings(table.keys, headings);
  Table rendered(std::move(headings));
  KeyNames names = names_of(table.keys, table.rows, style);
  for (const fleet::Row& row : table.rows) {
    std::vector<std::string> cells{percent(row.share)};
    if (!is_read(table)) cells.insert(cells.end(), {grouped(row.samples), count_text(row.count)});
    cells.push_back(rate_text(row.rate, form));
    for (std::string& key : names.of(row.keys)) cells.push_back(key.empty() ? "[unknown]" : std::move(key));
    rendered.add(std::move(cells));
  }
  return out + rendered.render(style);
}

std::string fleet_comparison(const fleet::Comparison& comparison, const Style& style) {
  RateForm form = rate_form(comparison.event, comparison.unit);
  const auto side = [&](const char* name, const store::Group& whole, const std::optional<fleet::Rate>& rate) {
    std::string text = fmt::format("# {}: {} in {}", name, count_of(whole.samples, "sample", "samples"),
                                   count_of(whole.batches, "measurement", "measurements"));
    if (whole.count != whole.load) text += fmt::format(", {} {}", rate_text(rate, form), form.title);
    return text + '\n';
  };
  std::string out = fmt::format("# event {}\n", printable(comparison.event)) +
                    side("before", comparison.before, comparison.rate_before) +
                    side("after", comparison.after, comparison.rate_after) + naming_lines(comparison.naming) +
                    "#\n";
  std::vector<Table::Heading> headings{{"before"}, {"after"}, {"change"}, {"95 % interval"}, {""}};
  add_key_headings(comparison.keys, headings);
  Table rendered(std::move(headings));
  KeyNames names = names_of(comparison.keys, comparison.rows, style);
  for (const fleet::ChangedRow& row : comparison.rows) {
    std::string interval = row.difference
                               ? fmt::format("[{} .. {}]", rate_number(row.difference->low * form.factor),
                                             rate_number(row.difference->high * form.factor))
                               : "unknown";
    double change = (row.after.value - row.before.value) * form.factor;
    std::vector<std::string> cells{rate_number(row.before.value * form.factor),
                                   rate_number(row.after.value * form.factor),
                                   fmt::format("{}{}", change > 0 ? "+" : "", rate_number(change)), interval,
                                   !row.is_significant() ? ""
                                   : change > 0          ? "worse"
                                                         : "better"};
    for (std::string& key : names.of(row.keys)) cells.push_back(key.empty() ? "[unknown]" : std::move(key));
    rendered.add(std::move(cells));
  }
  return out + rendered.render(style) + "# in each: events " + form.title + "\n";
}

}  // namespace hm::text
