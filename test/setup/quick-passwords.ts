// Hashes of passwords cost a sixty-fourth of their memory in servers that run inside the test process: the hash of a
// real server takes as long as many tests. Different costs still yield different hashes.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const divisor = 64;
const { argon2 } = crypto;

crypto.argon2 = (algorithm, parameters, callback) =>
  argon2(algorithm, { ...parameters, memory: Math.ceil(parameters.memory / divisor) }, callback);
syncBuiltinESMExports();
