// An S3-compatible server in this process, with its objects in a folder.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const S3rver = require("@20minutes/s3rver");
const { DUMMY_ACCOUNT: account } = require("@20minutes/s3rver/lib/models/account");

export const bucket = "modshelf";

export async function startS3(directory, { accessKeyId, secretAccessKey }) {
  account.createKeyPair(accessKeyId, secretAccessKey);
  const options = { address: "127.0.0.1", port: 0, silent: true, directory, configureBuckets: [{ name: bucket }] };
  const server = new S3rver(options);
  // Otherwise it logs requests that end after it was stopped.
  server.logger.silent = true;
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      server.httpServer.closeAllConnections();
      await server.close();
    },
  };
}
