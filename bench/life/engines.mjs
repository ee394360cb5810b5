// The database of the benchmark: files on SQLite; on PostgreSQL a server of its own in the folder of the data.

const sqlite = {
  name: "sqlite",
  create: async () => undefined,
  copy: async () => undefined,
  pids: () => [],
  close: async () => {},
};

export const openEngine = async (name, folder) =>
  name === "sqlite" ? sqlite : (await import("./postgres.mjs")).startPostgres(folder);
