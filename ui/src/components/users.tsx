// SPDX-License-Identifier: MIT
// One line that several threads use: who reads and writes which bytes.
import { userText } from "../causes";
import { colourOf } from "../colours";
import { usePage } from "../context";
import { hex, percent, printable } from "../format";
import type { SharedLine } from "../schema";
import { CacheLines } from "./cache_line";

export function SharedLineDrawing({ line }: { line: SharedLine }) {
  const { theme } = usePage();
  const ranges = line.users.map((user) => ({
    offset: user.offset,
    bytes: Math.max(1, user.bytes ?? 1),
    colour: colourOf(user.thread, theme),
    text: userText(user),
  }));
  return (
    <>
      <CacheLines label={`Line ${hex(line.address)}`} lineBytes={64} lines={1} ranges={ranges} />
      <ul class="users">
        {line.users.map((user, index) => (
          <li key={index}>
            <span class="swatch" aria-hidden="true" style={{ backgroundColor: colourOf(user.thread, theme) }} />
            {printable(userText(user))}: {percent(line.samples ? user.samples / line.samples : null)}
          </li>
        ))}
      </ul>
    </>
  );
}
