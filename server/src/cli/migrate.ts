import { UsageError } from "./command.js";

export async function runMigrate(_args: string[]): Promise<number> {
  throw new UsageError("migrate is not there yet");
}
