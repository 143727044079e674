// SPDX-License-Identifier: MIT
#include "http/pages.h"

#include <gtest/gtest.h>

namespace hm::http {
namespace {

Response answer(const std::string& method, const std::string& path) {
  static const Pages pages{{"/a", [] { return text_response(200, "A"); }},
                           {"/b/c", [] { return text_response(503, "later"); }}};
  return page_response({method, path, "", {}}, pages);
}

TEST(Pages, AreFoundByTheirWholePath) {
  EXPECT_EQ(*answer("GET", "/a").body, "A");
  EXPECT_EQ(answer("GET", "/b/c").status, 503);
  for (const char* path : {"", "/", "/a/", "/b", "/b/c/d"}) {
    EXPECT_EQ(answer("GET", path).status, 404) << path;
    EXPECT_EQ(*answer("GET", path).body, "there is only /a and /b/c here\n");
  }
}

TEST(Pages, AreOnlyGot) {
  Response response = answer("POST", "/a");
  EXPECT_EQ(response.status, 405);
  EXPECT_EQ(response.headers.front().second, "GET, HEAD");
}

}  // namespace
}  // namespace hm::http
