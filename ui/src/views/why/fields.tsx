// SPDX-License-Identifier: MIT
// The fields of the type that is walked over: which are used here together, which elsewhere.
import { printable } from "../../format";
import type { Place } from "../../schema";

const words: Record<string, string> = {
  together: "used here together",
  others: "used elsewhere",
  not_met: "not met in any sample",
};

export function Fields({ place }: { place: Place }) {
  const order = place.field_order;
  if (!order) return null;
  const groups = (["together", "others", "not_met"] as const).filter((name) => order[name].length > 0);
  return (
    <>
      <h3>Fields in the order that would serve this place</h3>
      <ul class="fields">
        {groups.flatMap((group) =>
          order[group].map((field) => (
            <li key={`${group}/${field}`} class={`field field-${group}`}>
              <code>{printable(field)}</code> <span>{words[group]}</span>
            </li>
          )),
        )}
      </ul>
    </>
  );
}
