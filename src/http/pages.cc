// SPDX-License-Identifier: MIT
#include "http/pages.h"

#include <utility>

namespace hm::http {

Response page_response(const Request& request, const Pages& pages) {
  auto page = pages.find(request.path);
  if (page == pages.end()) {
    std::string paths;
    for (const auto& [path, unused] : pages) paths += (paths.empty() ? "" : " and ") + path;
    return text_response(404, "there is only " + paths + " here\n");
  }
  if (request.method == "GET") return page->second();
  Response response = text_response(405, "only GET is supported here\n");
  response.headers.emplace_back("Allow", "GET, HEAD");
  return response;
}

}  // namespace hm::http
