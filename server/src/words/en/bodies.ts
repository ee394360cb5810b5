// English words of why the body of a request cannot be read. They follow a colon, except for the last ones.

export const bodies = {
  notUtf8: "it is not UTF-8",
  nul: "NUL characters are not allowed",
  nulIn: (part: string) => `the part ${part} contains a NUL character`,
  tooMuch: "it has more than 10,000 values or 32 levels. Send less at once",
  halfCharacter: "it contains a lone surrogate (half a character)",
  syntax: "check its quotes, commas and brackets",
  wrongLength: "its length does not match Content-Length",
  boundary: "its boundary is too long",
  afterEnd: "there is data after its end",
  noEnd: "it has no end",
  closedEarly: "the connection was closed before its end",
  tooManyFields: (most: number) => `it has more than ${most} fields. Send fewer at once`,
  tooManyParts: "it has too many parts",
  tooManyTexts: "it has too many text fields",
  tooManyFiles: "it has too many files",
  noPartName: "a part has no name",
  twice: (part: string) => `the part ${part} is sent twice`,
  tooOften: (part: string, most: number) => `the part ${part} is sent more than ${most} times`,
  textLimit: (size: string) => `${size} of text and part headers`,
  brokenOff: "The connection was closed before the request was complete.",
};
