// SPDX-License-Identifier: MIT
#include "view/screen/terminal_modes.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

namespace hm::screen {
namespace {

// Signals that end a process by default, and that other processes send or faults cause. The program handles
// SIGINT, SIGTERM and SIGHUP itself.
constexpr int kEndings[] = {SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,    SIGSEGV, SIGSYS,
                            SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO};
constexpr int kChanges[] = {SIGTSTP, SIGCONT, SIGWINCH};

// State of the signal handlers.
volatile std::sig_atomic_t stop_is_wanted = 0, was_continued = 0, was_resized = 0;
volatile std::sig_atomic_t last_words_size = 0, has_changed_modes = 0;
char last_words[TerminalModes::kMaxLastWords];
termios modes_before;
std::array<struct sigaction, NSIG> actions_before;
std::array<bool, NSIG> is_handled;

void note(int signal) {
  if (signal == SIGTSTP) stop_is_wanted = 1;
  if (signal == SIGCONT) was_continued = 1;
  if (signal == SIGWINCH) was_resized = 1;
}

// Calls only async-signal-safe functions. The handler has been removed (SA_RESETHAND), so the raised signal
// ends the process as soon as this function returns.
void end(int signal) {
  if (has_changed_modes != 0 && TerminalModes::is_in_foreground()) {
    ::tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
    (void)!::write(STDOUT_FILENO, last_words, static_cast<size_t>(last_words_size));
  }
  ::raise(signal);
}

// Installs a handler unless the program handles or ignores the signal.
void handle(int signal, void (*handler)(int), int flags) {
  auto number = static_cast<size_t>(signal);
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigemptyset(&action.sa_mask);
  bool is_default = ::sigaction(signal, nullptr, &actions_before[number]) == 0 &&
                    actions_before[number].sa_handler == SIG_DFL;
  is_handled[number] = is_default && ::sigaction(signal, &action, nullptr) == 0;
}

void restore_action(int signal) {
  auto number = static_cast<size_t>(signal);
  if (is_handled[number]) ::sigaction(signal, &actions_before[number], nullptr);
  is_handled[number] = false;
}

// Returns false if the kernel did not stop the process, because no shell could continue it (orphaned process
// group).
bool stop_by_default() {
  was_continued = 0;
  restore_action(SIGTSTP);
  ::raise(SIGTSTP);
  handle(SIGTSTP, note, SA_RESTART);
  return was_continued != 0;
}

}  // namespace

TerminalModes::TerminalModes() : on_terminal_(::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0) {
  on_terminal_ = on_terminal_ && ::tcgetattr(STDIN_FILENO, &before_) == 0;
  if (!on_terminal_) return;
  view_ = modes_before = before_;
  for (volatile std::sig_atomic_t* each :
       {&stop_is_wanted, &was_continued, &was_resized, &last_words_size, &has_changed_modes})
    *each = 0;
  for (int signal : kChanges) handle(signal, note, SA_RESTART);
  for (int signal : kEndings) handle(signal, end, static_cast<int>(SA_RESETHAND));
}

TerminalModes::~TerminalModes() {
  if (!on_terminal_) return;
  restore();
  has_changed_modes = 0;
  for (int signal : kChanges) restore_action(signal);
  for (int signal : kEndings) restore_action(signal);
}

bool TerminalModes::set(const termios& modes) {
  if (!on_terminal_) return false;
  view_ = modes;
  has_changed_modes = 1;
  changed_ = ::tcsetattr(STDIN_FILENO, TCSANOW, &view_) == 0;
  return changed_;
}

void TerminalModes::adopt_current() {
  changed_ = on_terminal_ && ::tcgetattr(STDIN_FILENO, &view_) == 0;
  has_changed_modes = changed_ ? 1 : 0;
}

void TerminalModes::set_last_words(std::string_view bytes) {
  size_t size = std::min(bytes.size(), kMaxLastWords);
  std::memcpy(last_words, bytes.data(), size);
  last_words_size = static_cast<std::sig_atomic_t>(size);
}

// Also returns true if the terminal is not this process's controlling terminal, which has no foreground
// (ENOTTY).
bool TerminalModes::is_in_foreground() {
  pid_t group = ::tcgetpgrp(STDIN_FILENO);
  return group < 0 || group == ::getpgrp();
}

bool TerminalModes::wants_stop() {
  return stop_is_wanted != 0 || (was_continued != 0 && !is_in_foreground());
}

void TerminalModes::restore() const {
  if (changed_ && is_in_foreground()) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

void TerminalModes::stop(const std::function<bool()>& is_over) {
  if (!on_terminal_) return;
  restore();
  bool stopped = true;
  do {
    stopped = stop_by_default();
  } while (stopped && !is_in_foreground() && !is_over());
  stop_is_wanted = 0;
  was_continued = 1;
}

bool TerminalModes::take_redraw() {
  if (was_continued == 0 && was_resized == 0) return false;
  was_continued = 0;
  was_resized = 0;
  if (changed_ && is_in_foreground()) ::tcsetattr(STDIN_FILENO, TCSANOW, &view_);
  return true;
}

bool TerminalModes::is_gone() const {
  pollfd terminal{STDIN_FILENO, POLLIN, 0};
  return on_terminal_ && ::poll(&terminal, 1, 0) > 0 &&
         (terminal.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

}  // namespace hm::screen
