// The JSON of a value as bytes, made at first use and kept for hot reads. The value itself is created again when
// needed, so that memory holds each answer once. Answers that consist of several parts are joined without parsing or
// serializing them again, and their ETags are made from those of the parts: hashing 100 KB would cost more than sending
// it.
import { entityTag, ReadyAnswer } from "#platform/http/answers.js";

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

/** Allocates memory for joined bytes: new, or on loan (scratch.ts). It may be longer than requested. */
type Memory = (length: number) => Buffer;

/** A JSON array of ready items in one buffer. */
export function joinArray(items: readonly Tagged[], memory: Memory = Buffer.allocUnsafe): ReadyAnswer {
  let length = items.length === 0 ? 2 : items.length + 1;
  for (const { bytes } of items) length += bytes.length;
  const joined = memory(length).subarray(0, length);
  let at = joined.write("[", 0, "latin1");
  for (let index = 0; index < items.length; index++) {
    if (index > 0) joined[at++] = comma;
    at += items[index]!.bytes.copy(joined, at);
  }
  joined.write("]", at, "latin1");
  return new ReadyAnswer(joined, () => entityTag(`array ${items.map((item) => item.tag).join(" ")}`));
}

const comma = 0x2c;

/** A JSON object of ready values. Keys are escaped. */
export function joinMap<V>(
  entries: ReadonlyMap<string, V>,
  pick: (value: V) => Tagged,
  memory: Memory = Buffer.allocUnsafe,
): ReadyAnswer {
  const keys: string[] = [];
  const values: Tagged[] = [];
  let length = 2;
  for (const [key, entry] of entries) {
    const value = pick(entry);
    const text = `${keys.length === 0 ? "{" : ","}${plainKey.test(key) ? `"${key}"` : JSON.stringify(key)}:`;
    keys.push(text);
    values.push(value);
    // At most three bytes per UTF-16 unit: computing the exact length costs more than the unused memory.
    length += 3 * text.length + value.bytes.length;
  }
  const joined = memory(length);
  let at = 0;
  for (let index = 0; index < keys.length; index++) {
    at += joined.write(keys[index]!, at, "utf8");
    at += values[index]!.bytes.copy(joined, at);
  }
  at += joined.write(keys.length === 0 ? "{}" : "}", at, "latin1");
  const tag = () => entityTag(`map ${keys.map((key, index) => key + values[index]!.tag).join("")}`);
  return new ReadyAnswer(joined.subarray(0, at), tag);
}

const plainKey = /^[\w-]*$/;

/** `{"success":true,"<key>":…}`, the wrapper of three routes (interface §4). */
export const wrap = (key: "project" | "data", value: Tagged): ReadyAnswer =>
  new ReadyAnswer(
    Buffer.concat([Buffer.from(`{"success":true,"${key}":`), value.bytes, Buffer.from("}")]),
    () => value.tag,
  );

/** One ready item as a whole answer. */
export const alone = (value: Tagged): ReadyAnswer => new ReadyAnswer(value.bytes, () => value.tag);
