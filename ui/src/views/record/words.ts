// SPDX-License-Identifier: MIT
// A command line as words, as a POSIX shell splits it: quotes and backslashes; nothing is expanded.

export type Split = { words: string[] } | { error: string };

interface Piece {
  text: string;
  next: number;
}

// Behind the opening quote. null: it is not closed.
function singleQuoted(line: string, begin: number): Piece | null {
  const end = line.indexOf("'", begin);
  return end < 0 ? null : { text: line.slice(begin, end), next: end + 1 };
}

// In these a backslash is one, unless a character behind it needs it.
function doubleQuoted(line: string, begin: number): Piece | null {
  let text = "";
  for (let at = begin; at < line.length; ++at) {
    const letter = line.charAt(at);
    const behind = line.charAt(at + 1);
    if (letter === '"') return { text, next: at + 1 };
    if (letter === "\\" && behind !== "" && '$`"\\\n'.includes(behind)) {
      if (behind !== "\n") text += behind;
      at += 1;
    } else text += letter;
  }
  return null;
}

export function splitCommand(line: string): Split {
  const words: string[] = [];
  let word: string | null = null;
  let at = 0;
  while (at < line.length) {
    const letter = line.charAt(at);
    if (letter === "'" || letter === '"') {
      const piece = letter === "'" ? singleQuoted(line, at + 1) : doubleQuoted(line, at + 1);
      if (!piece) return { error: `the quote ${letter} is not closed` };
      word = (word ?? "") + piece.text;
      at = piece.next;
    } else if (letter === "\\") {
      if (at + 1 === line.length) return { error: "nothing follows the last backslash" };
      if (line[at + 1] !== "\n") word = (word ?? "") + line.charAt(at + 1);
      at += 2;
    } else if (letter === " " || letter === "\t" || letter === "\n") {
      if (word !== null) words.push(word);
      word = null;
      at += 1;
    } else {
      word = (word ?? "") + letter;
      at += 1;
    }
  }
  if (word !== null) words.push(word);
  return { words };
}
