// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hm::symbol {

/// Returns the name of a function without what compilers add to it and may number differently in the next
/// build. `function` is a symbol's name, demangled where it can be.
///
/// Clones lose their suffix (".constprop.0", ".isra.0", ".part.0", ".cold", ".llvm.123", ".lto_priv.0",
/// "[clone .isra.0]"), Rust's functions their hash, OCaml's and Nim's their stamp, and C++'s and Rust's
/// lambdas their number; "(anonymous namespace)::" is left out. Bodies of OpenMP regions ("._omp_fn.1") and
/// suffixes that are not known stay: they are code of their own. A name stays if nothing else is left of it.
[[nodiscard]] std::string source_name(std::string_view function);

}  // namespace hm::symbol
