import { expect, test } from "vitest";
import { displace, type StoredHost } from "./frequent-hosts.js";

const of = (host: string, count: number, missed = 0): StoredHost => ({ host, count, missed });

test("new hosts displace the rarest ones only, and no view is lost", () => {
  const result = displace(
    [of("a", 1), of("b", 900)],
    [
      { host: "x", count: 1 },
      { host: "y", count: 3 },
    ],
  );
  // "x" took the place of "a", and "y" that of "x": "b" is too frequent.
  expect(result).toEqual({ displaced: [of("a", 1)], added: [of("y", 3, 2)], others: 2 });
  expect(displace([], [{ host: "x", count: 4 }])).toEqual({ displaced: [], added: [], others: 4 });
});

test("a host with more than its share of the views is stored, whatever comes between", () => {
  const room = 20;
  let stored: StoredHost[] = Array.from({ length: room }, (_, n) => of(`first${n}`, 1));
  for (let n = 0; n < 2000; n++) {
    const host = n % 10 === 9 ? "frequent" : `rare${n}`;
    const known = stored.find((each) => each.host === host);
    if (known) {
      known.count++;
      continue;
    }
    const rarest = stored.toSorted((a, b) => a.count + a.missed - b.count - b.missed).slice(0, 1);
    const { displaced, added } = displace(rarest, [{ host, count: 1 }]);
    stored = [...stored.filter((each) => !displaced.includes(each)), ...added];
  }
  expect(stored).toHaveLength(room);
  expect(stored.find(({ host }) => host === "frequent")?.count).toBeGreaterThan(150);
});
