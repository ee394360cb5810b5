// Text that is made once and sent often: style sheets, the OpenAPI document, pages that are the same for all users. Fonts
// are sent in the same way, but they are compressed already.
import type { FastifyReply, FastifyRequest } from "fastify";
import { entityTag, ReadyAnswer, sendReady } from "./answers.js";

export class ReadyText {
  readonly #type: string;
  readonly #answer: ReadyAnswer;

  constructor(text: string, type: string) {
    const bytes = Buffer.from(text);
    this.#type = type;
    this.#answer = new ReadyAnswer(bytes, () => entityTag(bytes), "thorough");
  }

  get tag(): string {
    return this.#answer.tag;
  }

  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return sendReady(request, reply.type(this.#type), this.#answer);
  }
}

export class ReadyFont {
  readonly #bytes: Buffer;
  readonly tag: string;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.tag = entityTag(bytes);
  }

  async send(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return reply.type("font/woff2").send(this.#bytes);
  }
}
