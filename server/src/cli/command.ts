// What the commands share: how they fail.

/** The words of the call are off; the help is shown. */
export class UsageError extends Error {}

/** Something a person can mend; the message says how. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
