// Recognizes requests to the content host, where only `/cdn/**` exists (decisions §1), and to the host of the Modrinth face.

export type ContentHostTest = (host: string | undefined) => boolean;

/**
 * Compares names without case and without a final dot. The port counts only if both hosts have the same name: a port
 * that a proxy maps, adds or drops must never expose the API and the website under the content host's name.
 */
export function contentHostTest({ url, cdnUrl }: { url: string; cdnUrl: string }): ContentHostTest {
  const [base, content] = [parseHost(new URL(url)), parseHost(new URL(cdnUrl))];
  if (base.name !== content.name) return (host) => host !== undefined && splitHost(host).name === content.name;
  if (base.port === content.port) return () => false;
  return (host) => {
    if (host === undefined) return false;
    const { name, port } = splitHost(host);
    return name === content.name && (port || content.defaultPort) === content.port;
  };
}

/** Recognizes requests to the host of the Modrinth face, if it has one: only `/v2/**` exists there, and its root. */
export const faceHostTest = ({
  url,
  modrinthApi,
  modrinthUrl,
}: {
  url: string;
  modrinthApi: boolean;
  modrinthUrl?: string | undefined;
}): ContentHostTest | undefined =>
  modrinthApi && modrinthUrl !== undefined ? contentHostTest({ url, cdnUrl: modrinthUrl }) : undefined;

function parseHost({ host, protocol }: URL) {
  const { name, port } = splitHost(host);
  const defaultPort = protocol === "https:" ? "443" : "80";
  return { name, port: port || defaultPort, defaultPort };
}

function splitHost(host: string): { name: string; port: string } {
  const [, name = "", port = ""] = /^(.*?)(?::(\d*))?$/.exec(host) ?? [];
  return { name: name.replace(/\.$/, "").toLowerCase(), port: port.replace(/^0+/, "") };
}
