// SPDX-License-Identifier: MIT
#include "cli/interrupts.h"

#include <csignal>
#include <initializer_list>

namespace hm::cli {
namespace {

volatile std::sig_atomic_t interrupt_count = 0;

void count(int /*signal*/) { interrupt_count = interrupt_count + 1; }

void pass_over(int /*signal*/) {}

// A handler, unlike SIG_IGN, does not survive an exec: programs under test start with what we started with.
void handle(int signal, void (*handler)(int)) {
  struct sigaction old {};
  if (::sigaction(signal, nullptr, &old) != 0 || old.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void count_interrupts() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) handle(signal, count);
}

int interrupts() { return interrupt_count; }

void survive_closed_pipes() { handle(SIGPIPE, pass_over); }

}  // namespace hm::cli
