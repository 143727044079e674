// SPDX-License-Identifier: MIT
// All machines: which services have the events, and of one of them where and since when.
import { Search } from "../../components/controls";
import { Nothing, Ready } from "../../components/states";
import { useChange, usePage } from "../../context";
import { countOf, printable } from "../../format";
import { linkFrom } from "../../router";
import { useChoices } from "./ask";
import { NothingMeasured, Trend, WorstLine } from "./parts";
import { FleetRows, keyOfFleetRow } from "./rows";
import type { Choices } from "./schema";
import { paramsOfSpot, spotOfRow } from "./selection";
import { Toolbar } from "./toolbar";
import { timeText } from "./words";
import { useService, useSpot } from "./worst";

function Extent({ choices }: { choices: Choices }) {
  if (choices.first_s === null || choices.last_s === null) return null;
  return (
    <p class="quiet">
      {countOf(choices.hosts.length, "machine", "machines")}, {countOf(choices.services.length, "service", "services")},{" "}
      {countOf(choices.measurements, "measurement", "measurements")} from {timeText(choices.first_s)} to {timeText(choices.last_s)}.
    </p>
  );
}

function WorstOf({ service }: { service: string }) {
  const { route } = usePage();
  const { worst, lines } = useSpot(service);
  return (
    <section class="panel" aria-label="The chosen service">
      <Ready outcome={lines} missing={<NothingMeasured />}>
        {(table) => (
          <>
            <WorstLine service={service} lines={table} />
            <Trend service={service} instead={worst ?? undefined} height={180} />
            <FleetRows
              label="Lines with most events"
              table={{ ...table, rows: table.rows.slice(0, 6) }}
              brief
              onOpen={(row) => (location.hash = linkFrom(route, "place", { service, ...paramsOfSpot(spotOfRow(table.keys, row.keys)) }))}
            />
            <p class="links">
              <a href={linkFrom(route, "service", { service })}>All of {printable(service)}</a>
              <a href={linkFrom(route, "trend", { service })}>Over time</a>
              <a href={linkFrom(route, "releases", { service })}>Its releases</a>
            </p>
          </>
        )}
      </Ready>
    </section>
  );
}

export function FleetView() {
  const { route } = usePage();
  const change = useChange();
  const choices = useChoices("");
  const { service, services } = useService();
  const search = route.params.search ?? "";
  return (
    <>
      <h1 class="visually-hidden">Fleet</h1>
      <Toolbar service="" />
      <Ready outcome={choices}>
        {(all) =>
          all.first_s === null ? (
            <Nothing>
              <NothingMeasured />
            </Nothing>
          ) : (
            <>
              <Extent choices={all} />
              <div class="side-by-side">
                <div>
                  <div class="toolbar">
                    <Search value={search} onChange={(value) => change({ search: value }, true)} />
                  </div>
                  <Ready outcome={services}>
                    {(table) => (
                      <FleetRows
                        label="Services"
                        table={table}
                        brief
                        filter={search}
                        selected={table.rows.map(keyOfFleetRow).find((key) => key === service)}
                        onSelect={(row) => change({ service: row.keys[0] ?? "", release: "" }, true)}
                        onOpen={(row) => (location.hash = linkFrom(route, "service", { service: row.keys[0] ?? "", release: "" }))}
                      />
                    )}
                  </Ready>
                </div>
                {service !== "" && <WorstOf key={service} service={service} />}
              </div>
            </>
          )
        }
      </Ready>
    </>
  );
}
