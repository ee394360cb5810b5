// The summary of a pack, which is stored with its version besides the list of its files.

export interface PackSummary {
  format: "modrinth" | "packwiz";
  /** As the pack names them; they decide which updates of its files fit. */
  gameVersion: string | null;
  loaders: string[];
  /** The number of files that it lists. */
  files: number;
  /** Files of the pack itself, such as configurations. An empty name stands for files outside of any folder. */
  own: { files: number; bytes: number; folders: { name: string; files: number }[] };
}
