// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "view/screen/picture.h"

namespace hm::screen {

// The terminal, taken over: its lines come back when this goes. One at a time, and only where standard output
// and input are a terminal.
class Terminal {
 public:
  Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  // Whether the terminal can do it: TERM names one that is known.
  [[nodiscard]] bool works() const { return works_; }
  [[nodiscard]] Size size() const;
  void show(const Picture& picture);
  // What is pressed next; kNone where nothing is for so long, or a signal came.
  [[nodiscard]] int wait(int milliseconds);

 private:
  struct Closer;

  bool works_ = false;
  std::unique_ptr<Closer> closer_;
};

}  // namespace hm::screen
