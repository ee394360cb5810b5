// English words of the API reference.

export const docs = {
  reference: {
    title: "API reference",
    description: "Every route of the Modshelf API: parameters, answers, access rules and examples.",
    lead: "Everything that launchers, build scripts and other programs can ask of this Modshelf. The same as data:",
    address: "Address",
    version: "Version",
    contents: "Contents of the reference",
    find: "Find in the reference",
    found: "% found",
    notFound: "Nothing has all of these words.",
  },
};
