// SPDX-License-Identifier: MIT
// The type that is walked over: which of its fields are used here together, which elsewhere, and where they lie.
import { otherColour, paletteOf } from "../../colours";
import { CacheLines } from "../../components/cache_line";
import { usePage } from "../../context";
import { printable } from "../../format";
import type { FieldOrder, Place } from "../../schema";
import { rangesOf, usedOf, useWords } from "./layout";

const lineBytes = 64;
const mostLines = 8;

function LinesOfType({ order }: { order: FieldOrder }) {
  const { theme } = usePage();
  const palette = paletteOf(theme);
  const lines = Math.ceil(order.bytes / lineBytes);
  const used = usedOf(order, lineBytes);
  return (
    <>
      <h3>
        The cache lines of <code>{printable(order.type)}</code>
      </h3>
      <CacheLines
        label={`Fields of ${printable(order.type)} in cache lines`}
        lineBytes={lineBytes}
        lines={Math.min(lines, mostLines)}
        ranges={rangesOf(order, { together: palette.accent, others: palette.bar, not_met: otherColour(theme) })}
      />
      <p class="quiet">
        Of {order.bytes} bytes in {lines === 1 ? "1 line" : `${lines} lines`} this place uses {used.bytes}, in{" "}
        {used.lines === 1 ? "1 line" : `${used.lines} lines`}. Drawn as if the type began at a line's first byte
        {lines > mostLines ? `; the first ${mostLines} lines.` : "."}
      </p>
    </>
  );
}

export function Fields({ place }: { place: Place }) {
  const order = place.field_order;
  if (!order) return null;
  const groups = (["together", "others", "not_met"] as const).filter((name) => order[name].length > 0);
  return (
    <>
      <LinesOfType order={order} />
      <h3>Best order of the fields for this location</h3>
      <ul class="fields">
        {groups.flatMap((group) =>
          order[group].map((field) => (
            <li key={`${group}/${field}`} class={`field field-${group}`}>
              <code>{printable(field)}</code> <span>{useWords[group]}</span>
            </li>
          )),
        )}
      </ul>
    </>
  );
}
