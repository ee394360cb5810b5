// English words of what is wrong with uploaded files and pictures. They follow a colon.

export const files = {
  pictureType: "it must be PNG, JPEG, GIF or WebP",
  tooManyPixels: "it has more than 25 million pixels",
  notDecoded: "it cannot be decoded",
  slowPicture: "it takes too long to decode. Try a simpler one",
  noName: "it has no valid name",
  theFile: "The file",
  thisContent: "this file",
  unknownType: "its type is unknown, or its content does not match its name",
  primaryType: (types: string) => `the primary file must be ${types}`,
  notSeenInto: (type: string) => `the contents of a ${type} archive cannot be checked. Upload it as a ZIP file`,
  infected: (signature: string) => `the malware scanner found ${signature} in it`,
  tooLargeToScan: "it is larger than the malware scanner accepts",
  notScanned: "the malware scanner cannot be reached at the moment. Try again later",
  /** The detail and the path of the entry may be empty. */
  archive: (problem: string, detail: string, path: string) =>
    `${problem}${detail && ` (${detail})`}${path && `: ${path}`}`,
};
