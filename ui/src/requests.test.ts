// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import * as requests from "./requests";

test("names of answers in a file", () => {
  const key = requests.keyOfRequest;
  assert.equal(key(requests.recordings()), "recordings");
  assert.equal(key(requests.totals(0)), "totals?recording=0");
  assert.equal(key(requests.hotspots(1, "line")), "hotspots?callers=0&limit=1000&recording=1&sort=line");
  assert.equal(key(requests.explain(0)), "explain?limit=20&min_share=0.5&recording=0");
  assert.equal(key(requests.annotate(0, "a<b>::c(int&)", "x.so")), "annotate?dso=x.so&function=a<b>::c(int&)&recording=0");
  assert.equal(key(requests.annotate(0, "f", null)), "annotate?function=f&recording=0");
  assert.equal(key(requests.flame(0, "l1")), "flame?event=l1&inverted=0&limit=12000&processes=1&recording=0");
  assert.equal(key(requests.timeline(0, "l1", "cpu")), "timeline?by=cpu&columns=400&event=l1&recording=0");
  assert.equal(key(requests.occupancy(0)), "occupancy?cells=200&recording=0");
  assert.equal(key(requests.cacheMap(0, "l2")), "map?columns=160&level=l2&recording=0");
  assert.equal(key(requests.sizes(0)), "sizes?by=function&limit=20&recording=0");
  assert.equal(key(requests.fleetRows({ service: "s", host: "" }, 9)), "fleet_rows?limit=9&service=s");
  assert.equal(key(requests.fleet({ host: "" })), "fleet");
  assert.equal(key(requests.diff(0, 1, "function")), "diff?after=1&before=0&sort=function");
});

test("addresses are escaped", () => {
  assert.equal(requests.addressOf(requests.recordings()), "api/recordings");
  assert.equal(
    requests.addressOf(requests.annotate(0, "a&b=c #?ä", null)),
    "api/annotate?function=a%26b%3Dc%20%23%3F%C3%A4&recording=0",
  );
});
