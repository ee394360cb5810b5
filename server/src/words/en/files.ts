// English words of what is said about uploaded files and pictures.

export const files = {
  pictureType: "it must be PNG, JPEG, GIF or WebP",
  tooManyPixels: "it has more than 25 million pixels",
  notDecoded: "it cannot be decoded",
  slowPicture: "it takes too long to decode; try a simpler one",
  noName: "it has no usable name",
  theFile: "The file",
  thisContent: "this content",
  unknownType: "its content is not of a type we know, or not what its name says",
  primaryType: (types: string) => `the primary file must be ${types} here`,
  notSeenInto: (type: string) => `what is in a ${type} archive cannot be checked here; send it as zip`,
  /** After each sentence come the measure and the place in the archive, and a full stop. */
  archive: (problem: string, place: string) => `${problem}${place}.`,
};
