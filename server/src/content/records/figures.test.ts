import { expect, test } from "vitest";
import type { Change } from "#platform/changes/change-log.js";
import { write } from "#platform/changes/write.js";
import { testApp } from "#test/server/harness.js";
import { announceFigures, Figures, type FiguresChange } from "./figures.js";

const { resources } = await testApp();

test("a large flush reaches listeners in parts, without projects that change in between", async () => {
  const flush = Array.from({ length: 1000 }, (_, index) => ({
    projectId: `project-${index}`,
    downloads: index,
    versions: [],
  }));
  await write(resources, { credential: "test" }, (tx) => announceFigures(tx, flush));
  const { seq } = await resources.db
    .selectFrom("figure_changes")
    .select("seq")
    .orderBy("seq", "desc")
    .executeTakeFirstOrThrow();

  let tell = (_: Change): unknown => undefined;
  const changeLog = {
    isFollowing: true,
    subscribe: (listener: typeof tell) => {
      tell = listener;
    },
  } as unknown as typeof resources.changeLog;
  const figures = new Figures({ ...resources, changeLog });
  let turn = 0;
  const turns: number[] = [];
  const received: FiguresChange[] = [];
  const nextTurn = () => {
    turn++;
    turning = setImmediate(nextTurn);
  };
  let turning = setImmediate(nextTurn);
  figures.subscribe({
    figuresChanged(changes) {
      expect(changes.length).toBeLessThan(100);
      turns.push(turn);
      received.push(...changes);
      if (turns.length === 1) tell({ seq: 0, kind: "project", id: "project-990" });
    },
    figuresLost: () => expect.unreachable("The figures are there."),
  });
  tell({ seq: 0, kind: "figures", id: String(seq) });
  await figures.settled();
  clearImmediate(turning);

  expect(new Set(turns).size).toBe(turns.length);
  expect(received).toEqual(flush.filter(({ projectId }) => projectId !== "project-990"));
});
