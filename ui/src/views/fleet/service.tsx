// SPDX-License-Identifier: MIT
// One service: how often over time, and in what.
import { Choice, Search } from "../../components/controls";
import { Ready } from "../../components/states";
import { useChange, usePage } from "../../context";
import { countOf } from "../../format";
import { linkFrom } from "../../router";
import { useRows } from "./ask";
import { NothingMeasured, Trend, WorstLine } from "./parts";
import { FleetRows, keyOfFleetRow } from "./rows";
import type { FleetRow, FleetTable } from "./schema";
import { paramsOfSpot, spotOfRow } from "./selection";
import { Toolbar } from "./toolbar";
import { useService, useSpot } from "./worst";

export const fleetSorts = ["line", "function", "module", "host", "release", "class", "object"] as const;

function Rows({ service, sort }: { service: string; sort: string }) {
  const { route } = usePage();
  const change = useChange();
  const outcome = useRows(service, sort);
  const search = route.params.search ?? "";
  const isPlace = sort === "line" || sort === "function" || sort === "module";
  const isChoice = sort === "host" || sort === "release";
  const open = (table: FleetTable, row: FleetRow): void => {
    if (isPlace) location.hash = linkFrom(route, "place", { service, ...paramsOfSpot(spotOfRow(table.keys, row.keys)) });
    else change({ [sort]: row.keys[0] ?? "", sort: "line" });
  };
  return (
    <Ready outcome={outcome} missing={<NothingMeasured />}>
      {(table) => (
        <>
          <p class="quiet">
            {countOf(table.samples, "sample", "samples")} in {countOf(table.measurements, "measurement", "measurements")}, measured by {table.source}.
            {isPlace && " Enter or a click opens a row."}
          </p>
          <FleetRows
            label={`Rows by ${sort}`}
            table={table}
            filter={search}
            selected={table.rows.map(keyOfFleetRow).find((key) => key === route.params.row)}
            onOpen={isPlace || isChoice ? (row) => open(table, row) : undefined}
            size="half"
          />
        </>
      )}
    </Ready>
  );
}

export function ServiceView() {
  const { route } = usePage();
  const change = useChange();
  const { service, services } = useService();
  const sort = fleetSorts.find((each) => each === route.params.sort) ?? "line";
  const { worst, lines } = useSpot(service);
  return (
    <>
      <h1 class="visually-hidden">Service</h1>
      <Toolbar service={service} withRelease />
      <Ready outcome={services} missing={<NothingMeasured />}>
        {() => (
          <>
            <Ready outcome={lines} missing="">{(table) => <WorstLine service={service} lines={table} />}</Ready>
            <Trend service={service} instead={worst ?? undefined} height={200} />
            <div class="toolbar" role="group" aria-label="Which rows">
              <Choice label="Rows by" value={sort} values={fleetSorts} onChange={(value) => change({ sort: value })} />
              <Search value={route.params.search ?? ""} onChange={(value) => change({ search: value }, true)} />
            </div>
            <Rows service={service} sort={sort} />
          </>
        )}
      </Ready>
    </>
  );
}
