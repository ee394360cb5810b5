// A real SMTP server on loopback that stores received mails, for tests that follow a mail to its end.

import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

export interface ReceivedMail {
  /** Envelope addresses, without the angle brackets. */
  from: string;
  to: string[];
  /** Headers and body as they came over the wire, dots unstuffed. */
  data: string;
  /** The body as a reader sees it. */
  text: string;
}

export interface SmtpServer {
  /** For the mailer's configuration; contains the credentials if the server requires them. */
  url: string;
  messages: ReceivedMail[];
  /** The oldest message that was not returned yet; waits for one if there is none. */
  nextMessage(): Promise<ReceivedMail>;
  /** From now on, mails that match are dropped. */
  ignore(pattern: RegExp): void;
  stop(): Promise<void>;
}

export async function startSmtp(credentials?: { user: string; password: string }): Promise<SmtpServer> {
  const messages: ReceivedMail[] = [];
  const waiting: PromiseWithResolvers<ReceivedMail>[] = [];
  const sockets = new Set<Socket>();
  let handedOut = 0;

  let ignored: RegExp | undefined;

  const receive = (mail: ReceivedMail) => {
    if (ignored?.test(mail.data)) return;
    messages.push(mail);
    const first = waiting.shift();
    if (!first) return;
    handedOut++;
    first.resolve(mail);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    converse(socket, credentials, receive);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const login = credentials
    ? `${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}@`
    : "";
  return {
    ignore: (pattern) => {
      ignored = pattern;
    },
    url: `smtp://${login}127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    nextMessage() {
      const ready = messages[handedOut];
      if (ready) {
        handedOut++;
        return Promise.resolve(ready);
      }
      const wait = Promise.withResolvers<ReceivedMail>();
      waiting.push(wait);
      return wait.promise;
    },
    async stop() {
      for (const wait of waiting) wait.reject(new Error("The SMTP server was stopped before another mail came"));
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One connection, from the greeting to QUIT. */
function converse(
  socket: Socket,
  credentials: { user: string; password: string } | undefined,
  receive: (mail: ReceivedMail) => void,
): void {
  let signedIn = credentials === undefined;
  let envelope: { from?: string; to: string[] } = { to: [] };
  let dataLines: string[] | undefined;

  const answers: Record<string, (rest: string) => string> = {
    EHLO: () => (credentials ? "250-localhost\r\n250 AUTH PLAIN" : "250 localhost"),
    HELO: () => "250 localhost",
    AUTH: (rest) => {
      const [mechanism = "", initial = ""] = rest.split(" ");
      const [, user, password] = Buffer.from(initial, "base64").toString().split("\0");
      signedIn ||=
        mechanism.toUpperCase() === "PLAIN" && user === credentials?.user && password === credentials?.password;
      return signedIn ? "235 signed in" : "535 wrong user or password";
    },
    MAIL: (rest) => {
      const from = /^FROM:<([^>]*)>/i.exec(rest)?.[1];
      if (!signedIn) return "530 sign in first";
      if (from === undefined) return "501 MAIL FROM:<address>";
      envelope = { from, to: [] };
      return "250 ok";
    },
    RCPT: (rest) => {
      const to = /^TO:<([^>]+)>/i.exec(rest)?.[1];
      if (envelope.from === undefined) return "503 MAIL first";
      if (to === undefined) return "501 RCPT TO:<address>";
      envelope.to.push(to);
      return "250 ok";
    },
    DATA: () => {
      if (envelope.to.length === 0) return "503 RCPT first";
      dataLines = [];
      return "354 end with a dot";
    },
    RSET: () => {
      envelope = { to: [] };
      return "250 ok";
    },
    NOOP: () => "250 ok",
    QUIT: () => "221 bye",
  };

  const takeLine = (line: string) => {
    if (dataLines === undefined) {
      const [, verb = "", rest = ""] = /^([A-Za-z]*) ?(.*)$/s.exec(line) ?? [];
      const answer = answers[verb.toUpperCase()]?.(rest) ?? "500 unknown command";
      socket.write(`${answer}\r\n`);
      if (verb.toUpperCase() === "QUIT") socket.end();
    } else if (line === ".") {
      const data = dataLines.map((text) => `${text}\r\n`).join("");
      receive({ from: envelope.from ?? "", to: envelope.to, data, text: readableText(data) });
      dataLines = undefined;
      envelope = { to: [] };
      socket.write("250 kept\r\n");
    } else {
      dataLines.push(line.startsWith(".") ? line.slice(1) : line);
    }
  };

  let received = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    received += chunk;
    const lines = received.split("\r\n");
    received = lines.pop() ?? "";
    for (const line of lines) takeLine(line);
  });
  socket.write("220 localhost ready\r\n");
}

/** Undoes the transfer encodings and the soft line ends of format=flowed that a mailer uses for plain text. */
function readableText(data: string): string {
  const end = data.indexOf("\r\n\r\n");
  const headers = data.slice(0, end).toLowerCase();
  const body = data.slice(end + 4);
  if (headers.includes("content-transfer-encoding: base64")) return Buffer.from(body, "base64").toString();
  if (headers.includes("content-transfer-encoding: quoted-printable")) return fromQuotedPrintable(body);
  return headers.includes("format=flowed") ? body.replace(/(?<!^--) \r\n/gm, " ") : body;
}

function fromQuotedPrintable(body: string): string {
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
