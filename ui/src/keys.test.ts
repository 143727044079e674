// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { actionOf } from "./keys";

const press = (key: string, held: Partial<{ ctrlKey: boolean }> = {}) => ({ key, ctrlKey: false, altKey: false, metaKey: false, ...held });

test("keys", () => {
  assert.deepEqual(actionOf(press("1"), false), { kind: "open", view: "summary" });
  assert.deepEqual(actionOf(press("8"), false), { kind: "open", view: "compare" });
  assert.deepEqual(actionOf(press("l"), false), { kind: "open", view: "timeline" });
  assert.deepEqual(actionOf(press("/"), false), { kind: "search" });
  assert.deepEqual(actionOf(press("?"), false), { kind: "help" });
  assert.deepEqual(actionOf(press("j"), false), { kind: "row", step: 1 });
  assert.deepEqual(actionOf(press("9"), false), { kind: "open", view: "record" });
  assert.equal(actionOf(press("0"), false), null);
  assert.equal(actionOf(press("q"), false), null);
});

test("no keys while text is typed, or for the browser", () => {
  assert.equal(actionOf(press("1"), true), null);
  assert.deepEqual(actionOf(press("Escape"), true), { kind: "close" });
  assert.equal(actionOf(press("l", { ctrlKey: true }), false), null);
});
