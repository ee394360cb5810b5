// The version of this program, from package.json: two folders above the compiled code and above the source alike.
import { readFileSync } from "node:fs";

const findPackage = (): { version: string } => {
  for (const up of ["../../../package.json", "../../../../package.json"]) {
    try {
      const text = readFileSync(new URL(up, import.meta.url), "utf8");
      return JSON.parse(text) as { version: string };
    } catch (error) {
      // Compiled code lies one folder deeper (dist/) than its source.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  throw new Error("package.json was not found beside the program");
};

export const { version } = findPackage();
