// Answers that need no example, and why.
export const withoutExample: Readonly<Record<string, string>> = {
  getApiReference: "It is the page that shows the examples",
  getOpenApi: "It is the document that holds the examples",
  getOpenApiAtOldPath: "It is the document that holds the examples",
  streamChanges: "It does not end",
  getUserPicture: "It is a picture",
  getOrganizationPicture: "It is a picture",
  getCollectionIcon: "It is a picture",
  getProjectIcon: "It is a picture",
  getGalleryPicture: "It is a picture",
};
