// SPDX-License-Identifier: MIT
// What stands above the views: choices and the search.
import { printable } from "../format";

interface ChoiceProps {
  label: string;
  value: string;
  values: readonly (string | [string, string])[];
  onChange: (value: string) => void;
}

export function Choice({ label, value, values, onChange }: ChoiceProps) {
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {values.map((each) => {
          const [name, text] = typeof each === "string" ? [each, each] : each;
          return (
            <option key={name} value={name}>
              {printable(text)}
            </option>
          );
        })}
      </select>
    </label>
  );
}

export function Search({ value, onChange, label = "Search" }: { value: string; onChange: (text: string) => void; label?: string }) {
  return (
    <label class="choice">
      <span>{label}</span>
      <input
        type="search"
        data-search=""
        value={value}
        placeholder="press /"
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
