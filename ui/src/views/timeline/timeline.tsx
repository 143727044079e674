// SPDX-License-Identifier: MIT
import { Nothing } from "../../components/states";

export function TimelineView() {
  return <Nothing>Not there yet.</Nothing>;
}
