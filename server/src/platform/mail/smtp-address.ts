// The parts of the mail server's URL, as a form shows them: host, port, encryption, user and password.
import { isIPv6 } from "node:net";

/** TLS from the start, STARTTLS always, or STARTTLS only if the server offers it. */
export const securities = ["tls", "starttls", "auto"] as const;
export type Security = (typeof securities)[number];

export interface SmtpAddress {
  host: string;
  port: string;
  security: Security;
  user: string;
  password: string;
}

export const usualPort = (security: Security): string => (security === "tls" ? "465" : "587");

export function toSmtpUrl({ host, port, security, user, password }: SmtpAddress): string {
  const login = user === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  const scheme = security === "tls" ? "smtps" : "smtp";
  const place = `${isIPv6(host) ? `[${host}]` : host}:${port || usualPort(security)}`;
  return `${scheme}://${login}${place}${security === "starttls" ? "?requireTLS=true" : ""}`;
}

/** Takes a URL that the setting's parser accepts. */
export function fromSmtpUrl(text: string): SmtpAddress {
  const url = new URL(text);
  const isAlways = url.searchParams.get("requireTLS") === "true";
  const security = url.protocol === "smtps:" ? "tls" : isAlways ? "starttls" : "auto";
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port || usualPort(security),
    security,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}
