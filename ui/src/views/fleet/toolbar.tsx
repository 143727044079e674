// SPDX-License-Identifier: MIT
// What counts: time, host, event, and of a service its release; and asking anew.
import { Choice } from "../../components/controls";
import { useChange, usePage } from "../../context";
import { useChoices } from "./ask";
import { sinceOf, spans } from "./selection";
import { releaseText, timeText } from "./words";

// `service`: "" where all are shown.
export function Toolbar({ service, withRelease = false }: { service: string; withRelease?: boolean }) {
  const { route, renew } = usePage();
  const change = useChange();
  const outcome = useChoices(service);
  const choices = outcome.state === "ready" ? outcome.answer : null;
  const since = sinceOf(route.params);
  const until = route.params.until ?? "";
  const isUsual = spans.some(([name]) => name === since) && until === "";
  const begin = /^\d+$/.test(since) ? timeText(Number(since)) : (spans.find(([name]) => name === since)?.[1] ?? since);
  const own: [string, string] = [since, `${begin} to ${until === "" ? "now" : timeText(Number(until))}`];
  // What is chosen stays to be seen where nothing of it was measured.
  const names = (all: string[], chosen: string | undefined): string[] => (chosen && !all.includes(chosen) ? [chosen, ...all] : all);
  const { host, event, release } = route.params;
  const hosts = names(choices?.hosts.map((each) => each.name) ?? [], host);
  const services = names(choices?.services.map((each) => each.name) ?? [], service);
  const releases = names(choices?.releases.map((each) => each.name).filter((name) => name !== "") ?? [], release);
  const events = names(choices?.events.map((each) => each.name).filter((name, index, all) => all.indexOf(name) === index) ?? [], event);
  return (
    <div class="toolbar" role="group" aria-label="What counts">
      <Choice label="Time" value={since} values={isUsual ? spans : [own, ...spans]} onChange={(value) => change({ since: value, until: "" })} />
      {service !== "" && (
        <Choice
          label="Service"
          value={service}
          values={services}
          onChange={(value) => change({ service: value, release: "", at_function: "", at_file: "", at_line: "", at_module: "", before: "", after: "" })}
        />
      )}
      <Choice label="Event" value={event ?? choices?.event ?? ""} values={events} onChange={(value) => change({ event: value })} />
      <Choice
        label="Host"
        value={host ?? ""}
        values={[["", `all ${hosts.length > 1 ? hosts.length : ""}`.trim()], ...hosts.map((name): [string, string] => [name, name])]}
        onChange={(value) => change({ host: value })}
      />
      {withRelease && (
        <Choice
          label="Release"
          value={release ?? ""}
          values={[["", "all"], ...releases.map((name): [string, string] => [name, releaseText(name)])]}
          onChange={(value) => change({ release: value })}
        />
      )}
      <button type="button" onClick={renew} title="Ask the store anew (u)">
        Refresh
      </button>
    </div>
  );
}
