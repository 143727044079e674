// SPDX-License-Identifier: MIT
import { render } from "preact";
import { App } from "./app";
import { clientOfPage } from "./client";
import "./styles/base.css";
import "./styles/fleet.css";
import "./styles/parts.css";
import "./styles/record.css";
import "./styles/views.css";

function begin(): void {
  const place = document.getElementById("page");
  if (place) render(<App client={clientOfPage(document)} />, place);
}

// In a single file the script may stand above the answers.
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
else begin();
