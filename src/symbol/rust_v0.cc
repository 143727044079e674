// SPDX-License-Identifier: MIT
#include "symbol/rust_v0.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace hm::symbol {
namespace {

constexpr size_t kMaxOutput = 64 * 1024;
constexpr unsigned kMaxDepth = 200;
constexpr unsigned kMaxSteps = 100'000;  // back references can repeat work without printing anything

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

std::string_view basic_type(char tag) {
  switch (tag) {
    case 'a':
      return "i8";
    case 'b':
      return "bool";
    case 'c':
      return "char";
    case 'd':
      return "f64";
    case 'e':
      return "str";
    case 'f':
      return "f32";
    case 'h':
      return "u8";
    case 'i':
      return "isize";
    case 'j':
      return "usize";
    case 'l':
      return "i32";
    case 'm':
      return "u32";
    case 'n':
      return "i128";
    case 'o':
      return "u128";
    case 'p':
      return "_";
    case 's':
      return "i16";
    case 't':
      return "u16";
    case 'u':
      return "()";
    case 'v':
      return "...";
    case 'x':
      return "i64";
    case 'y':
      return "u64";
    case 'z':
      return "!";
    default:
      return {};
  }
}

struct Identifier {
  std::string_view name;
  uint64_t disambiguator = 0;
  bool punycode = false;
};

// A recursive descent that prints while it parses. A failure is sticky: the caller looks at ok() at the end.
class Printer {
 public:
  explicit Printer(std::string_view text) : text_(text) {}

  void symbol() {
    path(true);
    if (ok_ && position_ < text_.size() && is_upper(peek())) silently([this] { path(false); });
  }

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  // One level of recursion; refuses to go deeper or to work longer than the limits.
  class Level {
   public:
    explicit Level(Printer& printer) : printer_(printer) {
      if (++printer.depth_ > kMaxDepth || ++printer.steps_ > kMaxSteps) printer.ok_ = false;
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --printer_.depth_; }

   private:
    Printer& printer_;
  };

  [[nodiscard]] char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }

  char next() {
    if (position_ >= text_.size()) {
      ok_ = false;
      return '\0';
    }
    return text_[position_++];
  }

  bool eat(char c) {
    if (!ok_ || peek() != c || position_ >= text_.size()) return false;
    ++position_;
    return true;
  }

  void print(std::string_view piece) {
    if (!ok_ || silent_) return;
    if (out_.size() + piece.size() > kMaxOutput) {
      ok_ = false;
      return;
    }
    out_ += piece;
  }

  template <typename F>
  void silently(F&& parse) {
    bool before = std::exchange(silent_, true);
    parse();
    silent_ = before;
  }

  // base-62-number: "_" is 0, "0_" is 1, and so on.
  uint64_t base62() {
    if (eat('_')) return 0;
    uint64_t value = 0;
    while (ok_ && !eat('_')) {
      char c = next();
      uint64_t digit = 0;
      if (is_digit(c))
        digit = static_cast<uint64_t>(c - '0');
      else if (is_lower(c))
        digit = static_cast<uint64_t>(c - 'a') + 10;
      else if (is_upper(c))
        digit = static_cast<uint64_t>(c - 'A') + 36;
      else
        ok_ = false;
      if (value > (UINT64_MAX - digit - 1) / 62) ok_ = false;
      if (!ok_) return 0;
      value = value * 62 + digit;
    }
    return value + 1;
  }

  uint64_t optional_base62(char tag) { return eat(tag) ? base62() + 1 : 0; }

  uint64_t decimal() {
    if (!is_digit(peek())) ok_ = false;
    if (eat('0')) return 0;
    uint64_t value = 0;
    while (ok_ && is_digit(peek()) && value <= text_.size())
      value = value * 10 + static_cast<uint64_t>(next() - '0');
    return value;
  }

  Identifier identifier() {
    Identifier result;
    result.disambiguator = optional_base62('s');
    result.punycode = eat('u');
    uint64_t size = decimal();
    eat('_');
    if (!ok_ || size > text_.size() - position_) {
      ok_ = false;
      return result;
    }
    result.name = text_.substr(position_, size);
    position_ += size;
    return result;
  }

  void print(const Identifier& id) {
    if (id.punycode) {
      print("punycode{");
      print(id.name);
      print("}");
    } else {
      print(id.name);
    }
  }

  // "B" has been read: parse again what stands at an earlier place.
  template <typename F>
  void back_reference(F&& parse) {
    size_t start = position_ - 1;
    uint64_t target = base62();
    if (!ok_ || target >= start) {
      ok_ = false;
      return;
    }
    if (silent_) return;
    size_t resume = std::exchange(position_, target);
    parse();
    position_ = resume;
  }

  void impl_path() {
    silently([this] {
      (void)optional_base62('s');
      path(false);
    });
  }

  void path(bool in_value) {
    Level level(*this);
    if (!ok_) return;
    switch (next()) {
      case 'C':
        print(identifier());
        break;
      case 'M':
        impl_path();
        print("<"), type(), print(">");
        break;
      case 'X':
        impl_path();
        [[fallthrough]];
      case 'Y':
        print("<"), type(), print(" as "), path(false), print(">");
        break;
      case 'N':
        nested_path(in_value);
        break;
      case 'I':
        path(in_value);
        print(in_value ? "::<" : "<");
        list([this] { generic_argument(); });
        print(">");
        break;
      case 'B':
        back_reference([&] { path(in_value); });
        break;
      default:
        ok_ = false;
    }
  }

  void nested_path(bool in_value) {
    char space = next();
    if (!is_lower(space) && !is_upper(space)) ok_ = false;
    path(in_value);
    Identifier id = identifier();
    if (is_lower(space)) {
      if (!id.name.empty()) print("::"), print(id);
      return;
    }
    print("::{");
    if (space == 'C')
      print("closure");
    else if (space == 'S')
      print("shim");
    else
      print(std::string_view(&space, 1));
    if (!id.name.empty()) print(":"), print(id);
    print(fmt::format("#{}}}", id.disambiguator));
  }

  // Items up to "E", with commas between. Returns how many there were.
  template <typename F>
  unsigned list(F&& item, std::string_view separator = ", ") {
    unsigned count = 0;
    while (ok_ && !eat('E')) {
      if (count++ > 0) print(separator);
      item();
    }
    return count;
  }

  void generic_argument() {
    if (eat('L'))
      lifetime(base62());
    else if (eat('K'))
      constant();
    else
      type();
  }

  void lifetime(uint64_t index) {
    print("'");
    if (index == 0) {
      print("_");
      return;
    }
    if (index > bound_lifetimes_) {
      ok_ = false;
      return;
    }
    uint64_t depth = bound_lifetimes_ - index;
    print(depth < 26 ? std::string(1, static_cast<char>('a' + depth)) : fmt::format("_{}", depth));
  }

  // [binder], then what it binds.
  template <typename F>
  void bound(F&& parse) {
    uint64_t count = optional_base62('G');
    if (count > 64) ok_ = false;
    if (!ok_) return;
    uint64_t before = bound_lifetimes_;
    if (count > 0) {
      print("for<");
      for (uint64_t i = 0; i < count; ++i) {
        if (i > 0) print(", ");
        ++bound_lifetimes_;
        lifetime(1);
      }
      print("> ");
    }
    parse();
    bound_lifetimes_ = before;
  }

  void type() {
    Level level(*this);
    if (!ok_) return;
    char tag = next();
    if (std::string_view name = basic_type(tag); !name.empty()) {
      print(name);
      return;
    }
    switch (tag) {
      case 'A':
        print("["), type(), print("; "), constant(), print("]");
        break;
      case 'S':
        print("["), type(), print("]");
        break;
      case 'T': {
        print("(");
        unsigned count = list([this] { type(); });
        print(count == 1 ? ",)" : ")");
        break;
      }
      case 'R':
      case 'Q':
        reference(tag == 'Q');
        break;
      case 'P':
        print("*const "), type();
        break;
      case 'O':
        print("*mut "), type();
        break;
      case 'F':
        bound([this] { function_signature(); });
        break;
      case 'D':
        trait_object();
        break;
      case 'B':
        back_reference([this] { type(); });
        break;
      default:
        --position_, path(false);
    }
  }

  void reference(bool is_mutable) {
    print("&");
    if (eat('L')) {
      if (uint64_t index = base62(); index != 0) lifetime(index), print(" ");
    }
    if (is_mutable) print("mut ");
    type();
  }

  void function_signature() {
    if (eat('U')) print("unsafe ");
    if (eat('K')) {
      print("extern \"");
      if (eat('C')) {
        print("C");
      } else {
        std::string abi(identifier().name);
        for (char& c : abi) c = c == '_' ? '-' : c;
        print(abi);
      }
      print("\" ");
    }
    print("fn(");
    list([this] { type(); });
    print(")");
    if (!eat('u')) print(" -> "), type();
  }

  void trait_object() {
    print("dyn ");
    bound([this] { list([this] { dyn_trait(); }, " + "); });
    if (!eat('L')) ok_ = false;
    if (uint64_t index = base62(); ok_ && index != 0) print(" + "), lifetime(index);
  }

  // A trait whose associated types join its generic arguments: Iterator<Item = u8>.
  void dyn_trait() {
    bool open = trait_path();
    while (ok_ && eat('p')) {
      print(open ? ", " : "<");
      open = true;
      print(identifier());
      print(" = ");
      type();
    }
    if (open) print(">");
  }

  // Prints a path and leaves its generic list open; says whether there is one.
  bool trait_path() {
    Level level(*this);
    if (!ok_) return false;
    bool open = false;
    if (eat('B')) {
      back_reference([&] { open = trait_path(); });
    } else if (eat('I')) {
      path(false);
      print("<");
      list([this] { generic_argument(); });
      open = true;
    } else {
      path(false);
    }
    return open;
  }

  void constant() {
    Level level(*this);
    if (!ok_) return;
    char tag = next();
    switch (tag) {
      case 'p':
        print("_");
        break;
      case 'B':
        back_reference([this] { constant(); });
        break;
      case 'b':
      case 'c':
        special_constant(tag);
        break;
      default:
        if (std::string_view("ahijlmnostxy").find(tag) == std::string_view::npos) ok_ = false;
        if (eat('n')) print("-");
        integer();
    }
  }

  std::string_view hex_digits() {
    size_t start = position_;
    while (is_digit(peek()) || (peek() >= 'a' && peek() <= 'f')) ++position_;
    std::string_view digits = text_.substr(start, position_ - start);
    if (!eat('_')) ok_ = false;
    return digits;
  }

  static uint64_t hex_value(std::string_view digits) {
    uint64_t value = 0;
    for (char c : digits) value = value * 16 + static_cast<uint64_t>(is_digit(c) ? c - '0' : c - 'a' + 10);
    return value;
  }

  void integer() {
    std::string_view digits = hex_digits();
    if (digits.size() <= 16)
      print(fmt::format("{}", hex_value(digits)));
    else
      print("0x"), print(digits);
  }

  void special_constant(char tag) {
    uint64_t value = hex_value(hex_digits());
    if (tag == 'b')
      print(value != 0 ? "true" : "false");
    else if (value >= 0x20 && value < 0x7f)
      print(fmt::format("'{}'", static_cast<char>(value)));
    else
      print(fmt::format("'\\u{{{:x}}}'", value));
  }

  std::string_view text_;
  std::string out_;
  size_t position_ = 0;
  uint64_t bound_lifetimes_ = 0;
  unsigned depth_ = 0;
  unsigned steps_ = 0;
  bool silent_ = false;
  bool ok_ = true;
};

}  // namespace

std::optional<std::string> demangle_rust_v0(std::string_view name) {
  name.remove_prefix(2);
  name = name.substr(0, name.find_first_of(".$"));  // a suffix that a later tool added
  if (name.empty() || !is_upper(name.front())) return std::nullopt;
  Printer printer(name);
  printer.symbol();
  if (!printer.ok() || !printer.at_end()) return std::nullopt;
  return std::move(printer).take();
}

}  // namespace hm::symbol
