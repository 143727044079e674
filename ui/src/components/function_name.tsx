// SPDX-License-Identifier: MIT
// The function of a place; if it is inlined, with the function whose symbol has its code.
import { writtenFunction, type Spot } from "../causes";
import { printable } from "../format";

export function FunctionName({ spot }: { spot: Spot }) {
  const name = writtenFunction(spot);
  const title = spot.inlined ? `${spot.inlined}, inlined into ${spot.function}` : spot.function;
  return (
    <span title={printable(title)}>
      <code>{printable(name)}</code>
      {spot.inlined && (
        <span class="quiet">
          {" "}
          in <code>{printable(spot.function)}</code>
        </span>
      )}
    </span>
  );
}
