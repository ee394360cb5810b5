// Compiles the validators of all routes after the start, a few milliseconds at a time: compiled at their first use,
// those of one request could block the event loop for more than 50 ms. All of them take seconds, so the start does not
// wait.
import type { TSchema } from "typebox";
import { type EndpointSpec, isRaw } from "./endpoint.js";
import { isCompiled, type Use, validatorFor } from "./validation.js";

/** The pause between two of them. Together they take less than a tenth of a core. */
const pauseMs = 20;

export function compileEarly(endpoints: readonly EndpointSpec[]): { finished: Promise<void>; stop(): void } {
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  const waiting = endpoints.flatMap(validatorsOf).reverse();
  const timer = setInterval(() => {
    let next = waiting.pop();
    // A request has compiled it already.
    while (next && isCompiled(...next)) next = waiting.pop();
    if (next) validatorFor(...next);
    else stop();
  }, pauseMs).unref();
  const stop = () => {
    clearInterval(timer);
    resolve();
  };
  return { finished, stop };
}

/** The validators that requests to the endpoint use (mount.ts). */
function validatorsOf({ params, query, body, files, answer }: EndpointSpec): [Use, TSchema][] {
  const texts = [params, query, files && body].flatMap((schema): [Use, TSchema][] =>
    schema
      ? [
          ["text", schema],
          ["refusedText", schema],
        ]
      : [],
  );
  const bodies: [Use, TSchema][] = body
    ? [
        ["body", body],
        ["refusedBody", body],
      ]
    : [];
  return [...texts, ...bodies, ...(isRaw(answer) ? [] : [["answer", answer] as [Use, TSchema]])];
}
