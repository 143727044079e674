// SPDX-License-Identifier: MIT
// shapes [SHAPES=50000]: calls a virtual function of objects of two classes in random order: a line for each
// object. Mended: an array of values for each class.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace {

constexpr uint32_t kMaxShapes = 50000;
constexpr int kPasses = 20;

#ifdef MENDED
struct Square {
  uint64_t side, colour;
  [[nodiscard]] uint64_t area() const { return side * side; }
};

struct Rectangle {
  uint64_t width, height;
  [[nodiscard]] uint64_t area() const { return width * height; }
};

struct Shapes {
  std::vector<Square> squares;
  std::vector<Rectangle> rectangles;
};

Shapes make(uint32_t count) {
  Shapes shapes;
  for (uint32_t i = 0; i < count; ++i) {
    if (i % 2 == 0) {
      shapes.squares.push_back({i, 0});
    } else {
      shapes.rectangles.push_back({i, 3});
    }
  }
  return shapes;
}

[[gnu::noipa]] uint64_t area(const Shapes& shapes) {
  uint64_t sum = 0;
  for (const Square& each : shapes.squares) sum += each.area();
  for (const Rectangle& each : shapes.rectangles) sum += each.area();
  return sum;
}
#else
struct Shape {
  virtual ~Shape() = default;
  [[nodiscard]] virtual uint64_t area() const = 0;
};

struct Square : Shape {
  uint64_t side, colour;
  explicit Square(uint64_t length) : side(length), colour(0) {}
  [[nodiscard]] uint64_t area() const override { return side * side; }
};

struct Rectangle : Shape {
  uint64_t width, height;
  explicit Rectangle(uint64_t length) : width(length), height(3) {}
  [[nodiscard]] uint64_t area() const override { return width * height; }
};

using Shapes = std::vector<std::unique_ptr<Shape> >;

Shapes make(uint32_t count) {
  Shapes shapes;
  for (uint32_t i = 0; i < count; ++i) {
    if (i % 2 == 0) {
      shapes.push_back(std::make_unique<Square>(i));
    } else {
      shapes.push_back(std::make_unique<Rectangle>(i));
    }
  }
  uint64_t state = 1;
  for (uint32_t i = count - 1; i > 0; --i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    std::swap(shapes[i], shapes[(state >> 33) % (i + 1)]);
  }
  return shapes;
}

[[gnu::noipa]] uint64_t area(const Shapes& shapes) {
  uint64_t sum = 0;
  for (const auto& each : shapes) sum += each->area();
  return sum;
}
#endif

}  // namespace

int main(int arguments, char** words) {
  uint32_t count = arguments > 1 ? static_cast<uint32_t>(std::atoi(words[1])) : kMaxShapes;
  if (count == 0 || count > kMaxShapes) return 1;
  Shapes shapes = make(count);
  uint64_t sum = 0;
  for (int pass = 0; pass < kPasses; ++pass) sum = sum * 3 + area(shapes);
  std::printf("%lu\n", sum);
}
