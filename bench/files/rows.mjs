// The rows of the table: `count` requests in a round. Downloads come from ever new addresses, so that each is counted, or they
// say that a page shows the file, and none is. Files in S3 are compared with a server that passes on the answers of the same
// store; a row can ask for a stream of the same file from disk instead.

const download = { kind: "download", connections: 16, isCounted: true };
const small = { ...download, size: "small", count: 6000, aim: 0.8 };
const large = { ...download, size: "large", connections: 8, count: 160, aim: 0.9 };
const upload = { storage: "disk", connections: 4, count: 48, aim: 0.85 };

export const rows = [
  { ...small, storage: "disk", name: "24 KB from disk, popular files more often", choice: "zipf" },
  { ...small, storage: "disk", name: "24 KB from disk, all files equally often", choice: "even" },
  { ...large, storage: "disk", name: "5 MB from disk", choice: "even" },
  {
    ...large,
    storage: "disk",
    name: "5 MB from disk, bare stream with chunks of 1 MiB",
    choice: "even",
    chunk: 1024 * 1024,
  },
  { ...upload, name: "upload of a part of 5 MB", kind: "part" },
  { ...upload, name: "publish a version with a file of 5 MB", kind: "publish" },
  { ...small, storage: "s3", name: "24 KB from S3, popular files more often", choice: "zipf" },
  { ...small, storage: "s3", name: "24 KB from S3, all files equally often", choice: "even" },
  {
    ...{ ...small, storage: "s3", choice: "even", isCounted: false },
    name: "24 KB from S3, all files equally often, not counted",
  },
  {
    ...{ ...small, storage: "s3", choice: "even", beside: "disk" },
    name: "24 KB from S3, all files equally often, beside a stream from disk",
  },
  { ...large, storage: "s3", name: "5 MB from S3", choice: "even" },
];
