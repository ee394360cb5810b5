// English words of what is wrong with a pack. They follow a colon.

export const packs = {
  indexMissing: (file: string) => `${file} is missing. Export the pack again with your launcher or tool`,
  indexTooLarge: (file: string, kib: number) => `${file} is larger than ${kib} KiB. List fewer files`,
  notJson: (file: string) => `${file} is not valid JSON. Export the pack again`,
  notToml: (file: string) => `${file} is not a valid TOML file. Run "packwiz refresh" and zip the folder again`,
  wrongFormatVersion: (found: string) => `formatVersion is ${found}. Only version 1 of the format is supported`,
  wrongGame: (found: string) => `game is ${found}. The format .mrpack is for "minecraft" only; use packwiz for others`,
  wrongField: (field: string) => `${field} is missing or has the wrong type. Export the pack again`,
  empty: "it contains no files. Add files or overrides",
  tooManyFiles: (most: number) => `it lists more than ${most} files. Split the pack`,
  hashMissing: (path: string, algorithm: string) => `${path} has no ${algorithm} hash. Export the pack again`,
  hashMalformed: (path: string, algorithm: string) => `the ${algorithm} hash of ${path} is malformed`,
  sizeMalformed: (path: string) => `fileSize of ${path} must be a number of bytes`,
  sideMalformed: (path: string) => `the environment of ${path} is unknown. Use the values of the format`,
  unsafePath: (path: string, why: string) =>
    `the path ${path} is not safe (${why}). Use paths inside of the game folder`,
  downloadMissing: (path: string) => `${path} has no download address`,
  tooManyDownloads: (path: string, most: number) => `${path} has more than ${most} download addresses`,
  urlMalformed: (path: string) => `a download address of ${path} is not a valid URL`,
  notHttps: (path: string, host: string) => `${path} is downloaded from ${host} without HTTPS. Use https://`,
  hostNotAllowed: (path: string, host: string, allowed: string) =>
    `${path} is downloaded from ${host}, which is not allowed here. Allowed hosts: this site, ${allowed}. Put the file into the overrides if its license permits it`,
  fileMissing: (path: string) => `index.toml lists ${path}, which is not in the archive. Zip the whole folder`,
  metafileField: (path: string, field: string) => `${path} has no valid "${field}"`,
  packwizHashMissing: (path: string) =>
    `${path} has no usable hash. Run "packwiz refresh --build" and zip the folder again`,
  packwizHashWrong: (path: string) => `${path} does not match its hash. Run "packwiz refresh" and zip the folder again`,
};
