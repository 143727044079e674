// SPDX-License-Identifier: MIT
#include "view/screen/terminal.h"

#include <curses.h>
#include <term.h>

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/installation.h"

namespace hm::screen {
namespace {

// The same colours as the text view uses for these letters.
constexpr short kForeground[kColors] = {COLOR_RED,     COLOR_GREEN, COLOR_YELLOW,  COLOR_BLUE,
                                        COLOR_MAGENTA, COLOR_CYAN,  COLOR_RED,     COLOR_GREEN,
                                        COLOR_YELLOW,  COLOR_BLUE,  COLOR_MAGENTA, COLOR_CYAN};
constexpr uint8_t kFirstBright = 7;

void prepare_colors() {
  start_color();
  use_default_colors();
  for (short i = 0; i < kColors; ++i) init_pair(static_cast<short>(i + 1), kForeground[i], -1);
}

// Names and numbers are UTF-8 ("±"), which nearly every terminal shows: also if the locale has no characters
// but ASCII's, as in containers.
void set_characters() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view(nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
}

attr_t attributes_of(const Piece& piece, bool color) {
  attr_t attributes = piece.inverse ? A_REVERSE : A_NORMAL;
  if (piece.color == 0 || !color) return attributes;
  return attributes | static_cast<attr_t>(COLOR_PAIR(piece.color)) |
         (piece.color >= kFirstBright ? A_BOLD : A_NORMAL);
}

int key_of(int pressed) {
  if (pressed > KEY_F0 && pressed <= KEY_F(12)) return function_key(pressed - KEY_F0);
  switch (pressed) {
    case ERR:
      return kNone;
    case KEY_LEFT:
      return kLeft;
    case KEY_RIGHT:
      return kRight;
    case KEY_UP:
      return kUp;
    case KEY_DOWN:
      return kDown;
    case KEY_PPAGE:
      return kPageUp;
    case KEY_NPAGE:
      return kPageDown;
    case KEY_HOME:
      return kHome;
    case KEY_END:
      return kEnd;
    case KEY_RESIZE:
      return kResized;
    case KEY_BACKSPACE:
    case 127:
      return kBackspace;
    case KEY_ENTER:
    case '\r':
      return kEnter;
    default:
      return pressed < KEY_MIN ? pressed : kNone;
  }
}

std::string collected;  // written by collect(), because curses passes it no context
int collect(int byte) {
  collected += static_cast<char>(byte);
  return byte;
}

// Returns the bytes that endwin(3) writes: the terminal's first screen, a cursor, and normal keypad codes.
std::string leaving_sequence() {
  collected.clear();
  for (const char* each : {cursor_normal, keypad_local, exit_attribute_mode, exit_ca_mode}) {
    if (each != nullptr) tputs(each, 1, collect);
  }
  return collected;
}

// While it exists, curses looks for descriptions of terminals also in share/terminfo of this installation,
// after its usual places (terminfo(5)). The release archive has descriptions there, for systems without any.
class OwnDescriptions {
 public:
  OwnDescriptions() {
    Result<std::filesystem::path> installed = installation_folder();
    is_set_ = installed && ::getenv(kVariable) == nullptr &&
              ::setenv(kVariable, (":" + (*installed / "share" / "terminfo").string()).c_str(), 0) == 0;
  }
  OwnDescriptions(const OwnDescriptions&) = delete;
  OwnDescriptions& operator=(const OwnDescriptions&) = delete;
  ~OwnDescriptions() {
    if (is_set_) ::unsetenv(kVariable);
  }

 private:
  static constexpr const char* kVariable = "TERMINFO_DIRS";
  bool is_set_ = false;
};

}  // namespace

struct Terminal::Closer {
  SCREEN* screen;
  ~Closer() {
    // A background process has already left the screen, and the kernel would stop it here (SIGTTOU).
    if (TerminalModes::is_in_foreground()) endwin();
    delscreen(screen);
  }
};

Terminal::Terminal(bool color) : color_(color) {
  set_characters();
  OwnDescriptions own_descriptions;
  // The terminal must be able to position the cursor.
  int known = 0;
  if (setupterm(nullptr, STDOUT_FILENO, &known) != OK || cursor_address == nullptr) return;
  // Not initscr(3), which ends the program if the terminal is unknown.
  SCREEN* screen = newterm(nullptr, stdout, stdin);
  if (screen == nullptr) return;
  works_ = true;
  closer_.reset(new Closer{screen});
  color_ = color_ && has_colors();
  if (color_) prepare_colors();
  cbreak();
  noecho();
  keypad(stdscr, TRUE);
  set_escdelay(25);
  curs_set(0);
  modes_.adopt_current();
  modes_.set_last_words(leaving_sequence());
}

Terminal::~Terminal() = default;

Size Terminal::size() const {
  return {static_cast<size_t>(getmaxy(stdscr)), static_cast<size_t>(getmaxx(stdscr))};
}

void Terminal::show(const Picture& picture) {
  erase();
  for (const Piece& piece : picture) {
    attrset(attributes_of(piece, color_));
    mvaddstr(static_cast<int>(piece.row), static_cast<int>(piece.column), piece.text.c_str());
  }
  attrset(A_NORMAL);
  refresh();
}

int Terminal::wait(int milliseconds) {
  if (modes_.take_redraw()) {
    reset_prog_mode();
    winsize now{};
    // Curses does not handle SIGWINCH here: TerminalModes does.
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &now) == 0 && now.ws_row != 0 &&
        is_term_resized(now.ws_row, now.ws_col))
      resizeterm(now.ws_row, now.ws_col);
    clearok(curscr, TRUE);  // redraw everything: another program has written to the screen
    return kResized;
  }
  timeout(milliseconds);
  return key_of(getch());
}

void Terminal::stop(const std::function<bool()>& is_over) {
  endwin();
  modes_.stop(is_over);
  if (!is_over()) refresh();
}

}  // namespace hm::screen
