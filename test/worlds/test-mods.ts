// Mods for tests, by short names: projects whose versions depend on each other.
import { randomBytes } from "node:crypto";
import { lockProject } from "#content/projects/change.js";
import { createProject } from "#content/projects/create.js";
import { getTaxonomy } from "#content/taxonomy/read.js";
import { insertVersion } from "#content/versions/publish.js";
import { write } from "#platform/changes/write.js";
import type { Channel } from "#platform/db/tables.js";
import type { TestUser } from "#test/callers/actors.js";
import { type TestApp, uniqueName } from "#test/server/harness.js";
import { makeProject, type ProjectOptions, type TestProject } from "#test/worlds/content.js";
import { makeVersion, type TestVersion, type VersionOptions } from "#test/worlds/versions.js";

type Kind = "required" | "optional" | "incompatible" | "embedded";
const kinds: Record<string, Kind> = { "!": "incompatible", "?": "optional", "#": "embedded" };

export interface ShelfVersion extends Omit<VersionOptions, "dependencies"> {
  channel?: Channel;
  /** "core", "core@1.0", "!foe", "?friend", "#inside", separated by spaces; the named versions must exist already. */
  needs?: string;
}

export class TestMods {
  readonly #world: TestApp;
  readonly #author: TestUser;
  readonly projects = new Map<string, TestProject>();
  /** By "name@number". */
  readonly versions = new Map<string, TestVersion>();

  constructor(world: TestApp, author: TestUser) {
    this.#world = world;
    this.#author = author;
  }

  async project(name: string, options: ProjectOptions = {}): Promise<string> {
    const project = await makeProject(this.#world, this.#author, { name, ...options });
    this.projects.set(name, project);
    return project.id;
  }

  /** Each is newer than the previous one. Creates the project if it does not exist. */
  async version(text: string, { needs = "", ...options }: ShelfVersion = {}): Promise<TestVersion> {
    const [name = "", versionNumber = ""] = text.split("@");
    if (!this.projects.has(name)) await this.project(name);
    this.#world.clock.advance(1000);
    const version = await makeVersion(this.#world, this.#author, this.id(name), {
      versionNumber,
      ...options,
      dependencies: this.#dependencies(needs),
    });
    this.versions.set(text, version);
    return version;
  }

  /** Hundreds of versions in one commit, with the same age. Maps "name@number" to the needs of each. */
  async plant(shelf: Record<string, string>): Promise<void> {
    const { resources } = this.#world;
    const files = await Promise.all(
      Object.keys(shelf).map(async () => {
        const bytes = randomBytes(64);
        return { bytes, digest: await resources.blobs.put(bytes) };
      }),
    );
    const taxonomy = await getTaxonomy(resources);
    const user = { id: this.#author.id, userName: this.#author.userName, role: "user" as const };
    await write(resources, { userId: user.id, credential: "test" }, async (tx) => {
      for (const name of new Set(Object.keys(shelf).map((text) => text.split("@")[0]!))) {
        const slug = uniqueName("planted");
        const input = { name, slug, types: ["mod"], visibility: "listed" as const, summary: "Planted", orgId: null };
        const { id, teamId } = await createProject(tx, user, taxonomy, input);
        this.projects.set(name, { id, slug, teamId });
        await tx.db.updateTable("projects").set({ status: "approved" }).where("id", "=", id).execute();
      }
      for (const [at, [text, needs]] of Object.entries(shelf).entries()) {
        const [name = "", versionNumber = ""] = text.split("@");
        const { bytes, digest } = files[at]!;
        const id = await insertVersion(tx, resources.blobs, await lockProject(tx, this.id(name)), {
          authorId: user.id,
          title: text,
          versionNumber,
          changelog: "",
          channel: "release",
          featured: false,
          gameVersions: ["0.4.8"],
          loaders: ["quilt"],
          dependencies: this.#dependencies(needs),
          primaryFile: { name: `${name}-${versionNumber}.jar`, type: "jar", digest },
          additionalFiles: [],
        });
        this.versions.set(text, { id, versionNumber, bytes, sha1: digest.sha1, sha512: digest.sha512 });
      }
    });
  }

  id = (name: string): string => this.projects.get(name)!.id;
  hash = (text: string): string => this.versions.get(text)!.sha512;
  versionId = (text: string): string => this.versions.get(text)!.id;
  /** The short name for an id. */
  nameOf = (projectId: string): string =>
    [...this.projects].find(([, { id }]) => id === projectId)?.[0] ?? `unknown ${projectId}`;

  #dependencies = (needs: string) =>
    needs
      .split(" ")
      .filter((word) => word !== "")
      .map((word) => this.#dependency(word));

  #dependency(word: string) {
    const type = kinds[word[0]!] ?? "required";
    const target = type === "required" ? word : word.slice(1);
    const name = target.split("@")[0]!;
    return { projectId: this.id(name), versionId: target === name ? null : this.versionId(target), type };
  }
}
