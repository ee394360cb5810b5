// The log for people: pino's JSON lines become one short line each on a terminal. Everywhere else the JSON stays.

interface Out {
  write(text: string): unknown;
}

/** Levels as pino numbers them. */
const labels: Record<number, string> = {
  10: "trace ",
  20: "debug ",
  40: "\u001b[33mwarn\u001b[0m ",
  50: "\u001b[31merror\u001b[0m ",
  60: "\u001b[31mfatal\u001b[0m ",
};

export const terminalLines = (out: Out): Out => ({ write: (line) => out.write(`${toTerminalLine(line)}\n`) });

export function toTerminalLine(json: string): string {
  const { level, time, msg = "", err, reqId: _, ...rest } = JSON.parse(json);
  const details = Object.entries(rest).map(([name, value]) => `${name}=${toText(value)}`);
  const columns = [time.slice(11, 19), `${labels[level] ?? ""}${printable(msg)}`, dim(details.join(" "))];
  const error = err === undefined ? "" : `\n${printable(err.stack ?? err.message ?? toText(err))}`;
  return columns.filter(Boolean).join("  ") + error;
}

const dim = (text: string): string => (text === "" ? "" : `\u001b[2m${text}\u001b[0m`);

const toText = (value: unknown): string => printable(typeof value === "string" ? value : JSON.stringify(value));

/** External text must not be able to move the cursor or clear the screen. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const printable = (text: string): string => text.replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, "\ufffd");
