// Preloaded where a generator of clients runs: they use the compiler as a library, in the form that it had before
// TypeScript 7, and so get a copy of TypeScript 5.
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? "typescript-5" : specifier, context),
});
