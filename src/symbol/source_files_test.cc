// SPDX-License-Identifier: MIT
#include "symbol/source_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "base/temporary_folder.h"
#include "symbol/files/debuginfod.h"

namespace hm::symbol {
namespace {

TEST(SourceRules, TheLongestFolderWins) {
  const SourceRules rules{"/build=/home/me", "/build/x/=/src/x/", "/build/x=/y",
                          ".=/here",         "/proc/self/cwd=",   "/rustc/a=/"};
  EXPECT_EQ(apply_source_rules(rules, "/build/p.c"), "/home/me/p.c");
  EXPECT_EQ(apply_source_rules(rules, "/build/x/p.c"), "/y/p.c");  // the last of two equal ones
  EXPECT_EQ(apply_source_rules(rules, "/build"), "/home/me");
  EXPECT_EQ(apply_source_rules(rules, "/builder/p.c"), "/builder/p.c");
  EXPECT_EQ(apply_source_rules(rules, "./p.c"), "/here/p.c");
  EXPECT_EQ(apply_source_rules(rules, "/proc/self/cwd/src/p.c"), "src/p.c");
  EXPECT_EQ(apply_source_rules(rules, "/rustc/a/library/p.rs"), "/library/p.rs");
  EXPECT_EQ(apply_source_rules({"/=/mnt/image"}, "/usr/src/p.c"), "/mnt/image/usr/src/p.c");
  EXPECT_EQ(apply_source_rules({}, "p.c"), "p.c");
  EXPECT_EQ(apply_source_rules({"/a=b=c"}, "/a/p.c"), "b=c/p.c");
}

TEST(SourceRules, OthersAreRefused) {
  for (const char* wrong : {"", "/build", "=/x", "="}) EXPECT_NE(check_source_rule(wrong), "") << wrong;
  for (const char* right : {"/a=/b", "/a=", ".=x"}) EXPECT_EQ(check_source_rule(right), "") << right;
}

class SourceFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* variable : {"DEBUGINFOD_URLS", "GOPATH", "GOROOT", "RUSTUP_HOME"}) ::unsetenv(variable);
    ::setenv("GOMODCACHE", folder_.file("cache").c_str(), 1);
  }
  void TearDown() override { ::unsetenv("GOMODCACHE"); }

  std::string write(const std::string& name) {
    std::filesystem::path path = folder_.file(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "text\n";
    return path;
  }
  SourceFiles files(SourceRules rules = {}) {
    return SourceFiles({.rules = std::move(rules), .folder = folder_.file("work")}, servers_);
  }
  // Returns "" if there is none, and begins with "guessed " if it was guessed.
  std::string found(SourceFiles& files, const std::string& recorded) {
    std::optional<SourceFile> file = files.find(files.mapped(recorded), "");
    return !file ? "" : (file->guessed ? "guessed " : "") + file->path;
  }

  TemporaryFolder folder_;
  Debuginfod servers_{Debuginfod::usual_patience()};
};

TEST_F(SourceFilesTest, TheRecordedPathIsTakenIfItIsThere) {
  std::string here = write("elsewhere/p.c");
  write("work/p.c");
  SourceFiles plain = files();
  EXPECT_EQ(found(plain, here), here);
  EXPECT_EQ(found(plain, folder_.file("elsewhere")), "");  // a folder
  EXPECT_EQ(found(plain, ""), "");
}

TEST_F(SourceFilesTest, ARuleNamesTheFolder) {
  std::string here = write("elsewhere/src/p.c");
  SourceFiles mapped = files({"/build/x=" + std::string(folder_.file("elsewhere"))});
  EXPECT_EQ(found(mapped, "/build/x/src/p.c"), here);
  EXPECT_EQ(found(mapped, "/build/y/src/p.c"), "");
}

TEST_F(SourceFilesTest, TheLongestCommonTailIsGuessed) {
  std::string store = write("work/a/store/main.c"), shop = write("work/b/shop/main.c");
  std::string one = write("work/deep/er/one.c");
  write("work/.git/two.c");
  write("work/x/twin.c");
  write("work/y/twin.c");
  SourceFiles plain = files();
  EXPECT_EQ(found(plain, "/build/a/store/main.c"), "guessed " + store);
  EXPECT_EQ(found(plain, "/proc/self/cwd/shop/main.c"), "guessed " + shop);
  EXPECT_EQ(found(plain, "./er/../er/one.c"), "guessed " + one);
  EXPECT_EQ(found(plain, "C:/one.c"), "guessed " + one);
  EXPECT_EQ(found(plain, "/build/twin.c"), "");  // two are as good
  EXPECT_EQ(found(plain, "/build/two.c"), "");
  EXPECT_EQ(found(plain, "/build/three.c"), "");
}

TEST_F(SourceFilesTest, GoModulesAreInTheCache) {
  std::string file = write("cache/github.com/!burnt!sushi/toml@v1.2.3/Decode.go");
  write("work/Decode.go");
  SourceFiles plain = files();
  EXPECT_EQ(found(plain, "github.com/BurntSushi/toml@v1.2.3/Decode.go"), file);
  EXPECT_EQ(found(plain, "/home/other/go/pkg/mod/github.com/!burnt!sushi/toml@v1.2.3/Decode.go"), file);
  EXPECT_EQ(found(plain, "github.com/BurntSushi/toml@v1.2.4/Decode.go"),
            "guessed " + std::string(folder_.file("work/Decode.go")));
  EXPECT_EQ(found(plain, "../toml@v1.2.3/secret.go"), "");
}

TEST_F(SourceFilesTest, ToolchainsHaveTheirSources) {
  std::string rust = write("rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/str.rs");
  std::string go = write("goroot/src/runtime/unusual_name.go");
  ::setenv("RUSTUP_HOME", folder_.file("rustup").c_str(), 1);
  ::setenv("GOROOT", folder_.file("goroot").c_str(), 1);
  SourceFiles plain = files();
  EXPECT_EQ(found(plain, "/rustc/" + std::string(40, 'a') + "/library/core/src/str.rs"), "guessed " + rust);
  EXPECT_EQ(found(plain, "/rustc/" + std::string(40, 'a') + "/../../secret.rs"), "");
  EXPECT_EQ(found(plain, "/opt/hostedtoolcache/go/1.99/x64/src/runtime/unusual_name.go"), "guessed " + go);
  EXPECT_EQ(found(plain, "runtime/unusual_name.go"), "guessed " + go);
  ::unsetenv("RUSTUP_HOME");
  ::unsetenv("GOROOT");
}

}  // namespace
}  // namespace hm::symbol
