// Figures that another process writes: they are applied to every record of their project until they are written.
import { pino } from "pino";
import { expect, test } from "vitest";
import type { PreparingTasks } from "#content/records/preparing-tasks.js";
import { type RecordFigure, UnwrittenFigures } from "./unwritten-figures.js";

const [projectId, other] = ["Alpha001", "Beta0001"];

/** The figure of a project, which is the only number of each record. */
const figureIn = (record: number, value: number): RecordFigure => ({ record, at: 0, segment: 0, position: 0, value });

function readFrom(figures: UnwrittenFigures, record: number): number {
  const bytes = Buffer.alloc(8);
  figures.applyTo(record, bytes, 0, 0, 8);
  return bytes.readDoubleLE();
}

test("figures are applied to records that become known later, and to those at other places, until they are written", async () => {
  const figures = new UnwrittenFigures(pino({ level: "silent" }));
  const writes: (() => void)[] = [];
  const setFigures = () => new Promise<void>((resolve) => void writes.push(resolve));
  const tasks = { ownsFiles: false, setFigures } as Partial<PreparingTasks> as PreparingTasks;
  for (const downloads of [4, 5]) figures.write([{ projectId, downloads, versions: [] }], [], tasks);
  expect(figures.size).toBe(0);
  figures.renew(other, () => [figureIn(1, 1)]);
  expect(figures.size).toBe(0);
  figures.renew(projectId, ({ downloads }) => [figureIn(2, downloads)]);
  expect(readFrom(figures, 2)).toBe(5);
  figures.renewAll(({ downloads }) => [figureIn(3, downloads)]);
  expect([readFrom(figures, 2), readFrom(figures, 3)]).toEqual([0, 5]);
  for (const end of writes) end();
  await figures.written;
  expect(figures.size).toBe(0);
});
