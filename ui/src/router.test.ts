// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { linkFrom, linkTo, linkWith, parseRoute, recordingOf, viewsOf } from "./router";

test("a link brings back the same place", () => {
  const route = { view: "source" as const, params: { function: "operator<< (a & b)", line: "/x/ä b.c:7", recording: "1" } };
  assert.deepEqual(parseRoute(linkTo(route)), route);
});

test("what is not known opens the summary", () => {
  assert.deepEqual(parseRoute(""), { view: "summary", params: {} });
  assert.equal(parseRoute("#/nowhere?event=x").view, "summary");
  assert.deepEqual(parseRoute("#/map"), { view: "map", params: {} });
});

test("other views keep the recording and the event", () => {
  const route = parseRoute("#/hotspots?event=l1&recording=2&search=x&sort=line");
  assert.equal(linkFrom(route, "why"), "#/why?event=l1&recording=2");
  assert.equal(linkFrom(route, "source", { function: "f" }), "#/source?event=l1&function=f&recording=2");
});

test("changes within a view", () => {
  const route = parseRoute("#/hotspots?sort=line&search=x");
  assert.equal(linkWith(route, { search: "", sort: "type" }), "#/hotspots?sort=type");
});

test("views of a store keep what counts", () => {
  const route = parseRoute("#/service?service=shop&since=7d&host=a&sort=line&search=x&at_line=8");
  assert.equal(linkFrom(route, "trend"), "#/trend?at_line=8&host=a&service=shop&since=7d");
  assert.deepEqual(viewsOf(true, false), ["fleet", "service", "place", "trend", "releases"]);
  assert.equal(viewsOf(false, true).at(-1), "record");
  assert.equal(viewsOf(false, false).at(-1), "compare");
});

test("the recording", () => {
  assert.equal(recordingOf(parseRoute("#/map?recording=3")), 3);
  assert.equal(recordingOf(parseRoute("#/map?recording=-1")), 0);
  assert.equal(recordingOf(parseRoute("#/map?recording=x")), 0);
});
