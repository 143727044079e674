// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { actionOf as actionOfViews } from "./keys";
import { storeViews, viewNames, viewsOf } from "./router";

const actionOf = (pressed: Parameters<typeof actionOfViews>[0], inText: boolean) => actionOfViews(pressed, inText, viewNames);

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

test("keys of a store", () => {
  const of = (key: string) => actionOfViews(press(key), false, storeViews);
  assert.deepEqual(of("1"), { kind: "open", view: "fleet" });
  assert.deepEqual(of("s"), { kind: "open", view: "service" });
  assert.deepEqual(of("u"), { kind: "renew" });
  assert.equal(of("6"), null);
  assert.equal(actionOfViews(press("r"), false, viewsOf(false, false)), null);
  assert.equal(actionOfViews(press("u"), false, viewNames), null);
});

test("no keys while text is typed, or for the browser", () => {
  assert.equal(actionOf(press("1"), true), null);
  assert.deepEqual(actionOf(press("Escape"), true), { kind: "close" });
  assert.equal(actionOf(press("l", { ctrlKey: true }), false), null);
});
