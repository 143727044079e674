// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import type { FlameNode } from "../../schema";
import { boxesOf, inverted, matchedShare, neighboursOf, nodeAt, parentPath } from "./tree";

function node(name: string, self: number, children: FlameNode[] = []): FlameNode {
  const events = self + children.reduce((sum, each) => sum + each.events, 0);
  return { function: name, kind: "function", dso: "x", events, self_events: self, children };
}

const tree = node("all", 0, [node("main", 10, [node("walk", 60), node("sort", 10, [node("walk", 20)])])]);

test("boxes lie within their callers", () => {
  const boxes = boxesOf(tree, "", 0);
  assert.deepEqual(boxes.map((box) => [box.node.function, box.depth, box.begin, box.end]), [
    ["all", 0, 0, 1],
    ["main", 1, 0, 1],
    ["walk", 2, 0, 0.6],
    ["sort", 2, 0.6, 0.8999999999999999],
    ["walk", 3, 0.6, 0.8],
  ]);
});

test("a zoom shows the callers in full width, and narrow boxes are left out", () => {
  const boxes = boxesOf(tree, "0.1", 0);
  assert.deepEqual(boxes.map((box) => box.path), ["", "0", "0.1", "0.1.0"]);
  assert.equal(boxes[2]?.end, 1);
  assert.equal(boxesOf(tree, "", 0.5).length, 3);
  assert.equal(boxesOf(node("all", 0), "", 0).length, 1);
});

test("from the leaves, callers stand below", () => {
  const leaves = inverted(tree);
  assert.equal(leaves.events, 100);
  assert.deepEqual(leaves.children.map((each) => [each.function, each.events]), [["walk", 80], ["main", 10], ["sort", 10]]);
  assert.deepEqual(leaves.children[0]?.children.map((each) => each.function), ["main", "sort"]);
});

test("callers and callees of a function", () => {
  const found = neighboursOf(tree, "walk", null);
  assert.deepEqual([found.events, found.self], [80, 80]);
  assert.deepEqual(found.callers.map((each) => [each.function, each.events]), [["main", 60], ["sort", 20]]);
  assert.deepEqual(neighboursOf(tree, "main", "x").callees.map((each) => each.function), ["walk", "sort"]);
  const recursive = node("all", 0, [node("f", 1, [node("f", 2, [node("g", 3)])])]);
  const outermost = neighboursOf(recursive, "f", null);
  assert.deepEqual([outermost.events, outermost.self, outermost.callees[0]?.events], [6, 3, 3]);
});

test("processes and threads are no callers", () => {
  const owner = (kind: "process" | "thread", child: FlameNode): FlameNode => ({ ...node(`${kind} (7)`, 0, [child]), kind });
  const owned = node("all", 0, [owner("process", owner("thread", node("main", 10, [node("walk", 60)])))]);
  assert.deepEqual(neighboursOf(owned, "main", null).callers, []);
  assert.deepEqual(neighboursOf(owned, "walk", null).callers.map((each) => each.function), ["main"]);
  assert.equal(neighboursOf(owned, "thread (7)", null).events, 0);
  assert.deepEqual(boxesOf(owned, "", 0).map((box) => box.node.kind), ["function", "process", "thread", "function", "function"]);
});

test("paths and searches", () => {
  assert.equal(nodeAt(tree, "0.1.0").length, 4);
  assert.equal(nodeAt(tree, "7").length, 1);
  assert.equal(parentPath("0.1"), "0");
  assert.equal(parentPath("0"), "");
  assert.equal(matchedShare(tree, "WALK"), 0.8);
});
