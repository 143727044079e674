// SPDX-License-Identifier: MIT
import { render } from "preact";
import { App } from "./app";
import { clientOfPage } from "./client";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/views.css";

const place = document.getElementById("page");
if (place) render(<App client={clientOfPage(document)} />, place);
