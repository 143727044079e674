// SPDX-License-Identifier: MIT
// Shows a recording of hardmeter in VS Code: `hardmeter lsp` provides lenses, diagnostics and hovers at source lines,
// and `hardmeter ui` serves the page with everything else.
"use strict";

const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client; // of the language server; undefined if it does not run
let page; // the shell around `hardmeter ui`; undefined if it does not run

// Runs a program until it ends or the shell's standard input does: the program must not outlive an editor that ended
// without notice.
const UNTIL_INPUT_ENDS =
  'exec 3<&0; "$@" </dev/null 3<&- & program=$!; (cat <&3; kill $program) >/dev/null 2>&1 & wait $program';

function settings() {
  const all = vscode.workspace.getConfiguration("hardmeter");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const recording = all.get("recording");
  return {
    program: all.get("program"),
    options: all.get("arguments"),
    folder,
    recording: recording && folder ? path.resolve(folder, recording) : recording,
  };
}

function input({ recording }) {
  return recording ? ["-i", recording] : [];
}

// The recording that `hardmeter lsp` would show.
function shownRecording({ folder, recording }) {
  if (recording) return recording;
  const usual = ["hardmeter.data", "perf.data"].map((name) => path.join(folder ?? ".", name));
  return usual.find((each) => existsSync(each)) ?? usual[1];
}

function cannotRun(program, reason) {
  return `hardmeter: cannot run '${program}' (${reason}); the setting hardmeter.program names the program`;
}

async function start() {
  if (client) return;
  const words = settings();
  client = new LanguageClient(
    "hardmeter",
    { command: words.program, args: ["lsp", ...input(words), ...words.options], options: { cwd: words.folder } },
    { documentSelector: [{ scheme: "file" }] },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void vscode.window.showErrorMessage(cannotRun(words.program, error.message));
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

// Resolves to the link that `hardmeter ui` prints.
function servePage(words) {
  const options = ["ui", "--no-browser", "-i", shownRecording(words), ...words.options];
  page = spawn("/bin/sh", ["-c", UNTIL_INPUT_ENDS, "sh", words.program, ...options], { cwd: words.folder });
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (text) => {
      said += text;
      const link = /https?:\/\/\S+/.exec(said);
      if (link && said.slice(link.index + link[0].length) !== "") resolve(link[0]);
    };
    page.stdout.on("data", hear);
    page.stderr.on("data", hear);
    const shell = page;
    shell.on("error", (error) => reject(new Error(cannotRun(words.program, error.message))));
    shell.on("exit", (status) => {
      stopPage(shell);
      const isMissing = status === 126 || status === 127; // as the shell says
      reject(new Error(isMissing ? cannotRun(words.program, "no such program") : said.trim() || "hardmeter ui ended without a message"));
    });
  });
}

function stopPage(shell) {
  shell?.stdin.end();
  if (shell === page) page = undefined;
}

async function openPage() {
  stopPage(page);
  try {
    const link = await servePage(settings());
    await vscode.env.openExternal(vscode.Uri.parse(link));
    return link;
  } catch (error) {
    void vscode.window.showErrorMessage(error.message);
    return undefined;
  }
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("hardmeter.start", start),
    vscode.commands.registerCommand("hardmeter.stop", stop),
    vscode.commands.registerCommand("hardmeter.openPage", openPage),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (!client || !change.affectsConfiguration("hardmeter")) return;
      await stop();
      await start();
    }),
  );
  await start();
};

exports.deactivate = async () => {
  stopPage(page);
  await stop();
};
