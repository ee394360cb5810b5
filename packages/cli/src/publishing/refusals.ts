// Refusals of a registry, with what the author of a build can do about them.
import { ForbiddenError, UnauthorizedError, ValidationError } from "modshelf-client";
import { exitCodes, Failure } from "#shelf/failures.js";

interface Subject {
  host: string;
  ref: string;
  credential: { isTrusted: boolean };
  context: { env: Readonly<Record<string, string | undefined>> };
}

const scopes = "project_read, version_read and version_create";

export function explainRefusal(error: unknown, { host, credential, context }: Subject): unknown {
  if (error instanceof ValidationError && error.issues.length > 0) {
    const issues = error.issues.slice(0, 10).map((issue) => {
      const { path, message } = issue as { path?: string; message?: string };
      return `${path}: ${message}`;
    });
    return new Failure([error.message, ...issues].join("\n"), { code: error.code });
  }
  if (!(error instanceof UnauthorizedError || error instanceof ForbiddenError)) return error;
  const { message, code } = error;
  const isToken = !credential.isTrusted && Boolean(context.env.SHELF_TOKEN);
  const advice =
    code === "scopeMissing" || (isToken && error instanceof UnauthorizedError)
      ? `Create a token with the scopes ${scopes} at ${host}/settings/pats${isToken ? ", and store it as SHELF_TOKEN" : ""}.`
      : error instanceof UnauthorizedError
        ? "Sign in with: shelf login"
        : "Ask an owner of the project for the permission to publish versions.";
  return new Failure(message, { advice, exitCode: exitCodes.notAllowed, code });
}
