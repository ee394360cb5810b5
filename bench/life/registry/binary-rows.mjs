// Rows in PostgreSQL's binary form of COPY: nothing has to be escaped here or parsed there.

/** "PGCOPY", flags, and the length of an extension. */
const header = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const initialSize = 1 << 19;

/** Write a value at a place of a buffer. They return its size. */
const writers = {
  text: (buffer, value, at) => buffer.utf8Write(value, at),
  bytea: (buffer, value, at) => value.copy(buffer, at),
  integer: (buffer, value, at) => buffer.writeInt32BE(value, at) - at,
  bigint(buffer, value, at) {
    buffer.writeInt32BE(Math.floor(value / 2 ** 32), at);
    return buffer.writeUInt32BE(value % 2 ** 32, at + 4) - at;
  },
};

export class BinaryRows {
  #buffer = Buffer.allocUnsafe(initialSize);
  #end = header.copy(this.#buffer);
  #writers;

  constructor(columns) {
    this.names = columns.map(({ name }) => name);
    this.#writers = columns.map(({ type }) => writers[type]);
  }

  /** Bytes that wait. */
  get size() {
    return this.#end;
  }

  add(values) {
    let at = this.#end;
    const fields = this.#writers;
    this.#reserve(values);
    const buffer = this.#buffer;
    at = buffer.writeInt16BE(values.length, at);
    for (let n = 0; n < values.length; n++) {
      const value = values[n];
      const size = value === null ? -1 : fields[n](buffer, value, at + 4);
      at = buffer.writeInt32BE(size, at) + Math.max(0, size);
    }
    this.#end = at;
  }

  /** Returns the rows that wait. */
  take() {
    const rows = this.#buffer.subarray(0, this.#end);
    this.#buffer = Buffer.allocUnsafe(initialSize);
    this.#end = 0;
    return rows;
  }

  /** Returns the rows that wait, with the end of the data. */
  takeLast() {
    this.#end = this.#buffer.writeInt16BE(-1, this.#end);
    return this.take();
  }

  /** Makes room for a row and for the end. */
  #reserve(values) {
    let size = 4;
    // A character has at most three bytes; numbers have eight.
    for (const value of values) size += 12 + 3 * (value?.length ?? 0);
    if (this.#end + size <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(this.#buffer.length * 2 + size);
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }
}
