// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hm::symbol {

/// Returns a function name without compiler-generated parts, which may change from build to build. `function`
/// is a symbol name, demangled if possible.
///
/// Removes the suffixes of clones (".constprop.0", ".isra.0", ".part.0", ".cold", ".llvm.123", ".lto_priv.0",
/// "[clone .isra.0]"), the hashes of Rust functions, the stamps of OCaml and Nim, the numbers of lambdas in
/// C++ and Rust, and "(anonymous namespace)::". Keeps OpenMP regions ("._omp_fn.1") and unknown suffixes,
/// because they are distinct code. Returns the name unchanged if the result would be empty.
[[nodiscard]] std::string source_name(std::string_view function);

}  // namespace hm::symbol
