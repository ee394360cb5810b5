// A value's JSON as bytes, made at first use and kept: what hot reads send. The value itself is made anew when somebody
// needs it, so that memory holds each answer once. Answers made of several such parts are joined without parsing or
// writing any of them again, and their tags are made from the parts' tags: hashing 100 KB would cost more than sending it.
import { entityTag, ReadyAnswer } from "../http/answers.js";

export interface Tagged {
  readonly bytes: Buffer;
  readonly tag: string;
}

export class ReadyBytes<T> implements Tagged {
  readonly #make: () => T;
  #bytes: Buffer | undefined;
  #tag: string | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  get value(): T {
    return this.#make();
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(JSON.stringify(this.#make()));
    return this.#bytes;
  }

  get tag(): string {
    this.#tag ??= entityTag(this.bytes);
    return this.#tag;
  }
}

const [open, close, comma] = ["[", "]", ","].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

/** A JSON array of ready items. */
export function joinArray(items: readonly Tagged[]): ReadyAnswer {
  const parts: Buffer[] = [open];
  let tags = "";
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.push(comma);
    parts.push(item.bytes);
    tags += item.tag;
  }
  parts.push(close);
  return new ReadyAnswer(Buffer.concat(parts), () => entityTag(`array ${tags}`));
}

/** A JSON object from keys to ready values. Keys are written as JSON, so that none can break out. */
export function joinMap(entries: readonly (readonly [key: string, value: Tagged])[]): ReadyAnswer {
  const parts: Buffer[] = [];
  let tags = "";
  for (const [index, [key, value]] of entries.entries()) {
    parts.push(Buffer.from(`${index === 0 ? "{" : ","}${JSON.stringify(key)}:`), value.bytes);
    tags += `${key} ${value.tag} `;
  }
  parts.push(Buffer.from(entries.length === 0 ? "{}" : "}"));
  return new ReadyAnswer(Buffer.concat(parts), () => entityTag(`map ${tags}`));
}

/** `{"success":true,"<key>":…}`, the wrapper of three routes (interface §4). */
export const wrap = (key: "project" | "data", value: Tagged): ReadyAnswer =>
  new ReadyAnswer(
    Buffer.concat([Buffer.from(`{"success":true,"${key}":`), value.bytes, Buffer.from("}")]),
    () => value.tag,
  );

/** One ready item as an answer of its own. */
export const alone = (value: Tagged): ReadyAnswer => new ReadyAnswer(value.bytes, () => value.tag);
