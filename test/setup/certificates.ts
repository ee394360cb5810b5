// Certificates for TLS servers under test: a separate authority and its certificates, created on demand. Node.js reads
// certificates and does not write them, so their few fields are encoded here (RFC 5280, DER).
import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const octets = (...parts: Uint8Array[]) => der(0x04, ...parts);
const tagged = (number: number, ...parts: Uint8Array[]) => der(0xa0 + number, ...parts);
const serial = () => der(0x02, Buffer.from([1]), randomBytes(8));
const bits = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes);
const identifier = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const yes = der(0x01, Buffer.from([0xff]));
const date = (text: string) => der(0x18, Buffer.from(text));

const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"));
const nameOf = (text: string) => sequence(der(0x31, sequence(identifier("550403"), der(0x0c, Buffer.from(text)))));
const validity = sequence(date("20200101000000Z"), date("21200101000000Z"));
const basicConstraints = sequence(identifier("551d13"), yes, octets(sequence(yes)));
const alternativeName = (host: string) =>
  sequence(identifier("551d11"), octets(sequence(der(0x82, Buffer.from(host)))));

interface Signer {
  name: string;
  key: KeyObject;
}

function certificate(subject: string, publicKey: KeyObject, signer: Signer, extension: Buffer): string {
  const content = sequence(
    tagged(0, der(0x02, Buffer.from([2]))),
    serial(),
    ecdsaWithSha256,
    nameOf(signer.name),
    validity,
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tagged(3, sequence(extension)),
  );
  const signature = createSign("sha256").update(content).sign(signer.key);
  const text = sequence(content, ecdsaWithSha256, bits(signature)).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
}

const newKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });

export interface Authority {
  certificate: string;
  /** The key and certificate of a TLS server for this host name. */
  issue(host: string): { key: string; cert: string };
}

export function createAuthority(): Authority {
  const name = `Test authority ${randomBytes(4).toString("hex")}`;
  const keys = newKeys();
  const self = { name, key: keys.privateKey };
  return {
    certificate: certificate(name, keys.publicKey, self, basicConstraints),
    issue(host) {
      const { publicKey, privateKey } = newKeys();
      return {
        key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
        cert: certificate(host, publicKey, self, alternativeName(host)),
      };
    },
  };
}
