// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { runsOf } from "./runs";

test("branches in a row are one", () => {
  const left = (name: string, isNew: boolean) => ({ function: name, new: isNew });
  assert.deepEqual(runsOf([]), []);
  assert.deepEqual(runsOf([left("a", false), left("a", false), left("a", true), left("b", true), left("a", true)]), [
    { function: "a", isNew: false, times: 2 },
    { function: "a", isNew: true, times: 1 },
    { function: "b", isNew: true, times: 1 },
    { function: "a", isNew: true, times: 1 },
  ]);
});
