// SPDX-License-Identifier: MIT
#include "analysis/cause/container.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>

namespace hm::cause {
namespace {

struct ContainerName {
  std::string_view begin;  // of the path (path_of)
  Container container;
};

// The names of libstdc++, libc++, Boost, Abseil, Rust's library and the JDK. The first row that fits counts.
constexpr std::array kContainerNames{
    ContainerName{"std::_Rb_tree", Container::kTree},
    ContainerName{"std::_Rb_tree_", Container::kTree},
    ContainerName{"std::__tree", Container::kTree},
    ContainerName{"std::__tree_", Container::kTree},
    ContainerName{"std::map", Container::kTree},
    ContainerName{"std::set", Container::kTree},
    ContainerName{"std::multimap", Container::kTree},
    ContainerName{"std::multiset", Container::kTree},
    ContainerName{"std::_Hashtable", Container::kHashChains},
    ContainerName{"std::_Hashtable_", Container::kHashChains},
    ContainerName{"std::__hash_table", Container::kHashChains},
    ContainerName{"std::__hash_node", Container::kHashChains},
    ContainerName{"std::__hash_node_", Container::kHashChains},
    ContainerName{"std::unordered_", Container::kHashChains},
    ContainerName{"std::__detail::_Hash_", Container::kHashChains},
    ContainerName{"std::__detail::_Hashtable_", Container::kHashChains},
    ContainerName{"std::__detail::_Map_base", Container::kHashChains},
    ContainerName{"std::__detail::_Insert", Container::kHashChains},
    ContainerName{"std::__detail::_Insert_", Container::kHashChains},
    ContainerName{"std::__detail::_Node_", Container::kHashChains},
    ContainerName{"boost::unordered::detail::foa", Container::kDense},
    ContainerName{"boost::unordered::detail", Container::kHashChains},
    ContainerName{"boost::unordered::unordered_flat_", Container::kDense},
    ContainerName{"boost::unordered::unordered_", Container::kHashChains},
    ContainerName{"std::list", Container::kList},
    ContainerName{"std::_List_", Container::kList},
    ContainerName{"std::__list_", Container::kList},
    ContainerName{"std::__detail::_List_", Container::kList},
    ContainerName{"std::forward_list", Container::kList},
    ContainerName{"std::_Fwd_list_", Container::kList},
    ContainerName{"std::_Sp_counted_ptr_inplace", Container::kSharedInPlace},
    ContainerName{"std::__shared_ptr_emplace", Container::kSharedInPlace},
    ContainerName{"std::make_shared", Container::kSharedInPlace},
    ContainerName{"std::allocate_shared", Container::kSharedInPlace},
    ContainerName{"std::_Sp_", Container::kSharedPointers},
    ContainerName{"std::shared_ptr", Container::kSharedPointers},
    ContainerName{"std::weak_ptr", Container::kSharedPointers},
    ContainerName{"std::__shared_ptr", Container::kSharedPointers},
    ContainerName{"std::__shared_ptr_", Container::kSharedPointers},
    ContainerName{"std::__shared_count", Container::kSharedPointers},
    ContainerName{"std::__shared_weak_count", Container::kSharedPointers},
    ContainerName{"std::__weak_ptr", Container::kSharedPointers},
    ContainerName{"std::__weak_count", Container::kSharedPointers},
    // Debug information may leave out the namespace of an inlined constructor.
    ContainerName{"__shared_count", Container::kSharedPointers},
    ContainerName{"__shared_ptr", Container::kSharedPointers},
    ContainerName{"std::basic_string_view", Container::kDense},
    ContainerName{"std::basic_string", Container::kString},
    ContainerName{"std::string", Container::kString},
    ContainerName{"std::vector", Container::kDense},
    ContainerName{"std::_Vector_base", Container::kDense},
    ContainerName{"std::deque", Container::kDense},
    ContainerName{"std::_Deque_", Container::kDense},
    ContainerName{"std::valarray", Container::kDense},
    ContainerName{"std::pmr::", Container::kDense},
    ContainerName{"absl::", Container::kDense},
    ContainerName{"boost::container::flat_", Container::kDense},
    ContainerName{"alloc::collections::btree", Container::kRustTree},
    ContainerName{"alloc::collections::linked_list", Container::kRustList},
    ContainerName{"alloc::rc::Rc", Container::kRustShared},
    ContainerName{"alloc::sync::Arc", Container::kRustShared},
    ContainerName{"alloc::vec::", Container::kDense},
    ContainerName{"hashbrown::", Container::kDense},
    ContainerName{"std::collections::hash", Container::kDense},
    ContainerName{"java.util.concurrent.", Container::kNone},
    ContainerName{"java.util.stream.", Container::kNone},
    ContainerName{"java.util.zip.", Container::kNone},
    ContainerName{"java.util.regex.", Container::kNone},
    ContainerName{"java.util.", Container::kJavaObjects},
    ContainerName{"java.lang.Integer", Container::kJavaObjects},
    ContainerName{"java.lang.Long", Container::kJavaObjects},
    ContainerName{"java.lang.Double", Container::kJavaObjects},
};

bool begins_with_one_of(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view each) { return text.starts_with(each); });
}

// Returns true if the path begins with the name. A name that does not end within a word has to end a word of
// the path: "std::set" is not the beginning of "std::set_union".
bool begins_with_name(std::string_view path, std::string_view name) {
  if (!path.starts_with(name)) return false;
  bool ends_a_word = std::isalnum(static_cast<unsigned char>(name.back())) != 0;
  if (!ends_a_word || path.size() == name.size()) return true;
  char next = path[name.size()];
  return std::isalnum(static_cast<unsigned char>(next)) == 0 && next != '_';
}

void erase_all(std::string& text, std::string_view part) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

// Rust writes "<alloc::rc::Rc<T> as core::ops::drop::Drop>::drop".
std::string_view without_rust_brackets(std::string_view name) {
  if (!name.starts_with('<')) return name;
  name.remove_prefix(1);
  if (name.starts_with("dyn ")) name.remove_prefix(4);
  return name.substr(0, name.find(" as "));
}

// Returns true for "main.total", "runtime.mallocgc" and "example.com/shop/cart.(*Cart).Add".
bool is_of_go(std::string_view function) {
  size_t dot = function.find('.');
  if (dot == std::string_view::npos || function.find(':') < dot) return false;
  std::string_view package = function.substr(0, dot), rest = function.substr(dot + 1);
  if (begins_with_one_of(rest, {"_", "omp", "part.", "cold", "isra.", "constprop.", "lto_"}))
    return false;  // parts that GCC and clang make of C's main(): "main._omp_fn.0"
  bool has_path =
      package.find(' ') == std::string_view::npos && function.find('/', dot) != std::string_view::npos;
  return package == "main" || package == "runtime" || has_path;
}

}  // namespace

std::string path_of(std::string_view name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)", kOperator = "operator";
  name = without_rust_brackets(name);
  std::string path;
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    std::string_view rest = name.substr(i);
    if (depth == 0 && rest.starts_with(kAnonymous)) {
      path += kAnonymous;
      i += kAnonymous.size() - 1;
    } else if (depth == 0 && rest.starts_with(kOperator) && (path.empty() || path.ends_with("::"))) {
      path += kOperator;
      break;
    } else if (name[i] == '<') {
      ++depth;
    } else if (name[i] == '>') {
      depth = std::max(depth - 1, 0);
    } else if (depth == 0 && name[i] == '(') {
      break;
    } else if (depth == 0 && name[i] == ' ') {
      path.clear();  // the return type, or "struct"
    } else if (depth == 0) {
      path += name[i];
    }
  }
  erase_all(path, "__1::");
  erase_all(path, "__cxx11::");
  return path;
}

Container container_of(std::string_view name) {
  std::string path = path_of(name);
  const auto* row = std::ranges::find_if(
      kContainerNames, [&](const auto& each) { return begins_with_name(path, each.begin); });
  return row == kContainerNames.end() ? Container::kNone : row->container;
}

Container runtime_of(std::string_view function, std::string_view dso) {
  bool collects =
      begins_with_one_of(function, {"gc_", "visit_", "untrack_", "deduce_unreachable", "subtract_refs"});
  if (begins_with_one_of(dso, {"libpython", "python"}))
    return collects ? Container::kPythonGarbage : Container::kPythonObjects;
  if (function.starts_with("JS:")) return Container::kScriptObjects;
  if (function.find("v8::internal::") != std::string_view::npos) return Container::kNodeObjects;
  return is_of_go(function) ? Container::kGoObjects : Container::kNone;
}

bool is_allocator(std::string_view function) {
  constexpr std::array<std::string_view, 18> kNames{
      "malloc",        "calloc",         "realloc",        "free",          "cfree",
      "aligned_alloc", "_int_malloc",    "_int_free",      "_int_realloc",  "malloc_consolidate",
      "unlink_chunk",  "sysmalloc",      "systrim",        "__libc_malloc", "__libc_free",
      "__libc_calloc", "__libc_realloc", "__libc_memalign"};
  std::string_view name = function.substr(0, function.find_first_of("@."));  // "cfree@GLIBC_2.2.5"
  return std::ranges::find(kNames, name) != kNames.end() ||
         begins_with_one_of(name, {"tcache_", "je_arena", "je_malloc", "je_free", "je_tcache",
                                   "tcmalloc::", "mi_malloc", "mi_free", "mi_heap_", "_mi_"});
}

bool iterates(std::string_view name) {
  std::string path = path_of(name);
  constexpr std::array<std::string_view, 8> kParts{"_increment", "_decrement", "_M_erase",  "_next",
                                                   "_prev",      "destroy",    "_iterator", "_M_copy"};
  return std::ranges::any_of(kParts, [&](auto part) { return path.find(part) != std::string::npos; });
}

bool is_of_library(std::string_view name) {
  constexpr std::array<std::string_view, 19> kStrings{"memcpy",  "memmove",   "memset",  "memcmp", "memchr",
                                                      "memrchr", "rawmemchr", "mempcpy", "strlen", "strcmp",
                                                      "strncmp", "strcpy",    "strncpy", "strcat", "strchr",
                                                      "strrchr", "strstr",    "strnlen", "bcmp"};
  std::string path = path_of(name);
  return std::ranges::find(kStrings, path) != kStrings.end() || is_allocator(path) ||
         begins_with_one_of(
             path, {"std::", "__gnu_cxx::", "operator",
                    "boost::", "absl::", "alloc::", "core::", "hashbrown::", "__mem", "__str", "__builtin_",
                    "java.", "exchange_malloc", "__rust_", "__rdl_", "allocate_shared", "shared_ptr"}) ||
         path == "allocate";
}

}  // namespace hm::cause
