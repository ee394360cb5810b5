// Opens a page of the registry in the user's browser.
type Env = Readonly<Record<string, string | undefined>>;

/** Each gets the address as its last argument, never through a shell. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  // `start` is a part of the shell, which would read the address; this is what it calls.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Whether the address is one of the registry's own pages: a server must not make this computer open anything else. */
export const isOwnPage = (address: string, host: string): boolean =>
  URL.canParse(address) && new URL(address).origin === new URL(host).origin;

/** Tries it; the user can open the address by hand. */
export async function openInBrowser(address: string, env: Env): Promise<void> {
  const { spawn } = await import("node:child_process");
  const [program, ...args] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? ["xdg-open"]);
  const child = spawn(program!, [...args, new URL(address).href], { stdio: "ignore", detached: true, env: { ...env } });
  child.on("error", () => undefined);
  child.unref();
}
