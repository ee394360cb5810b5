// A build service on loopback that vouches for builds as GitHub Actions and GitLab do: real keys, real HTTP, tokens
// with their claims. Everything that it signs can be falsified.
import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "#lib/clock.js";
import { siteUrl } from "#test/server/harness.js";

export type Claims = Record<string, unknown>;

export interface BuildService {
  url: string;
  /** The number of requests for its keys. */
  asked: number;
  /** The faulty behaviour instead of answering with its configuration and keys. */
  fault: "none" | "silent" | "other name" | "keys elsewhere" | "redirect";
  /** Uses a new key from here on; the old one is no longer published. */
  rotate(): void;
  /** The claims of a GitHub build, unless they are changed; undefined leaves one out. */
  token(claims?: Claims, header?: Claims, key?: KeyObject): string;
  gitlab(claims?: Claims): string;
  publicKey: KeyObject;
  stop(): Promise<void>;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const newKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

/** A token with this header and this signature. */
export const assembled = (header: Claims, claims: Claims, signer: (text: string) => Buffer): string => {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${signer(text).toString("base64url")}`;
};

/** The bug of libraries that let the token choose the algorithm: the public key is used as a shared secret. */
export const signedWithPublicKey = (claims: Claims, service: BuildService): string =>
  assembled({ alg: "HS256", kid: "1" }, claims, (text) =>
    createHmac("sha256", service.publicKey.export({ type: "spki", format: "pem" }))
      .update(text)
      .digest(),
  );

export async function startBuildService(clock: Clock): Promise<BuildService> {
  let keys = newKeys();
  let keyId = 1;
  const server = createServer((request, response) => {
    service.asked++;
    const send = (value: unknown) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (service.fault === "silent") return void request.socket.destroy();
    if (service.fault === "redirect") return void response.writeHead(302, { location: "/elsewhere" }).end();
    if (request.url === "/.well-known/openid-configuration")
      return void send({
        issuer: service.fault === "other name" ? "https://evil.example" : service.url,
        jwks_uri: service.fault === "keys elsewhere" ? "http://127.0.0.1:1/keys" : `${service.url}/keys`,
      });
    const jwk = keys.publicKey.export({ format: "jwk" });
    return void send({
      keys: [{ kty: "EC", kid: "x" }, { ...jwk, kid: String(keyId), use: "sig", alg: "RS256" }, null],
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const times = () => {
    const now = Math.floor(clock.now() / 1000);
    return { jti: randomUUID(), aud: siteUrl, iat: now, nbf: now - 5, exp: now + 300 };
  };
  const signed = (claims: Claims, header: Claims = {}, key: KeyObject = keys.privateKey): string =>
    assembled({ alg: "RS256", typ: "JWT", kid: String(keyId), ...header }, claims, (text) =>
      sign("RSA-SHA256", Buffer.from(text), key),
    );
  const service: BuildService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: 0,
    fault: "none",
    rotate() {
      keys = newKeys();
      keyId++;
      service.publicKey = keys.publicKey;
    },
    token: (claims, header, key) => signed({ ...times(), ...githubClaims, iss: service.url, ...claims }, header, key),
    gitlab: (claims) =>
      signed({
        ...times(),
        iss: service.url,
        project_path: "guild/lamps/dusk",
        namespace_id: "77",
        ci_config_ref_uri: `${new URL(service.url).host}/guild/lamps/dusk//.gitlab-ci.yml@refs/tags/v1`,
        ...claims,
      }),
    publicKey: keys.publicKey,
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return service;
}

const githubClaims = {
  sub: "repo:Octo/Dusk-Lamps:ref:refs/tags/v1",
  repository: "Octo/Dusk-Lamps",
  repository_owner: "Octo",
  repository_owner_id: "1001",
  repository_id: "5005",
  workflow_ref: "Octo/Dusk-Lamps/.github/workflows/publish.yml@refs/tags/v1",
  event_name: "push",
  ref: "refs/tags/v1",
  sha: "d6fd9f1e4a1f4c2f8a4b2f6f0b6a7c8d9e0f1a2b",
  run_id: "42",
  actor: "ada",
};
