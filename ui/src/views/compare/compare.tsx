// SPDX-License-Identifier: MIT
import { Nothing } from "../../components/states";

export function CompareView() {
  return <Nothing>Not there yet.</Nothing>;
}
