// SPDX-License-Identifier: MIT
// One thread sends real-time signals to another one without a pause, until SIGTERM. Exits with 0 and prints
// "all right" if each signal came once, and those of one number in order.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { kNumbers = 3, kMaxWaiting = 50, kTimeoutS = 60 };

static atomic_int sent[kNumbers], taken[kNumbers], wrong, over;
static pthread_t receiver;

static void on_signal(int number, siginfo_t* info, void* context) {
  (void)context;
  atomic_int* count = &taken[number - SIGRTMIN];
  if (info->si_value.sival_int != *count) ++wrong;
  ++*count;
}

static void on_end(int number) {
  (void)number;
  over = 1;
}

static int waiting(void) {
  int sum = 0;
  for (int i = 0; i < kNumbers; ++i) sum += sent[i] - taken[i];
  return sum;
}

static void* send_signals(void* unused) {
  for (unsigned i = 0; !over; ++i) {
    while (waiting() > kMaxWaiting && !over) sched_yield();
    int which = (int)(i * 2654435761u >> 16) % kNumbers;
    union sigval value = {.sival_int = sent[which]};
    if (pthread_sigqueue(receiver, SIGRTMIN + which, value) == 0) ++sent[which];
  }
  return unused;
}

int main(void) {
  pthread_t sender;
  receiver = pthread_self();
  signal(SIGTERM, on_end);
  for (int i = 0; i < kNumbers; ++i) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGRTMIN + i, &action, NULL);
  }
  if (pthread_create(&sender, NULL, send_signals, NULL) != 0) return 2;
  volatile uint64_t sum = 1;
  while (!over) sum = sum * 3 + 1;
  pthread_join(sender, NULL);
  time_t end = time(NULL) + kTimeoutS;
  while (waiting() != 0 && time(NULL) < end) sched_yield();
  if (wrong != 0 || waiting() != 0)
    printf("signal_storm: %d in another order, %d lost\n", wrong, waiting());
  else
    printf("all right: %d signals of the first number\n", taken[0]);
  return wrong != 0 || waiting() != 0;
}
