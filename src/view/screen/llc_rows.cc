// SPDX-License-Identifier: MIT
#include "view/screen/llc_rows.h"

#include <algorithm>
#include <map>
#include <utility>

namespace hm::screen {
namespace {

using occupancy::Row;
using occupancy::Snapshot;

constexpr size_t kNobody = SIZE_MAX;
constexpr size_t kDeepest = 32;  // deeper levels are not indented further

// Only ASCII, because the locale of a name is unknown.
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::optional<double> amount_to_sort(const ShownRow& shown, const LlcOrder& order) {
  const Row& row = *shown.row;
  switch (order.sort) {
    case LlcSort::kMemory:
      return row.total_bytes_per_s;
    case LlcSort::kLocal:
      return row.local_bytes_per_s;
    case LlcSort::kPid:
      return row.pid ? std::optional(static_cast<double>(*row.pid)) : std::nullopt;
    default:
      return order.tree && shown.sum_bytes ? std::optional(static_cast<double>(*shown.sum_bytes))
             : row.occupancy_bytes         ? std::optional(static_cast<double>(*row.occupancy_bytes))
                                           : std::nullopt;
  }
}

bool comes_before(const ShownRow& a, const ShownRow& b, const LlcOrder& order) {
  if (order.sort == LlcSort::kName && a.row->name != b.row->name)
    return (a.row->name < b.row->name) != order.reversed;
  bool is_amount = order.sort != LlcSort::kPid && order.sort != LlcSort::kName;
  std::optional<double> x = amount_to_sort(a, order), y = amount_to_sort(b, order);
  if (x.has_value() != y.has_value()) return x.has_value();
  if (x && *x != *y) return (is_amount ? *x > *y : *x < *y) != order.reversed;
  return a.row->key < b.row->key;
}

// The rows as a forest; rows are identified by their index in the list.
class Forest {
 public:
  Forest(std::vector<ShownRow>& rows, const LlcOrder& order, bool drawing)
      : rows_(rows),
        order_(order),
        drawing_(drawing),
        parents_(rows.size(), kNobody),
        children_(rows.size()) {
    find_parents();
    add_up();
  }

  std::vector<ShownRow> flattened() {
    std::vector<size_t> roots;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (parents_[i] == kNobody) roots.push_back(i);
    }
    sort(roots);
    // An explicit stack, because trees may be deeper than the call stack allows.
    std::vector<TreeNode> left;
    push(roots, 0, {}, left);
    std::vector<ShownRow> list;
    while (!left.empty()) {
      TreeNode node = std::move(left.back());
      left.pop_back();
      ShownRow& row = rows_[node.row];
      row.branch = branch_of(node);
      std::vector<size_t>& below = children_[node.row];
      sort(below);
      push(below, node.depth + 1, margin_below(node), left);
      list.push_back(row);
    }
    return list;
  }

 private:
  struct TreeNode {
    size_t row, depth;
    bool is_last;
    std::string margin;
  };

  void find_parents() {
    std::map<std::string_view, size_t> numbers;
    for (size_t i = 0; i < rows_.size(); ++i) numbers.emplace(rows_[i].row->key, i);
    for (size_t i = 0; i < rows_.size(); ++i) {
      auto parent = numbers.find(rows_[i].row->parent);
      if (rows_[i].row->parent.empty() || parent == numbers.end()) continue;
      if (!is_below(parent->second, i)) parents_[i] = parent->second;
    }
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (parents_[i] != kNobody) children_[parents_[i]].push_back(i);
    }
  }

  // Reused PIDs may seem to form cycles. They are cut at the row that closes the cycle.
  [[nodiscard]] bool is_below(size_t row, size_t other) const {
    for (; row != kNobody; row = parents_[row]) {
      if (row == other) return true;
    }
    return false;
  }

  void add_up() {
    for (size_t i = 0; i < rows_.size(); ++i) {
      std::optional<uint64_t> own = rows_[i].row->occupancy_bytes;
      for (size_t above = i; above != kNobody; above = parents_[above]) {
        ShownRow& sum = rows_[above];
        if (above != i) ++sum.below;
        if (own) sum.sum_bytes = sum.sum_bytes.value_or(0) + *own;
        sum.is_least = sum.is_least || !own;
      }
    }
  }

  void sort(std::vector<size_t>& some) const {
    std::ranges::sort(some, [this](size_t a, size_t b) { return comes_before(rows_[a], rows_[b], order_); });
  }

  static void push(const std::vector<size_t>& some, size_t depth, const std::string& margin,
                   std::vector<TreeNode>& left) {
    for (size_t i = some.size(); i-- > 0;) left.push_back({some[i], depth, i + 1 == some.size(), margin});
  }

  [[nodiscard]] std::string branch_of(const TreeNode& node) const {
    if (node.depth == 0) return {};
    return node.margin + (drawing_ ? node.is_last ? "└─ " : "├─ " : node.is_last ? "`- " : "|- ");
  }
  [[nodiscard]] std::string margin_below(const TreeNode& node) const {
    if (node.depth == 0 || node.depth > kDeepest) return node.margin;
    return node.margin + (node.is_last ? "   " : drawing_ ? "│  " : "|  ");
  }

  std::vector<ShownRow>& rows_;
  const LlcOrder& order_;
  bool drawing_;
  std::vector<size_t> parents_;
  std::vector<std::vector<size_t>> children_;
};

}  // namespace

bool has_text(const Row& row, std::string_view text) {
  const auto is_alike = [](char a, char b) { return lower(a) == lower(b); };
  bool is_in_name = text.empty() || std::search(row.name.begin(), row.name.end(), text.begin(), text.end(),
                                                is_alike) != row.name.end();
  return is_in_name || (row.pid && std::to_string(*row.pid).find(text) != std::string::npos);
}

std::vector<ShownRow> arranged(const Snapshot& snapshot, const LlcOrder& order, bool drawing) {
  std::vector<ShownRow> rows;
  for (const Row& row : snapshot.rows) {
    if (has_text(row, order.filter))
      rows.push_back({&row, {}, 0, row.occupancy_bytes, !row.occupancy_bytes.has_value()});
  }
  if (order.tree) {
    for (ShownRow& row : rows) row.sum_bytes.reset();  // summed again by Forest
    return Forest(rows, order, drawing).flattened();
  }
  std::ranges::sort(rows, [&](const ShownRow& a, const ShownRow& b) { return comes_before(a, b, order); });
  return rows;
}

}  // namespace hm::screen
