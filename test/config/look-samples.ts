// Sample values for the settings of the site's appearance and of pictures from other sites.
import { locales } from "#words/languages.js";
import { asIs, choice, list, type Samples } from "./sample-kinds.js";

export const lookSamples: Record<string, Samples> = {
  MODSHELF_SITE_NAME: {
    pick: (c) => c.look.name,
    good: asIs(`M | Comet Mods & Co. | 日本の棚 | ${"x".repeat(40)}`),
    bad: list(`${"x".repeat(41)} | CANARYLONG`),
  },
  MODSHELF_SITE_DESCRIPTION: {
    pick: (c) => c.look.description,
    good: asIs(`Mods for all | ${"x".repeat(200)}`),
    bad: list(`${"x".repeat(201)} | CANARYLONG`),
  },
  MODSHELF_LANGUAGE: choice((c) => c.look.language, Object.fromEntries(locales.map((each) => [each, each]))),
  MODSHELF_FOOTER_LINKS: {
    pick: (c) => c.look.footerLinks,
    good: [
      ["Forum <https://f.example/>", [{ text: "Forum", url: "https://f.example" }]],
      [
        "Über uns<http://a.example/b>, C # <https://c.example>",
        [
          { text: "Über uns", url: "http://a.example/b" },
          { text: "C #", url: "https://c.example" },
        ],
      ],
    ],
    bad: list(
      "CANARY | https://a.example | <https://a.example> | a <javascript:CANARY> | a <https://u:CANARY@b.example> | a <b <https://c.example>> | a <https://b.example> CANARY | LONG <https://a.example> | " +
        Array.from({ length: 9 }, (_, at) => `l${at} <https://a.example>`).join(", "),
    ),
  },
  MODSHELF_REMOTE_PICTURES: {
    pick: (c) => c.remotePictures,
    good: [
      ["ON", "on"],
      ["off", "off"],
      ["i.imgur.com, *.Example.org 10.0.0.1:8080", ["i.imgur.com", "*.example.org", "10.0.0.1:8080"]],
      ["[::1]:80", ["[::1]:80"]],
    ],
    bad: list("https://CANARY.example | a.example/CANARY | * | *.* | a b! | 1.2.3.999 | a.example:99999 | LONG"),
  },
  MODSHELF_LAUNCHER_LINKS: {
    pick: (c) => c.launchers.links,
    good: [
      [
        "Comet Launcher <comet://install?file={url}&hash={sha512}>",
        [{ name: "Comet Launcher", only: [], template: "comet://install?file={url}&hash={sha512}" }],
      ],
      [
        "彗星[quilt 0.5 mod]<web+comet:{projectId}/{versionId}>, B (beta) <https://b.example/open#{project}>",
        [
          { name: "彗星", only: ["quilt", "0.5", "mod"], template: "web+comet:{projectId}/{versionId}" },
          { name: "B (beta)", only: [], template: "https://b.example/open#{project}" },
        ],
      ],
    ],
    bad: list(
      'CANARY | comet://{url} | <comet://{url}> | a <comet://CANARY> | a <comet://{CANARY}> | a <comet://{url> | a <{url}> | a <{loader}://x/{url}> | a <//x/{url}> | a <javascript:alert({name})> | a <JavaScript:{url}> | a <data:text/html;{name}> | a <file:///{file}> | a <vbscript:{name}> | a <http://a.example/{url}> | a <blob:https://a.example/{url}> | a <view-source:https://a.example/{url}> | a <ms-msdt:/id {url}> | a <ms-settings:{name}> | a <chrome://settings/{name}> | a <intent://x/{url}> | a <search-ms:query={name}> | a <comet://x/"{url}> | a <comet://x/ {url}> | a <x:{url}> | a [b!] <comet://{url}> | a [] <comet://{url}> | LONG <comet://{url}> | ' +
        Array.from({ length: 9 }, (_, at) => `l${at} <comet://{url}>`).join(", "),
    ),
  },
  MODSHELF_LAUNCHER_COMMAND: {
    pick: (c) => c.launchers.command,
    good: asIs("comet install {project} --version {version} | comet get '{url}' && echo ok"),
    bad: list(
      "CANARY | comet {CANARY} | comet {name} | comet {file} | comet {project | comet {project} ü | LONG {project",
    ),
  },
  MODSHELF_REMOTE_PICTURE_CACHE_SIZE: {
    pick: (c) => c.limits.remotePictureBytes,
    good: [
      ["1 MiB", 1024 ** 2],
      ["10 GiB", 10 * 1024 ** 3],
    ],
    bad: list("1023 KiB | 0 | off | -1 | 1001 GiB | 1 CANARY"),
  },
  MODSHELF_THEME: choice((c) => c.look.theme, { auto: "auto", light: "light", dark: "dark" }),
  MODSHELF_ACCENT: {
    pick: (c) => c.look.accent,
    good: [
      ["#7A1F6B", "#7a1f6b"],
      ["#000000", "#000000"],
    ],
    bad: list("red | #fff | 7a1f6b | #ffffff | #888888 | #7a1f6b00 | #CANARY | #gggggg"),
  },
};
