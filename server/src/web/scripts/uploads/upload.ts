// The upload of one file in parts, each with a checksum. After a lost connection it waits, and continues where the
// server says.

export interface Facts {
  problem: string | null;
}

export interface Remote {
  id: string;
  offset: number;
  size: number;
  isFinished: boolean;
  file: Facts | null;
}

export type State = "starting" | "sending" | "paused" | "waiting" | "checking" | "done" | "failed";

export interface Progress {
  state: State;
  sent: number;
  /** Bytes per second; 0 while unknown. */
  speed: number;
  /** The reason of a failure. */
  reason: string;
}

const mib = 1024 * 1024;
const smallest = mib;
const largest = 8 * mib;
/** A part should take about this long, so that little is lost if one fails. */
const partSeconds = 3;
const longestPauseMs = 15_000;

class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
/** No answer: the connection was lost, or the request was aborted. */
class Lost extends Error {}

export class Upload {
  readonly file: File;
  remote: Remote | undefined;
  progress: Progress = { state: "starting", sent: 0, speed: 0, reason: "" };
  readonly #onChange: (upload: Upload) => void;
  readonly #key: string;
  #request: XMLHttpRequest | undefined;
  #partBytes = smallest;
  #pauseMs = 1000;
  #wake: (() => void) | undefined;
  #isRemoved = false;

  constructor(file: File, onChange: (upload: Upload) => void) {
    this.file = file;
    this.#onChange = onChange;
    this.#key = `upload ${file.name} ${file.size} ${file.lastModified}`;
  }

  async run(): Promise<void> {
    try {
      this.#set({ state: "starting" });
      await this.#begin();
      while (this.remote && this.remote.offset < this.file.size) await this.#sendPart();
      this.#set({ state: "checking", sent: this.file.size });
      await this.#keepTrying(async () => {
        const answer = await call("POST", `/api/upload/${this.remote?.id}/finish${inPageLanguage()}`, "{}");
        this.remote = (answer as { upload: Remote }).upload;
      });
      forget(this.#key);
      this.#set({ state: "done" });
    } catch (error) {
      if (this.#isRemoved) return;
      const { message } = error as Error;
      this.#set({ state: "failed", reason: error instanceof Refused && error.status === 401 ? "signedOut" : message });
    }
  }

  pause(): void {
    this.#set({ state: "paused" });
    this.#request?.abort();
  }

  resume(): void {
    if (this.progress.state === "failed") void this.run();
    else {
      this.#set({ state: "starting" });
      this.#wake?.();
    }
  }

  /** Stops waiting, because the connection is back or the user pressed the button. */
  hurry(): void {
    if (this.progress.state === "waiting") this.#wake?.();
  }

  async remove(): Promise<void> {
    this.#isRemoved = true;
    this.#request?.abort();
    this.#wake?.();
    forget(this.#key);
    if (this.remote) await call("DELETE", `/api/upload/${this.remote.id}`).catch(() => undefined);
  }

  /** Continues an earlier upload of the same file, if there is one. */
  async #begin(): Promise<void> {
    await this.#keepTrying(async () => {
      const known = this.remote?.id ?? recall(this.#key);
      this.remote = known === null ? undefined : await findRemote(known);
      if (this.remote && this.remote.size !== this.file.size) this.remote = undefined;
      if (!this.remote) {
        const wanted = JSON.stringify({ name: this.file.name, size: this.file.size });
        this.remote = ((await call("POST", "/api/upload", wanted)) as { upload: Remote }).upload;
      }
      remember(this.#key, this.remote.id);
      this.#set({ sent: this.remote.offset });
    });
  }

  async #sendPart(): Promise<void> {
    await this.#keepTrying(async () => {
      const { id, offset } = this.remote!;
      const part = this.file.slice(offset, offset + this.#partBytes);
      const form = new FormData();
      form.append("offset", String(offset));
      const sum = await checksumOf(part);
      if (sum !== undefined) form.append("sha512", sum);
      form.append("part", part, "part");
      this.#set({ state: "sending" });
      try {
        const { answer, seconds } = await this.#post(`/api/upload/${id}`, form, offset, part.size);
        this.remote = (answer as { upload: Remote }).upload;
        this.#partBytes = fitting((part.size / Math.max(0.05, seconds)) * partSeconds);
        this.#set({ sent: this.remote.offset });
      } catch (error) {
        // Another tab has sent some of it, or the upload expired: the server knows where to continue.
        const isAstray = error instanceof Refused && ["uploadOffsetWrong", "uploadNotFound"].includes(error.code);
        if (!isAstray) throw error;
        await this.#begin();
      }
    });
  }

  /** Like fetch, but with upload progress. */
  #post(path: string, form: FormData, offset: number, size: number): Promise<{ answer: unknown; seconds: number }> {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      this.#request = request;
      let began = 0;
      request.upload.addEventListener("progress", (event) => {
        began ||= event.timeStamp;
        const sent = Math.min(event.loaded, size);
        const seconds = (event.timeStamp - began) / 1000;
        if (seconds > 0.2) this.#hear(sent / seconds);
        this.#set({ sent: offset + sent });
      });
      request.addEventListener("load", (event) => {
        const answer = parsed(request.responseText);
        if (request.status < 300) resolve({ answer, seconds: (event.timeStamp - began) / 1000 });
        else reject(refusal(request.status, answer));
      });
      for (const name of ["error", "abort", "timeout"]) request.addEventListener(name, () => reject(new Lost()));
      request.open("PATCH", path);
      request.send(form);
    });
  }

  /** Smoothed, so that the remaining time does not jump. */
  #hear(speed: number): void {
    this.progress.speed = this.progress.speed === 0 ? speed : this.progress.speed * 0.8 + speed * 0.2;
  }

  async #keepTrying(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await work();
        this.#pauseMs = 1000;
        return;
      } catch (error) {
        if (this.#isRemoved) throw error;
        const isTemporary =
          error instanceof Lost || (error instanceof Refused && (error.status >= 500 || error.status === 429));
        if (this.progress.state !== "paused" && !isTemporary) throw error;
        await this.#rest();
        // Bytes that arrived before the connection was lost need not be sent again.
        if (this.remote)
          await findRemote(this.remote.id).then(
            (found) => this.#adopt(found),
            () => undefined,
          );
      }
    }
  }

  #adopt(found: Remote | undefined): void {
    if (!found) return;
    this.remote = found;
    this.#set({ sent: found.offset });
  }

  async #rest(): Promise<void> {
    const isPaused = this.progress.state === "paused";
    if (!isPaused) this.#set({ state: "waiting", speed: 0 });
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (!isPaused) setTimeout(resolve, this.#pauseMs);
    });
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
    if (this.#isRemoved) throw new Lost();
  }

  #set(change: Partial<Progress>): void {
    // A pause lasts until the user ends it.
    if (this.progress.state === "paused" && change.state === "waiting") return;
    Object.assign(this.progress, change);
    this.#onChange(this);
  }
}

const fitting = (bytes: number): number =>
  Math.min(largest, Math.max(smallest, Math.floor(bytes / smallest) * smallest));

/** The problem of a file is shown on the page. */
const inPageLanguage = () => `?lang=${encodeURIComponent(document.documentElement.lang)}`;

async function findRemote(id: string): Promise<Remote | undefined> {
  try {
    return (await call("GET", `/api/upload/${id}${inPageLanguage()}`)) as Remote;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  }
}

async function call(method: string, path: string, body?: string): Promise<unknown> {
  const headers: HeadersInit = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(path, { method, headers, ...(body !== undefined && { body }) }).catch(() => {
    throw new Lost();
  });
  const answer = parsed(await response.text().catch(() => ""));
  if (!response.ok) throw refusal(response.status, answer);
  return answer;
}

function refusal(status: number, answer: unknown): Refused {
  const { code = "", message = String(status) } = (answer ?? {}) as { code?: string; message?: string };
  return new Refused(status, code, message);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Browsers compute it only on secure origins; otherwise the part is sent without one. */
async function checksumOf(part: Blob): Promise<string | undefined> {
  if (!crypto.subtle) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-512", await part.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Without storage, an upload cannot be continued after a reload. */
function stored<T>(work: (storage: Storage) => T, otherwise: T): T {
  try {
    return work(localStorage);
  } catch {
    return otherwise;
  }
}
const remember = (key: string, id: string): void => stored((storage) => storage.setItem(key, id), undefined);
const recall = (key: string): string | null => stored((storage) => storage.getItem(key), null);
const forget = (key: string): void => stored((storage) => storage.removeItem(key), undefined);
