// SPDX-License-Identifier: MIT
// Return types of functions that can fail. The library never prints or aborts: only cli/ does.
#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>
#include <variant>

namespace hm {

enum class ErrorCode {
  kInvalidArgument,  // the caller's input is wrong (an unknown event, a bad number)
  kNotFound,         // a file, program or symbol does not exist
  kPermission,       // the operating system denied access
  kUnsupported,      // valid, but this build or machine cannot do it
  kDamaged,          // input that violates its own format
  kIo,               // reading or writing failed
};

// The message states in one sentence what was tried, what was found and what the user can do.
struct Error {
  ErrorCode code;
  std::string message;
};

[[nodiscard]] Error make_error_of(ErrorCode code, fmt::string_view format, fmt::format_args args);

template <typename... Args>
[[nodiscard]] Error make_error(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return make_error_of(code, format, fmt::make_format_args(args...));
}

// Returns the system's description of an errno value.
[[nodiscard]] std::string errno_text(int error_number);

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & { return std::get<0>(state_); }
  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(state_)); }

  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }

 private:
  std::variant<T, Error> state_;
};

// Holds success or an error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error)
      : error_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return error_.index() == 0; }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const { return std::get<1>(error_); }

 private:
  std::variant<std::monostate, Error> error_;
};

}  // namespace hm
