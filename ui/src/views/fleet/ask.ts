// SPDX-License-Identifier: MIT
// What the views of a store ask, of the selection in the link.
import { useAnswer, usePage, type Outcome } from "../../context";
import * as requests from "../../requests";
import type { Choices, FleetTable, OverTime } from "./schema";
import { timesOf, type Spot } from "./selection";

// Of the time, the host, the release and the event that are chosen; and what else is given.
export function useSelected(): (more?: Record<string, string>) => Record<string, string> {
  const { route, openedS } = usePage();
  const { host = "", release = "", event = "" } = route.params;
  return (more = {}) => ({ ...timesOf(route.params, openedS), host, release, event, ...more });
}

export function useChoices(service: string): Outcome<Choices> {
  const selected = useSelected();
  return useAnswer<Choices>(requests.fleet(selected({ service })));
}

// The services; a release is one service's.
export function useServices(): Outcome<FleetTable> {
  const selected = useSelected();
  return useAnswer<FleetTable>(requests.fleetRows(selected({ release: "" }), 1000));
}

// "" asks for nothing.
export function useRows(service: string, sort: string, spot: Spot = {}, limit = 500): Outcome<FleetTable> {
  const selected = useSelected();
  return useAnswer<FleetTable>(service === "" ? null : requests.fleetRows(selected({ service, sort, ...spot }), limit));
}

export function useOverTime(service: string, spot: Spot = {}): Outcome<OverTime> {
  const selected = useSelected();
  return useAnswer<OverTime>(service === "" ? null : requests.fleetOverTime(selected({ service, ...spot })));
}
