// SPDX-License-Identifier: MIT
#include "analysis/cause/container.h"

#include <gtest/gtest.h>

namespace hm::cause {
namespace {

TEST(PathOf, LeavesOutArgumentsAndReturnTypes) {
  EXPECT_EQ(
      path_of("std::pair<std::_Rb_tree_iterator<int>, bool> std::_Rb_tree<int, int>::_M_insert<int>(int&&)"),
      "std::_Rb_tree::_M_insert");
  EXPECT_EQ(path_of("std::__cxx11::list<int, std::allocator<int> >::sort()"), "std::list::sort");
  EXPECT_EQ(path_of("(anonymous namespace)::find(int)"), "(anonymous namespace)::find");
  EXPECT_EQ(path_of("std::operator< <char>(int)"), "std::operator");
  EXPECT_EQ(path_of("struct node"), "node");
  EXPECT_EQ(path_of("<alloc::rc::Rc<T> as core::ops::drop::Drop>::drop"), "alloc::rc::Rc");
  EXPECT_EQ(path_of("<hashbrown::raw::RawTable<T>>::find"), "hashbrown::raw::RawTable::find");
  EXPECT_EQ(path_of("java.lang.Object java.util.HashMap.get(java.lang.Object)"), "java.util.HashMap.get");
}

TEST(ContainerOf, LibrariesNames) {
  EXPECT_EQ(container_of("std::_Rb_tree_increment(std::_Rb_tree_node_base*)"), Container::kTree);
  EXPECT_EQ(container_of("std::__1::__tree<int>::find(int)"), Container::kTree);
  EXPECT_EQ(container_of("std::_Hashtable<int, int>::_M_find_before_node(unsigned long)"),
            Container::kHashChains);
  EXPECT_EQ(container_of("std::__1::__hash_table<int>::find"), Container::kHashChains);
  EXPECT_EQ(container_of("std::_List_node<long>"), Container::kList);
  EXPECT_EQ(container_of("std::_Sp_counted_base<(__gnu_cxx::_Lock_policy)2>::_M_release()"),
            Container::kSharedPointers);
  EXPECT_EQ(container_of("std::__cxx11::basic_string<char>::compare(char const*)"), Container::kString);
  EXPECT_EQ(container_of("std::vector<int, std::allocator<int> >::push_back(int&&)"), Container::kDense);
  EXPECT_EQ(container_of("absl::flat_hash_map<int, int>::find"), Container::kDense);
  EXPECT_EQ(container_of("alloc::collections::btree::map::BTreeMap<K,V>::get"), Container::kRustTree);
  EXPECT_EQ(container_of("main"), Container::kNone);
  EXPECT_EQ(container_of("std::sort"), Container::kNone);
  EXPECT_EQ(container_of("mystd::list::walk"), Container::kNone);
  for (const char* other :
       {"std::set_union<int*>", "std::basic_stringbuf<char>::overflow", "std::string_view",
        "std::__shared_mutex_pthread::lock", "java.util.concurrent.FutureTask.run"})
    EXPECT_EQ(container_of(other), Container::kNone) << other;
  EXPECT_EQ(container_of("boost::unordered::detail::foa::table<int>::find"), Container::kDense);
  EXPECT_EQ(container_of("java.util.HashMap.get"), Container::kJavaObjects);
}

TEST(RuntimeOf, OnlyTheRuntimesOwnFiles) {
  EXPECT_EQ(runtime_of("_PyEval_EvalFrameDefault", "libpython3.11.so.1.0"), Container::kPythonObjects);
  EXPECT_EQ(runtime_of("visit_decref", "python3.11"), Container::kPythonGarbage);
  EXPECT_EQ(runtime_of("JS:*total /a/objects.js:8:15", "perf-7.map"), Container::kScriptObjects);
  EXPECT_EQ(runtime_of("v8::internal::Scavenger::Process(v8::JobDelegate*)", "node"),
            Container::kNodeObjects);
  EXPECT_EQ(runtime_of("OPENSSL_LH_doall_arg", "node"), Container::kNone) << "not V8";
  EXPECT_EQ(runtime_of("main.total", "tree"), Container::kGoObjects);
  EXPECT_EQ(runtime_of("example.com/shop/cart.(*Cart).Add", "shop"), Container::kGoObjects);
  for (const char* part : {"walk.part.0", "main._omp_fn.0", "main.omp_outlined", "main.cold", "main.part.0"})
    EXPECT_EQ(runtime_of(part, "program"), Container::kNone) << part;
  EXPECT_EQ(runtime_of("main", "program"), Container::kNone);
}

TEST(IsAllocator, NotTheProgramsOwnFunctions) {
  EXPECT_TRUE(is_allocator("_int_free"));
  EXPECT_TRUE(is_allocator("cfree@GLIBC_2.2.5"));
  for (const char* own : {"free_list_of", "freeTree", "freeze", "mi_rkey", "mallocMatrix", "callocate"})
    EXPECT_FALSE(is_allocator(own)) << own;
  EXPECT_TRUE(is_allocator("malloc"));
  EXPECT_FALSE(is_allocator("main"));
}

TEST(IsOfLibrary, NotTheProgramsOwnFunctions) {
  for (const char* own : {"strategy", "stream_read", "struct_new", "memo_find", "members", "allocate_page"})
    EXPECT_FALSE(is_of_library(own)) << own;
  for (const char* library : {"memcpy", "strlen", "std::sort", "malloc", "operator new(unsigned long)"})
    EXPECT_TRUE(is_of_library(library)) << library;
}

TEST(Iterates, WalksNotLookUps) {
  EXPECT_TRUE(iterates("std::_Rb_tree_increment"));
  EXPECT_FALSE(iterates("std::_Rb_tree::_M_lower_bound"));
}

}  // namespace
}  // namespace hm::cause
