// SPDX-License-Identifier: MIT
// Gets answers: from the server, or from the file that the page itself is in. Each is asked for once.
import { addressOf, keyOfRequest, type Request } from "./requests";

export class Failure extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export type Source = (asked: Request) => Promise<unknown>;

// What changes something on the server. Only where there is one.
export type Sender = (path: string, body: unknown) => Promise<unknown>;

async function fetched(address: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch {
    throw new Failure(0, "the server does not answer: is hardmeter ui still running?");
  }
  if (response.status === 403) {
    throw new Failure(403, "the server does not know this browser: open the link that hardmeter ui printed");
  }
  let answer: unknown;
  try {
    answer = await response.json();
  } catch {
    throw new Failure(response.status, `the server's answer is no JSON (status ${response.status})`);
  }
  if (response.ok) return answer;
  const told = (answer as { error?: unknown }).error;
  throw new Failure(response.status, typeof told === "string" ? told : `status ${response.status}`);
}

const askServer: Source = (asked) => fetched(addressOf(asked), { headers: { Accept: "application/json" } });

// At most so many at a time; others wait for their turn.
export function atMost(most: number, source: Source): Source {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (asked) => {
    if (running < most) running += 1;
    else await new Promise<void>((goOn) => waiting.push(goOn));
    try {
      return await source(asked);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

// A store answers one after another, and other pages may ask it as well.
const askStore = atMost(2, askServer);
const askAny: Source = (asked) => (asked.path.startsWith("fleet") ? askStore(asked) : askServer(asked));

const sendToServer: Sender = (path, body) =>
  fetched(`api/${path}`, {
    method: "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

const noServer: Sender = async () => {
  throw new Failure(0, "a file cannot do that: open the recording with `hardmeter ui`");
};

// Base64 text of deflate-compressed JSON: {"REQUEST": ANSWER, ...}.
export async function readAnswers(text: string): Promise<Map<string, unknown>> {
  const bytes = Uint8Array.from(atob(text.replace(/\s+/g, "")), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const json: unknown = JSON.parse(await new Response(stream).text());
  return new Map(Object.entries(json as Record<string, unknown>));
}

export function answersFromFile(text: string): Source {
  let read: Promise<Map<string, unknown>> | undefined;
  return async (asked) => {
    read ??= readAnswers(text);
    let answers: Map<string, unknown>;
    try {
      answers = await read;
    } catch {
      throw new Failure(0, "the data in this file cannot be read: it may be cut off");
    }
    const answer = answers.get(keyOfRequest(asked));
    if (answer === undefined) {
      throw new Failure(404, `this file does not hold ${describe(asked)}: open the recording with \`hardmeter ui\``);
    }
    const told = (answer as { error?: unknown } | null)?.error;
    if (typeof told === "string") throw new Failure(404, told);
    return answer;
  };
}

function timelineWords(params: Record<string, string>): string {
  if (params.samples !== undefined) return "the samples one by one";
  return params.from_ns === undefined ? "the time line" : "this part of the time line";
}

// What is asked for, in words.
export function describe(asked: Request): string {
  const words: Record<string, string> = {
    recordings: "the list of recordings",
    totals: "the totals",
    hotspots: `the hot spots by ${asked.params.sort ?? "function"}`,
    explain: "the causes",
    annotate: `the code of ${asked.params.function ?? "this function"}`,
    flame: `the call tree of ${asked.params.event ?? "this event"}`,
    timeline: timelineWords(asked.params),
    occupancy: "who held the last-level cache",
    map: `the map of ${asked.params.level ?? "the cache"}`,
    sizes: "misses in caches of other sizes",
    diff: `the comparison by ${asked.params.sort ?? "function"}`,
    events: "what this machine can measure",
    fleet: "what the store has",
    fleet_rows: asked.params.service ? `${asked.params.service} by ${asked.params.sort ?? "function"}` : "the services",
    fleet_over_time: "the rate over time",
    fleet_diff: "the comparison of two releases",
  };
  return words[asked.path] ?? asked.path;
}

export class Client {
  private readonly answers = new Map<string, Promise<unknown>>();
  private readonly waiting = new Map<string, Request>();
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly source: Source,
    readonly isFile: boolean,
    private readonly sender: Sender = noServer,
  ) {}

  ask<T>(asked: Request): Promise<T> {
    const key = keyOfRequest(asked);
    const known = this.answers.get(key);
    if (known) return known as Promise<T>;
    this.waiting.set(key, asked);
    this.tell();
    const answer = this.source(asked).finally(() => {
      this.waiting.delete(key);
      this.tell();
    });
    this.answers.set(key, answer);
    // What failed may be asked for again.
    answer.catch(() => {
      if (this.answers.get(key) === answer) this.answers.delete(key);
    });
    return answer as Promise<T>;
  }

  // The next time it is asked for anew.
  forget(asked: Request): void {
    this.answers.delete(keyOfRequest(asked));
  }

  forgetAll(): void {
    this.answers.clear();
  }

  // As it is now: neither kept nor told of as waited for.
  look<T>(asked: Request): Promise<T> {
    return this.source(asked) as Promise<T>;
  }

  send<T>(path: string, body: unknown): Promise<T> {
    return this.sender(path, body) as Promise<T>;
  }

  // What is being waited for.
  pending(): Request[] {
    return [...this.waiting.values()];
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tell(): void {
    for (const each of this.listeners) each();
  }
}

export function clientOfPage(page: Document): Client {
  const text = page.getElementById("hardmeter-answers")?.textContent;
  return text ? new Client(answersFromFile(text), true) : new Client(askAny, false, sendToServer);
}
