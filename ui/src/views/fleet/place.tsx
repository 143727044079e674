// SPDX-License-Identifier: MIT
// One function or line: how often over time, and why, on what, where and in which release.
import { Nothing, Ready } from "../../components/states";
import { usePage } from "../../context";
import { countOf, percent, printable } from "../../format";
import { linkFrom } from "../../router";
import { useRows } from "./ask";
import { NothingMeasured, Trend } from "./parts";
import { FleetRows } from "./rows";
import type { Spot } from "./selection";
import { Toolbar } from "./toolbar";
import { spotText } from "./words";
import { useService, useSpot } from "./worst";

const parts: [string, string][] = [
  ["class", "Why it misses"],
  ["object", "On what"],
  ["host", "On which machines"],
  ["release", "In which releases"],
];

function Part({ service, spot, sort, title }: { service: string; spot: Spot; sort: string; title: string }) {
  const outcome = useRows(service, sort, spot);
  return (
    <section>
      <h2>{title}</h2>
      <Ready outcome={outcome}>
        {(table) =>
          (sort === "class" || sort === "object") && table.rows.every((row) => row.keys[0] === "") ? (
            <p class="quiet">Not measured: the agents' events do not show it.</p>
          ) : (
            <FleetRows label={title} table={table} brief size="half" />
          )
        }
      </Ready>
    </section>
  );
}

function Shown({ service, spot }: { service: string; spot: Spot }) {
  const { route } = usePage();
  const whole = useRows(service, "module", spot);
  return (
    <>
      <Ready outcome={whole}>
        {(table) => (
          <p>
            <code class="strong">{spotText(spot)}</code>
            {spot.module && ` in ${printable(spot.module)}`}: {percent(table.rows.reduce((sum, row) => sum + row.share, 0))} of the {printable(table.event)} of{" "}
            <a href={linkFrom(route, "service", { service })}>{printable(service)}</a>,{" "}
            {countOf(table.rows.reduce((sum, row) => sum + row.samples, 0), "sample", "samples")}.
          </p>
        )}
      </Ready>
      <Trend service={service} spot={spot} height={200} />
      <div class="pair below">
        {parts.map(([sort, title]) => (
          <Part key={sort} service={service} spot={spot} sort={sort} title={title} />
        ))}
      </div>
    </>
  );
}

export function PlaceView() {
  const { service, services } = useService();
  const { spot, lines } = useSpot(service);
  return (
    <>
      <h1 class="visually-hidden">Place</h1>
      <Toolbar service={service} withRelease />
      <Ready outcome={services} missing={<NothingMeasured />}>
        {() => <Ready outcome={lines} missing={<NothingMeasured />}>{() => (spot ? <Shown service={service} spot={spot} /> : <Nothing>No sample of this service has a location.</Nothing>)}</Ready>}
      </Ready>
    </>
  );
}
