// SPDX-License-Identifier: MIT
// From which places of the code an object is missed, and which of its fields.
import { keyOfPlace } from "../../causes";
import { Table, type Column } from "../../components/table";
import { usePage } from "../../context";
import { grouped, placeText, printable } from "../../format";
import { linkFrom } from "../../router";
import type { Causes, Place } from "../../schema";

export interface Use {
  event: string;
  field: string | null;
  samples: number;
  place: Place;
}

export function fieldsOf(causes: Causes, object: string): Use[] {
  return causes.events.flatMap((event) =>
    event.places.flatMap((place) =>
      place.objects
        .filter((each) => each.object === object)
        .map((each) => ({ event: event.name, field: each.field, samples: each.samples, place })),
    ),
  );
}

export function FieldsOf({ name, uses }: { name: string; uses: Use[] }) {
  const { route } = usePage();
  const columns: Column<Use>[] = [
    { name: "field", title: "field", wide: true, value: (use) => use.field, cell: (use) => <code>{printable(use.field ?? "-")}</code> },
    { name: "event", title: "event", value: (use) => use.event, cell: (use) => printable(use.event) },
    { name: "samples", title: "samples", numeric: true, value: (use) => use.samples, cell: (use) => grouped(use.samples) },
    {
      name: "place",
      title: "place",
      value: (use) => use.place.function,
      cell: (use) => (
        <a href={linkFrom(route, "why", { spot: keyOfPlace(use.place), event: use.event })}>
          <code>{printable(use.place.function)}</code> {placeText(use.place.file, use.place.line)}
        </a>
      ),
    },
  ];
  return (
    <>
      <h2>{printable(name)}</h2>
      <Table
        label="Fields and places"
        columns={columns}
        rows={uses}
        rowKey={(use) => `${use.event}/${keyOfPlace(use.place)}/${use.field}`}
        order={{ column: "samples", descending: true }}
        empty="No hot location uses it."
      />
    </>
  );
}
