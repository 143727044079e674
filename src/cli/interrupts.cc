// SPDX-License-Identifier: MIT
#include "cli/interrupts.h"

#include <csignal>
#include <initializer_list>

namespace hm::cli {
namespace {

volatile std::sig_atomic_t interrupt_count = 0;
volatile std::sig_atomic_t first_interrupt = 0;

void count(int signal) {
  if (interrupt_count == 0) first_interrupt = signal;
  interrupt_count = interrupt_count + 1;
}

void pass_over(int /*signal*/) {}

// Uses a handler, because unlike SIG_IGN it is reset by exec: measured programs start with the original
// actions.
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

int status_after(bool interrupted, int status) {
  constexpr int kBySignal = 128;
  return interrupted && status == 0 ? kBySignal + first_interrupt : status;
}

void survive_failed_writes() {
  for (int signal : {SIGPIPE, SIGXFSZ}) handle(signal, pass_over);
}

}  // namespace hm::cli
