// Preloaded into the child processes in which a few tests run sources: there `./x.js` and `#lib/x.js` name files that
// end in `.ts`.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const isOfSources = /^[.#]/.test(specifier) && context.parentURL?.endsWith(".ts");
    return next(isOfSources ? specifier.replace(/\.js$/, ".ts") : specifier, context);
  },
});
