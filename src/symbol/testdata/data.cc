// SPDX-License-Identifier: MIT
// Test data for the tests of data types, in C++.
#include <vector>

namespace ns {

struct Empty {};
struct Base {
  virtual ~Base() = default;
  long id = 0;
};
struct Other {
  int other = 0;
};

template <typename T>
struct Cell : Base, Other, Empty {
  static long count;
  T value{};
  struct Inner {
    T deep{};
  } inner;
};
template <typename T>
long Cell<T>::count = 0;

Cell<double> cells[5];

namespace {
int unnamed[3] = {1};
}

long base_of(const Cell<double>& cell) { return cell.id; }
double deep_of(const Cell<double>* cell) { return cell->inner.deep; }
double sum_of(const std::vector<Cell<double>>& all) {
  double sum = 0;
  for (const Cell<double>& cell : all) sum += cell.value;
  return sum;
}

}  // namespace ns

int main(int count, char**) {
  ns::Cell<double>::count = count;
  std::vector<ns::Cell<double>> all(static_cast<unsigned>(count));
  return static_cast<int>(ns::base_of(ns::cells[count % 5]) + static_cast<long>(ns::sum_of(all)) +
                          static_cast<long>(ns::deep_of(ns::cells)) + ns::unnamed[count % 3]);
}
