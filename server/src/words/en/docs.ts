// English words of the API reference.

export const docs = {
  reference: {
    title: "API reference",
    description: "Every endpoint of the Modshelf API: parameters, answers, access rules and examples.",
    lead: "The API for launchers, build scripts and other programs. Machine-readable version:",
    address: "Base URL",
    version: "Version",
    contents: "Contents",
    find: "Search the reference",
    found: "% found",
    notFound: "No results contain all of these words.",
  },
};
