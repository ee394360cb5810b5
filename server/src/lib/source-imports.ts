// Preloaded into child processes of a server that runs uncompiled, as under test: there `./x.js` is the file `x.ts`.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const isOfSources = specifier.startsWith(".") && context.parentURL?.endsWith(".ts");
    return next(isOfSources ? specifier.replace(/\.js$/, ".ts") : specifier, context);
  },
});
