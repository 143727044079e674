// SPDX-License-Identifier: MIT
import { Nothing } from "../../components/states";

export function SourceView() {
  return <Nothing>Not there yet.</Nothing>;
}
