// A receiver of webhooks on loopback: stores messages, verifies signatures with its own implementation of the standard,
// and answers as the test says.
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";

export interface ReceivedMessage {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  json: any;
}

type Answer = (response: ServerResponse, message: ReceivedMessage) => void;

export const answering =
  (status: number, headers: Record<string, string> = {}, body = ""): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);

export interface Receiver {
  url: string;
  messages: ReceivedMessage[];
  /** The answers to the next messages; then 204 again. */
  answers: Answer[];
  /** The answer to all messages from now on. */
  answer: Answer;
  /** The messages of this event type. */
  of(type: string): ReceivedMessage[];
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const message = { path: request.url!, headers: request.headers, body, json: JSON.parse(body) };
    receiver.messages.push(message);
    (receiver.answers.shift() ?? receiver.answer)(response, message);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    messages: [],
    answers: [],
    answer: answering(204),
    of: (type) => receiver.messages.filter(({ json }) => json.type === type),
  };
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return receiver;
}

/** The signatures of the message that were made with this secret. */
export function matchingSignatures({ headers, body }: ReceivedMessage, secret: string): string[] {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const expected = `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
  return String(headers["webhook-signature"])
    .split(" ")
    .filter((signature) => signature === expected);
}
