// SPDX-License-Identifier: MIT
// Two releases of a service: what changed, and how sure that is.
import { useMemo } from "preact/hooks";
import { Choice, Search } from "../../components/controls";
import { Nothing, Ready } from "../../components/states";
import { Table, type Column } from "../../components/table";
import { useAnswer, useChange, usePage } from "../../context";
import { countOf, number } from "../../format";
import * as requests from "../../requests";
import { ChangeBar, mostOf, sureText } from "../compare/change";
import { useChoices, useSelected } from "./ask";
import { NothingMeasured } from "./parts";
import { keyColumns } from "./rows";
import type { ChangedRow, Comparison, Named, Side } from "./schema";
import { fleetSorts } from "./service";
import { Toolbar } from "./toolbar";
import { rateForm, rateText, releaseText, timeText, type RateForm } from "./words";
import { useService } from "./worst";

const sorts = fleetSorts.filter((each) => each !== "release");

// As other views show changes.
function changeOf(row: ChangedRow, factor: number) {
  const { value, low, high } = row.difference;
  const interval = low === null || high === null ? null : { low: low * factor, high: high * factor };
  return { change: value * factor, relative: null, interval, exact: false, significant: row.significant };
}

function verdict(row: ChangedRow): string {
  if (row.significant) return row.difference.value > 0 ? "worse" : "better";
  return row.difference.low === null ? "unknown" : sureText(changeOf(row, 1));
}

function columnsOf(found: Comparison, form: RateForm): Column<ChangedRow>[] {
  const most = mostOf(found.rows.map((row) => changeOf(row, form.factor)));
  const scaled = (value: number): string => number(value * form.factor);
  return [
    ...keyColumns<ChangedRow>(found.keys),
    { name: "before", title: "before", numeric: true, value: (row) => row.before.value, cell: (row) => scaled(row.before.value) },
    { name: "after", title: "after", numeric: true, value: (row) => row.after.value, cell: (row) => scaled(row.after.value) },
    { name: "change", title: "change", numeric: true, value: (row) => row.difference.value, cell: (row) => `${row.difference.value > 0 ? "+" : ""}${scaled(row.difference.value)}` },
    { name: "bar", title: "fewer / more", value: (row) => row.difference.value, cell: (row) => <ChangeBar change={changeOf(row, form.factor)} most={most} /> },
    {
      name: "interval",
      title: "95 % interval",
      numeric: true,
      minor: true,
      value: (row) => row.difference.low,
      cell: ({ difference: { low, high } }) => (low === null || high === null ? "-" : `[${scaled(low)} .. ${scaled(high)}]`),
    },
    { name: "sure", title: "how sure", value: verdict, cell: (row) => <span class={row.significant ? (row.difference.value > 0 ? "bad" : "good") : ""}>{verdict(row)}</span> },
  ];
}

function sideText(name: string, side: Side, form: RateForm): string {
  return `${name}: ${rateText(side.rate, form)} ${form.title}, ${countOf(side.samples, "sample", "samples")} in ${countOf(side.measurements, "measurement", "measurements")}`;
}

function Shown({ found, sort }: { found: Comparison; sort: string }) {
  const { route } = usePage();
  const form = rateForm(found);
  const sureOnly = route.params.sure === "1";
  const columns = useMemo(() => columnsOf(found, form), [found]);
  const rows = useMemo(() => (sureOnly ? found.rows.filter((row) => row.significant) : found.rows), [found, sureOnly]);
  return (
    <>
      <ul class="trust">
        <li>{sideText("before", found.before, form)}</li>
        <li>{sideText("after", found.after, form)}</li>
      </ul>
      <Table
        label={`Changes by ${sort}`}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.keys.join("@")}
        order={{ column: "change", descending: true }}
        filter={route.params.search ?? ""}
        size="tall"
        empty={sureOnly ? "Nothing changed beyond noise." : "No row has samples."}
      />
    </>
  );
}

function Compared({ service, releases }: { service: string; releases: Named[] }) {
  const { route } = usePage();
  const change = useChange();
  const selected = useSelected();
  const known = releases.filter((each) => each.name !== "").sort((a, b) => a.first_s - b.first_s || a.last_s - b.last_s);
  const pick = (asked: string | undefined, otherwise: number): string => (known.find((each) => each.name === asked) ?? known.at(otherwise))?.name ?? "";
  const before = pick(route.params.before, -2), after = pick(route.params.after, -1);
  const sort = sorts.find((each) => each === route.params.sort) ?? "line";
  const outcome = useAnswer<Comparison>(known.length < 2 ? null : requests.fleetDiff(selected({ service, release: "", before, after, sort })));
  if (known.length < 2) return <Nothing>Only one release of the service was measured in this time: choose a longer time.</Nothing>;
  const names = known.map((each): [string, string] => [each.name, `${releaseText(each.name)} since ${timeText(each.first_s)}`]);
  return (
    <>
      <div class="toolbar" role="group" aria-label="What is compared">
        <Choice label="Before" value={before} values={names} onChange={(value) => change({ before: value })} />
        <Choice label="After" value={after} values={names} onChange={(value) => change({ after: value })} />
        <button type="button" onClick={() => change({ before: after, after: before })}>
          Swap
        </button>
        <Choice label="Rows by" value={sort} values={sorts} onChange={(value) => change({ sort: value })} />
        <Search value={route.params.search ?? ""} onChange={(value) => change({ search: value }, true)} />
        <label>
          <input type="checkbox" checked={route.params.sure === "1"} onChange={(each) => change({ sure: each.currentTarget.checked ? "1" : "" })} /> only what changed by more than
          chance may
        </label>
      </div>
      <Ready outcome={outcome}>{(found) => <Shown found={found} sort={sort} />}</Ready>
    </>
  );
}

export function ReleasesView() {
  const { service, services } = useService();
  const choices = useChoices(service);
  return (
    <>
      <h1 class="visually-hidden">Releases</h1>
      <Toolbar service={service} />
      <Ready outcome={services} missing={<NothingMeasured />}>{() => <Ready outcome={choices}>{(all) => <Compared service={service} releases={all.releases} />}</Ready>}</Ready>
    </>
  );
}
