// Preloaded for generators of clients: they use the compiler as a library, with the API that it had before TypeScript
// 7, and so get TypeScript 5.
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? "typescript-5" : specifier, context),
});
