import { UsageError } from "./command.js";

export async function runDoctor(_args: string[]): Promise<number> {
  throw new UsageError("doctor is not there yet");
}
