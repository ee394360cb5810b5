// Kinds of settings, each with valid and invalid values.
import type { Config } from "#config/config.js";

export const canary = "Kx7canaryQ9";

export interface Samples {
  pick: (config: Config) => unknown;
  good: [text: string, value: unknown][];
  bad: string[];
  /** Other settings that must be set so that only the setting under test decides. */
  company?: Record<string, string>;
}

type Pick = Samples["pick"];

/** Values separated by bars; CANARY and LONG are filled in. */
export const list = (text: string) =>
  text.split(" | ").map((each) => each.replaceAll("CANARY", canary).replaceAll("LONG", "a".repeat(10_000)));

export const asIs = (text: string) => list(text).map((each): [string, string] => [each, each]);

export const numbers = (pick: Pick, least: number, most: number): Samples => ({
  pick,
  good: [String(least), String(most), ` ${most} `].map((text) => [text, Number(text)]),
  bad: [
    ...list("-1 | 1.5 | 0x10 | 1e2 | NaN | Infinity | CANARY | 5CANARY | १२"),
    ...[String(most + 1), "9".repeat(400)],
    ...(least > 0 ? ["0"] : []),
  ],
});

export const sizes = (pick: Pick): Samples => ({
  pick,
  good: Object.entries({ "2048": 2048, "1 KiB": 1024, "10MB": 1e7, "1.5 mib": 1_572_864, "64 MiB": 2 ** 26 }),
  bad: list(
    "0 | 1023 | -5 MiB | 101 GiB | 5 M | 5 TB | MiB | 1,5 MiB | 1.5.5 MiB | 5  MiB | CANARY | 5 CANARY | 5 __proto__",
  ),
});

export const badAddresses = list(
  "http://u:CANARY@a.example | ftp://a.example | a.example | http:// | http://a b.example | http://*.a.example | http:\\\\a.example | " +
    "http:a.example | http://999.999.999.999 | http://a:99999 | javascript:alert(1) | http://a.example/?CANARY | http://a.example? | " +
    "http://a.example/#CANARY | LONG",
);

export const origin = (pick: Pick): Samples => ({
  pick,
  good: [
    ["https://Mods.Example.org/", "https://mods.example.org"],
    ["https://example.org:443", "https://example.org"],
    ...asIs("http://[::1]:8080 | http://mod_shelf:3000"),
  ],
  bad: [...badAddresses, ...list("http://a.example/CANARY | http://a.example//")],
});

export const host = (pick: Pick): Samples => ({
  pick,
  good: asIs("0.0.0.0 | :: | ::1 | localhost | mods.example.org"),
  bad: list("[::1] | 256.1.1.1 | 1.2.3 | http://a.example | a b | -a | a..b | host:80 | CANARY! | LONG"),
});

export const choice = (pick: Pick, values: Record<string, unknown>): Samples => ({
  pick,
  good: Object.entries(values).flatMap(([text, value]) =>
    [text, text.toUpperCase()].map((each): [string, unknown] => [each, value]),
  ),
  bad: list("true | 1 | yes | CANARY | on,off | __proto__ | constructor"),
});

export const word = (pick: Pick, company: Samples["company"]): Samples => ({
  pick,
  company,
  good: asIs("Iv1.8a61f9b3a7aba766 | AKIA+/=x9"),
  bad: list("two words | ümlautCANARY | CANARYLONG | CANARY\u200b"),
});

export const secret = (pick: Pick, company: Samples["company"]): Samples => {
  const { bad, ...rest } = word(pick, company);
  return { ...rest, bad: [...bad, ...list("changeme | ChangeMe123! | secret | xxxxxxxx | <your-secret> | 12345678")] };
};

export const client = (
  name: string,
  pick: (oauth: Config["oauth"]) => { clientId: string; clientSecret: string } | undefined,
) => {
  const [id, key] = [`MODSHELF_OAUTH_${name}_CLIENT_ID`, `MODSHELF_OAUTH_${name}_CLIENT_SECRET`];
  return {
    [id]: word((c) => pick(c.oauth)?.clientId, { [key]: "k3y" }),
    [key]: secret((c) => pick(c.oauth)?.clientSecret, { [id]: "id" }),
  };
};
