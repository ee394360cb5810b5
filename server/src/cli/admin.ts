import { UsageError } from "./command.js";

export async function runAdmin(_args: string[]): Promise<number> {
  throw new UsageError("admin is not there yet");
}
