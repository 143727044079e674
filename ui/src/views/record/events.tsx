// SPDX-License-Identifier: MIT
// The events of this machine to choose from: what each counts, and how well it can be had here.
import { useState } from "preact/hooks";
import { Search } from "../../components/controls";
import { filtered } from "../../components/sort";
import { countOf, printable, sentence } from "../../format";
import type { Pmu } from "./wish";
import type { MachineEvent } from "./schema";

const softwareWords: Record<MachineEvent["software"], string> = {
  exact: "exact",
  approximate: "approximate",
  none: "does not have it",
};

function Delivery({ event, pmu }: { event: MachineEvent; pmu: Pmu }) {
  const { sample } = event.hardware;
  const fits = "error" in sample ? false : true;
  return (
    <span class="delivery">
      {pmu !== "linux" && (
        <span>
          software PMU: {softwareWords[event.software]}
          {event.note && ` (${printable(event.note)})`}
        </span>
      )}
      {pmu !== "soft" && (
        <span class={fits ? undefined : "bad"}>
          hardware: {"error" in sample ? printable(sample.error) : `can be sampled${event.precise ? "" : ", not precisely"}`}
        </span>
      )}
    </span>
  );
}

interface Props {
  events: MachineEvent[];
  chosen: string[];
  pmu: Pmu;
  onChange: (chosen: string[]) => void;
}

export function EventChoice({ events, chosen, pmu, onChange }: Props) {
  const [search, setSearch] = useState("");
  const shown = filtered(events, search, (each) => `${each.name} ${each.description} ${each.group}`);
  const groups = [...new Set(shown.map((each) => each.group))];
  const toggle = (name: string, checked: boolean): void =>
    onChange(checked ? [...chosen, name] : chosen.filter((each) => each !== name));
  return (
    <section class="form-events" aria-labelledby="events-to-record">
      <h2 id="events-to-record">Events</h2>
      <div class="toolbar">
        <Search label="Search events" value={search} onChange={setSearch} />
        <span class="quiet">
          {countOf(chosen.length, "event is", "events are")} chosen{chosen.length > 0 && `: ${printable(chosen.join(", "))}`}
        </span>
      </div>
      <div class="event-list" role="region" aria-label="Events to choose from" tabIndex={0}>
        {groups.map((group) => (
          <fieldset key={group}>
            <legend>{printable(group)}</legend>
            {shown
              .filter((each) => each.group === group)
              .map((each) => (
                <div key={each.name} class="event">
                  <label>
                    <input
                      type="checkbox"
                      checked={chosen.includes(each.name)}
                      onChange={(change) => toggle(each.name, change.currentTarget.checked)}
                    />
                    <code>{printable(each.name)}</code>
                  </label>
                  <div>
                    {sentence(printable(each.description))} <Delivery event={each} pmu={pmu} />
                  </div>
                </div>
              ))}
          </fieldset>
        ))}
        {groups.length === 0 && <p class="state">No event matches.</p>}
      </div>
    </section>
  );
}
