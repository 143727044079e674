// SPDX-License-Identifier: MIT
#include "base/shell_word.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

namespace hm {
namespace {

std::string as_a_shell_reads(const std::string& word) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(("printf %s " + word).c_str(), "r"), &::pclose);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) text += static_cast<char>(c);
  return text;
}

TEST(ShellWord, IsReadAsItWas) {
  for (const char* text :
       {"plain", "", "two words", "somebody's \"größer\"", "$HOME `ls` \\ * ; & | > #", "a\nb"})
    EXPECT_EQ(as_a_shell_reads(shell_word(text)), text);
}

}  // namespace
}  // namespace hm
