// SPDX-License-Identifier: MIT
// A line of code: cut with a mark if it is too long for a wide window, wrapped in a narrow one and in the marked row.
import { printable } from "../../format";

export function CodeCell({ text }: { text: string }) {
  const shown = printable(text);
  return (
    <td class="code line-of-code" title={shown}>
      {shown}
    </td>
  );
}
