// Only one program may change a folder at a time: it holds the file .shelf/lock, which names it. The claim of a program
// that has ended counts for nothing.
import { link, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { exitCodes, Failure } from "#shelf/failures.js";
import { isMissing } from "./files.js";

interface Holder {
  pid: number;
  computer: string;
}

/** Returns a function that ends the claim. */
export async function claim(path: string): Promise<() => Promise<void>> {
  const own = JSON.stringify({ pid: process.pid, computer: hostname() } satisfies Holder);
  const mine = `${path}.${process.pid}`;
  await writeFile(mine, own);
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        // With a link the file has its content from the first moment on.
        await link(mine, path);
        await removeOld(path);
        return () => rm(path, { force: true });
      } catch (error) {
        const { code } = error as { code?: string };
        if (code !== "EEXIST") {
          // Some file systems have no links.
          await writeFile(path, own, { flag: "wx" });
          return () => rm(path, { force: true });
        }
      }
      await removeIfLeft(path);
    }
  } finally {
    await rm(mine, { force: true });
  }
  throw inUse(path, "Another shelf");
}

/** Programs that were killed leave the file behind that they wanted to link. */
async function removeOld(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    const pid = Number(/^lock\.(\d+)(?:\.left)?$/.exec(name)?.[1] ?? 0);
    if (pid > 0 && pid !== process.pid && !isRunning(pid)) await rm(join(dirname(path), name), { force: true });
  }
}

const inUse = (path: string, holder: string): Failure =>
  new Failure(`${holder} works in this folder at the moment.`, {
    advice: `Wait until it has ended. If there is none, delete ${path}`,
    exitCode: exitCodes.conflict,
    code: "folderInUse",
  });

async function removeIfLeft(path: string): Promise<void> {
  const text = await readIfThere(path);
  if (text === undefined) return;
  const holder = readHolder(text);
  if (holder && holder.computer !== hostname()) throw inUse(path, `A shelf on the computer ${holder.computer}`);
  // A program in a container often has the number that the one before it had, so our own number is no one else's.
  if (holder && holder.pid !== process.pid && isRunning(holder.pid)) throw inUse(path, `Another shelf (${holder.pid})`);
  // A third program may have done the same a moment ago: then this is its new claim, which it gets back.
  const away = `${path}.${process.pid}.left`;
  try {
    await rename(path, away);
    if ((await readIfThere(away)) !== text) await link(away, path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  } finally {
    await rm(away, { force: true });
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function readHolder(text: string): Holder | undefined {
  try {
    const { pid, computer } = JSON.parse(text) as Partial<Holder>;
    if (Number.isSafeInteger(pid) && pid! > 0 && typeof computer === "string") return { pid: pid!, computer };
  } catch {
    // The program ended while it wrote the file.
  }
  return undefined;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}
