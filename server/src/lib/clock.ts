// Time as a value that is passed in, so that tests can control it. Nothing else in the server reads the wall clock.

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
