// One file with a function for each operation, generated with the generator's own fetch client.
// biome-ignore lint/style/noDefaultExport: the generator reads the default export.
export default {
  modshelf: {
    input: "./openapi.json",
    output: { target: "./orval/api.ts", client: "fetch", baseUrl: process.env.MODSHELF_ADDRESS },
  },
};
