// SPDX-License-Identifier: MIT
#include "symbol/files/rust_v0.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

#include "symbol/files/rust_v0_cursor.h"

namespace hm::symbol {
namespace {

constexpr size_t kMaxOutput = 64 * 1024;
constexpr unsigned kMaxNesting = 200;
constexpr unsigned kMaxSteps = 100'000;  // back references can repeat work without printing anything

// Indexed by letter; empty if the letter is not a basic type.
constexpr std::array<std::string_view, 26> kBasicTypes{
    "i8",   "bool", "char", "f64", "str", "f32", "",    "u8", "isize", "usize", "",    "i32", "u32",
    "i128", "u128", "_",    "",    "",    "i16", "u16", "()", "...",   "",      "i64", "u64", "!"};

std::string_view basic_type(char tag) {
  return rust::is_lower(tag) ? kBasicTypes[static_cast<size_t>(tag - 'a')] : std::string_view();
}

// A recursive descent parser that prints while it parses. Failures are sticky: the caller checks ok() at the
// end.
class Printer : public rust::Cursor {
 public:
  explicit Printer(std::string_view text) : Cursor(text) {}

  void symbol() {
    path(true);
    if (ok() && rust::is_upper(peek())) silently([this] { path(false); });
  }

  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  // One level of recursion; fails if the limits on depth or work are exceeded.
  class Level {
   public:
    explicit Level(Printer& printer) : printer_(printer) {
      if (++printer.depth_ > kMaxNesting || ++printer.steps_ > kMaxSteps) printer.fail();
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --printer_.depth_; }

   private:
    Printer& printer_;
  };

  void print(std::string_view piece) {
    if (!ok() || silent_) return;
    if (out_.size() + piece.size() > kMaxOutput) {
      fail();
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

  void print(const rust::Identifier& id) {
    if (id.punycode) {
      print("punycode{");
      print(id.name);
      print("}");
    } else {
      print(id.name);
    }
  }

  // Called after "B" has been read: parses again the text at an earlier position.
  template <typename F>
  void back_reference(F&& parse) {
    size_t start = position() - 1;
    uint64_t target = base62();
    if (!ok() || target >= start) {
      fail();
      return;
    }
    if (silent_) return;
    size_t resume = position();
    go_to(target);
    parse();
    go_to(resume);
  }

  void impl_path() {
    silently([this] {
      (void)optional_base62('s');
      path(false);
    });
  }

  void path(bool in_value) {
    Level level(*this);
    if (!ok()) return;
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
        fail();
    }
  }

  void nested_path(bool in_value) {
    char space = next();
    if (!rust::is_lower(space) && !rust::is_upper(space)) fail();
    path(in_value);
    rust::Identifier id = identifier();
    if (rust::is_lower(space)) {
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

  // Parses items up to "E" and prints them with separators. Returns the number of items.
  template <typename F>
  unsigned list(F&& item, std::string_view separator = ", ") {
    unsigned count = 0;
    while (ok() && !eat('E')) {
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
      fail();
      return;
    }
    uint64_t depth = bound_lifetimes_ - index;
    print(depth < 26 ? std::string(1, static_cast<char>('a' + depth)) : fmt::format("_{}", depth));
  }

  // Parses an optional binder, then the text it applies to.
  template <typename F>
  void bound(F&& parse) {
    uint64_t count = optional_base62('G');
    if (count > 64) fail();
    if (!ok()) return;
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
    if (!ok()) return;
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
        go_to(position() - 1), path(false);
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
    if (!eat('L')) fail();
    if (uint64_t index = base62(); ok() && index != 0) print(" + "), lifetime(index);
  }

  // Parses a trait with associated types, which are printed among its generic arguments: Iterator<Item = u8>.
  void dyn_trait() {
    bool open = trait_path();
    while (ok() && eat('p')) {
      print(open ? ", " : "<");
      open = true;
      print(identifier());
      print(" = ");
      type();
    }
    if (open) print(">");
  }

  // Prints a path and leaves its generic list open; returns true if there is one.
  bool trait_path() {
    Level level(*this);
    if (!ok()) return false;
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
    if (!ok()) return;
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
        if (std::string_view("ahijlmnostxy").find(tag) == std::string_view::npos) fail();
        if (eat('n')) print("-");
        integer();
    }
  }

  void integer() {
    std::string_view digits = hex_digits();
    if (digits.size() <= 16)
      print(fmt::format("{}", rust::hex_value(digits)));
    else
      print("0x"), print(digits);
  }

  void special_constant(char tag) {
    uint64_t value = rust::hex_value(hex_digits());
    if (tag == 'b')
      print(value != 0 ? "true" : "false");
    else if (value >= 0x20 && value < 0x7f)
      print(fmt::format("'{}'", static_cast<char>(value)));
    else
      print(fmt::format("'\\u{{{:x}}}'", value));
  }

  std::string out_;
  uint64_t bound_lifetimes_ = 0;
  unsigned depth_ = 0;
  unsigned steps_ = 0;
  bool silent_ = false;
};

}  // namespace

std::optional<std::string> demangle_rust_v0(std::string_view name) {
  name.remove_prefix(2);
  name = name.substr(0, name.find_first_of(".$"));  // a suffix added by a later tool
  if (name.empty() || !rust::is_upper(name.front())) return std::nullopt;
  Printer printer(name);
  printer.symbol();
  if (!printer.ok() || !printer.at_end()) return std::nullopt;
  return std::move(printer).take();
}

}  // namespace hm::symbol
