// Syntax highlighting for the languages that mod authors use. It only adds class names.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import glsl from "highlight.js/lib/languages/glsl";
import groovy from "highlight.js/lib/languages/groovy";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import lua from "highlight.js/lib/languages/lua";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const languages = {
  bash,
  cpp,
  csharp,
  css,
  glsl,
  groovy,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  python,
  rust,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
hljs.registerAliases(["toml", "properties"], { languageName: "ini" });
hljs.registerAliases(["gradle"], { languageName: "groovy" });

/**
 * For all code of a text together. The rest is not highlighted, because highlighting takes longer than all other steps.
 */
const mostLetters = 20_000;

/** For one text. Returns an empty string if nothing is highlighted; the parser then escapes the code itself. */
export function createHighlighter(): (code: string, language: string) => string {
  let letters = 0;
  return (code, language) => {
    if (letters + code.length > mostLetters || !hljs.getLanguage(language)) return "";
    letters += code.length;
    return hljs.highlight(code, { language, ignoreIllegals: true }).value;
  };
}
