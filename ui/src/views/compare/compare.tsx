// SPDX-License-Identifier: MIT
// Two recordings: what grew, and how sure that is.
import { Choice, Search } from "../../components/controls";
import { Nothing, Ready } from "../../components/states";
import { useAnswer, useChange, usePage } from "../../context";
import { printable } from "../../format";
import * as requests from "../../requests";
import { keyOf, type Diff } from "../../schema";
import { chosenEvent } from "../../events";
import { LinesOf } from "./lines";
import { keyOfDiffRow, RowsOf } from "./rows";
import { TotalsOf } from "./totals";

const sorts: requests.DiffSort[] = ["function", "line"];

function Differences({ diff }: { diff: Diff }) {
  const remarks = [
    ...(diff.processors === null ? [] : [diff.processors]),
    ...diff.before.remarks.map((text) => `before: ${text}`),
    ...diff.after.remarks.map((text) => `after: ${text}`),
    ...diff.notes,
    ...diff.only_before.map((event) => `${event} was measured only before`),
    ...diff.only_after.map((event) => `${event} was measured only after`),
  ];
  return (
    <ul class="trust">
      {diff.differences.map((each) => (
        <li key={each.what}>
          {printable(each.what)}: {printable(each.before)} before, {printable(each.after)} after
        </li>
      ))}
      {remarks.map((text) => (
        <li key={text}>{printable(text)}</li>
      ))}
    </ul>
  );
}

interface ShownProps {
  diff: Diff;
  sort: requests.DiffSort;
  before: number;
  after: number;
}

function Shown({ diff, sort, before, after }: ShownProps) {
  const { route } = usePage();
  const change = useChange();
  const sampled = Object.keys(diff.rows);
  const event = chosenEvent(sampled, route.params.event);
  const search = route.params.search ?? "";
  const sureOnly = route.params.sure === "1";
  const rows = diff.rows[event]?.rows ?? [];
  const chosen = rows.find((row) => keyOfDiffRow(row, diff.columns) === route.params.row);
  const name = chosen && diff.columns.includes("function") ? keyOf(chosen, "function") : "";
  return (
    <>
      <Differences diff={diff} />
      <h2>In all</h2>
      <TotalsOf
        diff={diff}
        event={event}
        onEvent={(value) => sampled.includes(value) && change({ event: value, row: "" })}
      />
      <h2 class="below">By {sort}</h2>
      {sampled.length === 0 ? (
        <Nothing>No event was sampled in both.</Nothing>
      ) : (
        <>
          <div class="toolbar" role="group" aria-label="Which rows">
            <Choice label="Event" value={event} values={sampled} onChange={(value) => change({ event: value, row: "" })} />
            <Search value={search} onChange={(value) => change({ search: value }, true)} />
            <label>
              <input
                type="checkbox"
                checked={sureOnly}
                onChange={(each) => change({ sure: each.currentTarget.checked ? "1" : "" })}
              />{" "}
              only what changed by more than chance may
            </label>
          </div>
          <RowsOf
            diff={diff}
            event={event}
            filter={search}
            sureOnly={sureOnly}
            selected={route.params.row}
            onSelect={(row) => change({ row: keyOfDiffRow(row, diff.columns) }, true)}
          />
        </>
      )}
      {name !== "" && <LinesOf key={name} name={name} nameAfter={diff.renamed[name] ?? name} event={event} before={before} after={after} />}
    </>
  );
}

export function CompareView() {
  const { route, recordings } = usePage();
  const change = useChange();
  const ids = recordings.map((each) => each.id);
  const idOf = (text: string | undefined, otherwise: number): number => ids.find((id) => String(id) === text) ?? otherwise;
  const before = idOf(route.params.before, ids[0] ?? 0);
  const after = idOf(route.params.after, ids[1] ?? 0);
  const sort = sorts.find((each) => each === route.params.sort) ?? "function";
  const outcome = useAnswer<Diff>(ids.length < 2 ? null : requests.diff(before, after, sort));
  const names = recordings.map((each): [string, string] => [String(each.id), each.name]);
  if (ids.length < 2) {
    return (
      <>
        <h1>Compare</h1>
        <Nothing>Only one recording is open. Open two to compare them: hardmeter ui before.data after.data</Nothing>
      </>
    );
  }
  return (
    <>
      <h1 class="visually-hidden">Compare two recordings</h1>
      <div class="toolbar" role="group" aria-label="What is compared">
        <Choice label="Before" value={String(before)} values={names} onChange={(value) => change({ before: value, row: "" })} />
        <Choice label="After" value={String(after)} values={names} onChange={(value) => change({ after: value, row: "" })} />
        <button type="button" onClick={() => change({ before: String(after), after: String(before) })}>
          Swap
        </button>
        <Choice label="Rows by" value={sort} values={sorts} onChange={(value) => change({ sort: value, row: "" })} />
      </div>
      <Ready outcome={outcome}>{(answer) => <Shown diff={answer} sort={sort} before={before} after={after} />}</Ready>
    </>
  );
}
