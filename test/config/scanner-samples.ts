// Valid and invalid values of the settings of the malware scanner.
import { choice, list, type Samples } from "./sample-kinds.js";

export const scannerSamples: Record<string, Samples> = {
  MODSHELF_SCANNER: {
    pick: (c) => c.scanner.place,
    good: [
      ["127.0.0.1:3310", { host: "127.0.0.1", port: 3310 }],
      ["[::1]:3310", { host: "::1", port: 3310 }],
      ["clamav:65535", { host: "clamav", port: 65_535 }],
      ["/run/clamav/clamd.ctl", { path: "/run/clamav/clamd.ctl" }],
    ],
    bad: list("CANARY | :3310 | host:0 | host:65536 | ::1:3310 | ./clamd | http://CANARY:80 | a b:1 | host:12x | LONG"),
  },
  MODSHELF_SCANNER_UNAVAILABLE: choice((c) => c.scanner.whenUnscanned, { hold: "hold", publish: "publish" }),
  MODSHELF_SCANNER_MAX_SIZE: {
    pick: (c) => c.scanner.largestBytes,
    good: [["25 MiB", 25 * 1024 ** 2]],
    bad: list("1 KiB | 5 GiB | off | -1 | 1 CANARY"),
  },
};
