// SPDX-License-Identifier: MIT
// The crowded regions, with what crowds them; and the means of all regions, as a table behind the map.
import { Table, type Column } from "../../components/table";
import { grouped, number, percent, printable } from "../../format";
import type { CacheMap, CrowdedRegion, NamedPages } from "../../schema";

function namesText(rows: NamedPages[]): string {
  return rows.map((row) => `${printable(row.name)} ${grouped(row.samples)}`).join(", ") || "-";
}

const columns: Column<CrowdedRegion>[] = [
  { name: "region", title: "region", numeric: true, value: (row) => row.region },
  { name: "mean", title: "mean ways", numeric: true, value: (row) => row.mean_ways, cell: (row) => number(row.mean_ways) },
  { name: "most", title: "most ways", numeric: true, value: (row) => row.most_ways },
  {
    name: "crowded",
    title: "crowded",
    hint: "part of the time in which more data is in use than the region holds",
    numeric: true,
    value: (row) => row.crowded,
    cell: (row) => percent(row.crowded),
  },
  { name: "samples", title: "samples", numeric: true, value: (row) => row.samples, cell: (row) => grouped(row.samples) },
  { name: "objects", title: "objects, by samples", value: (row) => namesText(row.objects) },
  { name: "types", title: "types", value: (row) => namesText(row.types) },
  { name: "functions", title: "functions", value: (row) => namesText(row.functions) },
];

interface RegionMean {
  region: number;
  ways: number;
}

const meanColumns: Column<RegionMean>[] = [
  { name: "region", title: "region", numeric: true, value: (row) => row.region },
  { name: "ways", title: "mean ways in use", numeric: true, value: (row) => row.ways, cell: (row) => number(row.ways) },
];

export function CrowdedRegions({ map }: { map: CacheMap }) {
  return (
    <>
      <Table
        label="Crowded regions"
        columns={columns}
        rows={map.crowded}
        rowKey={(row) => String(row.region)}
        order={{ column: "mean", descending: true }}
        empty="No region is crowded."
      />
      {map.all_crowded > map.crowded.length && (
        <p class="quiet">
          {map.crowded.length} of {grouped(map.all_crowded)} crowded regions.
        </p>
      )}
      <details class="behind">
        <summary>The map as a table</summary>
        <Table
          label="Ways in use, by region"
          columns={meanColumns}
          rows={map.mean_ways.map((ways, region) => ({ region, ways }))}
          rowKey={(row) => String(row.region)}
          order={{ column: "region", descending: false }}
        />
      </details>
    </>
  );
}
