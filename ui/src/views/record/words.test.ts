// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { splitCommand } from "./words";

const words = (line: string): string[] => {
  const split = splitCommand(line);
  assert.ok("words" in split, line);
  return split.words;
};

test("blanks part words", () => {
  assert.deepEqual(words(""), []);
  assert.deepEqual(words(" \t\n "), []);
  assert.deepEqual(words("sleep 1"), ["sleep", "1"]);
  assert.deepEqual(words("  a\tb\n c  "), ["a", "b", "c"]);
});

test("quotes keep them together, and may stand within a word", () => {
  assert.deepEqual(words("a 'b  c' d"), ["a", "b  c", "d"]);
  assert.deepEqual(words('a "b  c" d'), ["a", "b  c", "d"]);
  assert.deepEqual(words(`--name='x y'"z 'w'"q`), ["--name=x yz 'w'q"]);
  assert.deepEqual(words(`'' "" a''`), ["", "", "a"]);
  assert.deepEqual(words("'a\nb'"), ["a\nb"]);
});

test("backslashes", () => {
  assert.deepEqual(words("a\\ b \\'c \\\\"), ["a b", "'c", "\\"]);
  assert.deepEqual(words("a\\\nb"), ["ab"]);
  assert.deepEqual(words("a \\\n b"), ["a", "b"]);
  assert.deepEqual(words("'a\\b\\'"), ["a\\b\\"]);
  assert.deepEqual(words('"a\\b \\" \\\\ \\$ \\` c\\\nd"'), ['a\\b " \\ $ ` cd']);
});

test("nothing is expanded", () => {
  assert.deepEqual(words('$HOME "$HOME" *.c ~ a|b > c; # d'), ["$HOME", "$HOME", "*.c", "~", "a|b", ">", "c;", "#", "d"]);
});

test("what is not complete is refused", () => {
  assert.deepEqual(splitCommand("a 'b"), { error: "the quote ' is not closed" });
  assert.deepEqual(splitCommand('a "b\\"'), { error: 'the quote " is not closed' });
  assert.deepEqual(splitCommand("a\\"), { error: "nothing follows the last backslash" });
});
