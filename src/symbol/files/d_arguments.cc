// SPDX-License-Identifier: MIT
#include "symbol/files/d_arguments.h"

#include <charconv>

namespace hm::symbol {
namespace {

constexpr size_t kUnknown = std::string_view::npos;
constexpr unsigned kMaxDepth = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Steps over parts of a symbol. After an error, at() is npos.
class Steps {
 public:
  Steps(std::string_view symbol, size_t at) : symbol_(symbol), at_(at) {}

  [[nodiscard]] size_t at() const { return at_; }

  void arguments(unsigned depth) {
    while (at_ != kUnknown && !take('Z')) argument(depth);
  }

 private:
  [[nodiscard]] char next(size_t ahead = 0) const {
    return at_ < symbol_.size() && ahead < symbol_.size() - at_ ? symbol_[at_ + ahead] : '\0';
  }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  void fail() { at_ = kUnknown; }
  void skip(size_t count) {
    at_ = at_ < symbol_.size() && count <= symbol_.size() - at_ ? at_ + count : kUnknown;
  }

  size_t number() {
    size_t value = 0;
    auto [end, error] = std::from_chars(symbol_.data() + at_, symbol_.data() + symbol_.size(), value);
    if (error != std::errc()) return fail(), 0;
    at_ = static_cast<size_t>(end - symbol_.data());
    return value;
  }

  void argument(unsigned depth) {
    (void)take('H');  // specialised
    switch (next()) {
      case 'T':
        return ++at_, type(depth);
      case 'V':
        ++at_;
        type(depth);
        return at_ == kUnknown ? void() : value();
      case 'S':
        ++at_;
        return symbol_.substr(at_).starts_with("_D") ? symbol(depth) : qualified_name(depth);
      case 'X':
        ++at_;
        return skip(number());
      default:
        return fail();
    }
  }

  // "Qb": letters of base 26, the last in lower case.
  void back_reference() {
    ++at_;
    while (next() >= 'A' && next() <= 'Z') ++at_;
    next() >= 'a' && next() <= 'z' ? skip(1) : fail();
  }

  // A whole symbol with its type.
  void symbol(unsigned depth) {
    skip(std::string_view("_D").size());
    qualified_name(depth);
    if (at_ == kUnknown) return;
    (void)take('M');  // a method
    type(depth);
  }

  // Behind the F: attributes, parameters, and the type that is returned.
  void function_type(unsigned depth) {
    while (at_ != kUnknown && next() == 'N' && next(1) >= 'a' && next(1) <= 'm') skip(2);
    while (at_ != kUnknown && !take('Z') && !take('X') && !take('Y')) {
      while (next() >= 'J' && next() <= 'M') ++at_;  // out, ref, lazy, scope
      type(depth);
    }
    if (at_ != kUnknown) type(depth);
  }

  void qualified_name(unsigned depth) {
    size_t begin = at_;
    while (at_ != kUnknown && (is_digit(next()) || next() == 'Q' || symbol_.substr(at_).starts_with("__T"))) {
      if (is_digit(next()))
        skip(number());
      else if (next() == 'Q')
        back_reference();
      else
        instance(depth + 1);
    }
    if (at_ == begin) fail();
  }

  void instance(unsigned depth) {
    skip(std::string_view("__T").size());
    if (depth > kMaxDepth || !is_digit(next())) return fail();
    skip(number());
    if (at_ != kUnknown) arguments(depth);
  }

  void type(unsigned depth) {
    if (depth > kMaxDepth) return fail();
    switch (next()) {
      case 'Q':
        return back_reference();
      case 'x':  // const, immutable, shared, dynamic array, pointer
      case 'y':
      case 'O':
      case 'A':
      case 'P':
        return ++at_, type(depth + 1);
      case 'N':  // "Ng": inout, "Nh": vector; "Nn": no value
        skip(2);
        return at_ == kUnknown || symbol_[at_ - 1] == 'n' ? void() : type(depth + 1);
      case 'G':  // static array
        ++at_;
        (void)number();
        return at_ == kUnknown ? void() : type(depth + 1);
      case 'H':  // associative array
        ++at_;
        type(depth + 1);
        return at_ == kUnknown ? void() : type(depth + 1);
      case 'F':
        return ++at_, function_type(depth + 1);
      case 'C':
      case 'S':
      case 'E':
      case 'T':
      case 'I':
        return ++at_, qualified_name(depth + 1);
      case 'z':  // cent, ucent
        return skip(2);
      default:
        return next() >= 'a' && next() <= 'w' ? skip(1) : fail();
    }
  }

  void value() {
    constexpr size_t kHexDigits = 2;  // of a character
    switch (next()) {
      case 'n':
        return skip(1);
      case 'i':
      case 'N':
        ++at_;
        (void)number();
        return;
      case 'a':  // strings
      case 'w':
      case 'd': {
        ++at_;
        size_t characters = number();
        if (at_ == kUnknown || !take('_') || characters > symbol_.size()) return fail();
        return skip(characters * kHexDigits);
      }
      default:
        if (!is_digit(next())) return fail();
        (void)number();
    }
  }

  std::string_view symbol_;
  size_t at_;
};

}  // namespace

size_t end_of_d_arguments(std::string_view symbol, size_t at) {
  Steps steps(symbol, at);
  steps.arguments(0);
  return steps.at();
}

}  // namespace hm::symbol
