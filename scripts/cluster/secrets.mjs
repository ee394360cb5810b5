// The secrets that the nodes of a cluster share. They are created once and stored with the data.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function findSecrets(folder) {
  const path = join(folder, "secrets.json");
  if (!existsSync(path)) {
    const secrets = {
      secretKey: randomBytes(32).toString("base64"),
      accessKeyId: `CLUSTER${randomBytes(6).toString("hex").toUpperCase()}`,
      secretAccessKey: randomBytes(24).toString("base64"),
    };
    writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(path, "utf8"));
}
