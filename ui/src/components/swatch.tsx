// SPDX-License-Identifier: MIT
// The colour of a function, beside its name.
import { colourOf } from "../colours";
import { usePage } from "../context";

export function Swatch({ name }: { name: string }) {
  const { theme } = usePage();
  return <span class="swatch" aria-hidden="true" style={{ backgroundColor: colourOf(name, theme) }} />;
}
