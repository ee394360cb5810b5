// The registries that the user works with, and the tokens for them, in a file that only the user can read.
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Failure } from "./failures.js";

export interface Account {
  token: string;
  userName: string;
}
interface Stored {
  /** The registry that is used without --host. */
  host?: string;
  accounts: Record<string, Account>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** SHELF_CONFIG, or the place for settings of this system. */
export function findConfigFile(env: Env): string {
  if (env.SHELF_CONFIG) return env.SHELF_CONFIG;
  const folder =
    process.platform === "win32" && env.APPDATA ? env.APPDATA : env.XDG_CONFIG_HOME || join(homedir(), ".config");
  return join(folder, "shelf", "config.json");
}

export class Accounts {
  readonly file: string;
  constructor(file: string) {
    this.file = file;
  }

  async read(): Promise<Stored> {
    let text: string;
    try {
      text = await readFile(this.file, "utf8");
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return { accounts: {} };
      throw error;
    }
    try {
      const { host, accounts = {} } = JSON.parse(text) as Partial<Stored>;
      return { ...(host !== undefined && { host: toHost(host) }), accounts };
    } catch {
      throw new Failure(`${this.file} is not a settings file of shelf.`, { advice: "Delete it, and sign in again." });
    }
  }

  /** Replaces the file as a whole, so that it is never half written. */
  async change(change: (stored: Stored) => void): Promise<void> {
    const stored = await this.read();
    change(stored);
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    const next = `${this.file}.${process.pid}.new`;
    try {
      await writeFile(next, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: "wx" });
      await chmod(next, 0o600);
      await rename(next, this.file);
    } finally {
      await rm(next, { force: true });
    }
  }
}

const isLoopback = (name: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(name);

/** The address of a registry from what people write: a name, or a URL. */
export function toHost(text: string): string {
  const withScheme = text.includes("://") ? text : `https://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new Failure(`"${text}" is not the address of a registry.`, {
      advice: "Write it like this: https://mods.example.org",
      code: "badHost",
    });
  return url.href.replace(/\/+$/, "");
}

/** A token must not be readable on the way. */
export function mayCarryToken(host: string): boolean {
  const { protocol, hostname } = new URL(host);
  return protocol === "https:" || isLoopback(hostname);
}
