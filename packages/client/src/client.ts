// The client: methods by subject. They return the thing itself; `call` gives the untouched answer of any operation.
import type { ProjectListItem, ProjectVersionData, SearchResult } from "./api.js";
import { inBatches, joinLists, joinMaps, maxHashes, maxIds } from "./batches.js";
import { type BodyOf, type Call, type CallOptions, makeCall, type QueryOf } from "./calls.js";
import { type FileFacts, type TransferOptions, toStream, verifiedBytes } from "./downloads.js";
import { NotFoundError } from "./errors.js";
import { type Settings, Transport } from "./transport.js";
import { type PublishOptions, publishVersion, type SentFile, uploadFile, type VersionInput } from "./uploads.js";

export type Client = ReturnType<typeof createClient>;

/** An option object with the filters of an operation, and a signal. */
type Filters<Q> = Q & CallOptions;

function split<T extends CallOptions>({
  signal,
  ...query
}: T): { query: Omit<T, "signal">; signal: AbortSignal | undefined } {
  return { query, signal };
}

export function createClient(settings: Settings) {
  const transport = new Transport(settings);
  const call = makeCall(transport);
  return {
    /** Calls any operation of the API by its id, and returns its answer as it is. */
    call,
    /** For modshelf-client/node. */
    transport,
    projects: projects(call),
    versions: versions(call, transport),
    files: files(call, transport),
    uploads: uploads(call),
    users: users(call),
    orgs: orgs(call),
    collections: collections(call),
    notifications: notifications(call),
    reports: {
      create: (body: BodyOf<"createReport">, options: CallOptions = {}) => call("createReport", { body, ...options }),
      list: (options: CallOptions = {}) => call("getReports", options),
    },
    tags: {
      gameVersions: (options: CallOptions = {}) => call("getGameVersions", options),
      loaders: (options: Filters<QueryOf<"getLoaders">> = {}) => call("getLoaders", split(options)),
      categories: (options: Filters<QueryOf<"getCategories">> = {}) => call("getCategories", split(options)),
      licenses: (options: CallOptions = {}) => call("getLicenses", options),
      projectTypes: (options: CallOptions = {}) => call("getProjectTypes", options),
    },
    /** Personal access tokens. The server accepts these calls only with a session. */
    pats: {
      list: (options: CallOptions = {}) => call("listTokens", options),
      create: (body: BodyOf<"createToken">, options: CallOptions = {}) => call("createToken", { body, ...options }),
      update: (patId: string, body: BodyOf<"updateToken">, options: CallOptions = {}) =>
        call("updateToken", { path: { patId }, body, ...options }),
      delete: (patId: string, options: CallOptions = {}) => call("deleteToken", { path: { patId }, ...options }),
    },
    /** Plans an installation: the exact files, with everything that they need. */
    resolve: (body: BodyOf<"resolveDependencies">, options: CallOptions = {}) =>
      call("resolveDependencies", { body, ...options }),
    /** A plan as a pack or as one archive, piece by piece. */
    exportPlan: async (request: ExportRequest, { signal }: CallOptions = {}): Promise<AsyncGenerator<Uint8Array>> => {
      const headers = { "Content-Type": "application/json" };
      const sent = { method: "POST", target: "/api/export", headers, body: JSON.stringify(request) };
      return (await transport.send({ ...sent, isRepeatable: true, signal })).chunks();
    },
    /** Shows the changes that an update of installed files would make. */
    previewUpdate: (body: BodyOf<"previewUpdate">, options: CallOptions = {}) =>
      call("previewUpdate", { body, ...options }),
  };
}

/** The demands of a plan, and the form of the export. */
export type ExportRequest = BodyOf<"resolveDependencies"> & {
  format: "zip" | "mrpack" | "packwiz";
  name?: string | undefined;
  /** The version of the loader itself, which packs for Fabric, Quilt, Forge and NeoForge must name. */
  loaderVersion?: string | undefined;
};

const projects = (call: Call) => ({
  get: async (ref: string, options: Filters<QueryOf<"getProject">> = {}) =>
    (await call("getProject", { path: { ref }, ...split(options) })).project,
  /** Any number of projects; unknown ones are left out. */
  many: async (refs: Iterable<string>, options: Filters<Omit<QueryOf<"getProjects">, "ids">> = {}) => {
    const { query, signal } = split(options);
    return joinLists(
      await inBatches(refs, maxIds, (ids) => call("getProjects", { query: { ...query, ids: ids.join(",") }, signal })),
    );
  },
  /** The newest versions of any number of projects, by project id. */
  versions: async (refs: Iterable<string>, options: Filters<Omit<QueryOf<"getProjectsVersions">, "ids">> = {}) => {
    const { query, signal } = split(options);
    const ask = (ids: string[]) => call("getProjectsVersions", { query: { ...query, ids: ids.join(",") }, signal });
    return joinMaps<ProjectVersionData[]>(await inBatches(refs, maxIds, ask));
  },
  random: (options: Filters<QueryOf<"getRandomProjects">> = {}) => call("getRandomProjects", split(options)),
  /** Your own projects. */
  mine: (options: Filters<QueryOf<"getOwnProjects">> = {}) => call("getOwnProjects", split(options)),
  /** One page of results. */
  searchPage: (options: Filters<QueryOf<"searchProjects">> = {}): Promise<SearchResult> =>
    call("searchProjects", split(options)),
  /** All results, page by page: `for await (const page of …)`. */
  async *search(options: Filters<QueryOf<"searchProjects">> = {}): AsyncGenerator<ProjectListItem[]> {
    const { query, signal } = split(options);
    const { page = 1, limit = 100, ...filters } = query as QueryOf<"searchProjects">;
    let offset = filters.offset ?? (page - 1) * limit;
    for (;;) {
      const { hits, estimatedTotalHits } = await call("searchProjects", {
        query: { ...filters, limit, offset },
        signal,
      });
      if (hits.length > 0) yield hits;
      offset += hits.length;
      if (hits.length === 0 || offset >= estimatedTotalHits) return;
    }
  },
  create: (body: BodyOf<"createProject">, options: CallOptions = {}) => call("createProject", { body, ...options }),
  update: (ref: string, body: BodyOf<"updateProject">, options: CallOptions = {}) =>
    call("updateProject", { path: { ref }, body, ...options }),
  delete: (ref: string, options: CallOptions = {}) => call("deleteProject", { path: { ref }, ...options }),
  setIcon: (ref: string, icon: Blob, options: CallOptions = {}) =>
    call("updateProjectIcon", { path: { ref }, body: { icon }, ...options }),
  removeIcon: (ref: string, options: CallOptions = {}) => call("removeProjectIcon", { path: { ref }, ...options }),
  submit: (ref: string, options: CallOptions = {}) => call("submitProject", { path: { ref }, ...options }),
  withdraw: (ref: string, options: CallOptions = {}) => call("withdrawProject", { path: { ref }, ...options }),
  follow: (ref: string, body: BodyOf<"followProject"> = {}, options: CallOptions = {}) =>
    call("followProject", { path: { ref }, body, ...options }),
  unfollow: (ref: string, options: CallOptions = {}) => call("unfollowProject", { path: { ref }, ...options }),
  dependencies: (ref: string, options: CallOptions = {}) => call("getDependencies", { path: { ref }, ...options }),
  dependents: (ref: string, options: Filters<QueryOf<"getDependents">> = {}) =>
    call("getDependents", { path: { ref }, ...split(options) }),
});

const versions = (call: Call, transport: Transport) => {
  const get = async (ref: string, version: string, options: CallOptions = {}) =>
    (await call("getVersion", { path: { ref, version }, ...options })).data;
  const latest = async (ref: string, options: Filters<QueryOf<"getLatestVersion">> = {}) =>
    (await call("getLatestVersion", { path: { ref }, ...split(options) })).data;
  return {
    /** All versions of a project, newest first. */
    list: async (ref: string, options: Filters<QueryOf<"getVersions">> = {}) =>
      (await call("getVersions", { path: { ref }, ...split(options) })).data,
    get,
    latest,
    /** One page of the contents of a pack. */
    contents: (ref: string, version: string, options: Filters<QueryOf<"getPackContents">> = {}) =>
      call("getPackContents", { path: { ref, version }, ...split(options) }),
    byId: (version: string, options: CallOptions = {}) => call("getVersionById", { path: { version }, ...options }),
    /** Any number of versions by their ids; unknown ones are left out. */
    many: async (ids: Iterable<string>, { signal }: CallOptions = {}) =>
      joinLists(
        await inBatches(ids, maxIds, (part) => call("getVersionsByIds", { query: { ids: part.join(",") }, signal })),
      ),
    /** A file of a version, the primary one unless `file` names another; "latest" is the newest release. */
    async download(ref: string, version: string, { file: name, ...options }: TransferOptions & { file?: string } = {}) {
      const { signal } = options;
      const found = version === "latest" ? await latest(ref, { signal }) : await get(ref, version, { signal });
      const file = name === undefined ? found.primaryFile : found.files.find((one) => one.name === name);
      if (!file) throw new NotFoundError(`The version has no file ${name}.`, { code: "fileNotFound" });
      return { version: found, file, stream: toStream(verifiedBytes(transport, file, options)) };
    },
    /** Publishes a version. The first file is the one that players install. */
    publish: (ref: string, input: VersionInput, sent: readonly SentFile[], options: PublishOptions = {}) =>
      publishVersion(call, ref, input, sent, options),
    update: async (ref: string, version: string, body: BodyOf<"updateVersion">, options: CallOptions = {}) =>
      (await call("updateVersion", { path: { ref, version }, body, ...options })).data,
    delete: (ref: string, version: string, options: CallOptions = {}) =>
      call("deleteVersion", { path: { ref, version }, ...options }),
    /** Withdraws a version: it is no longer offered as an update. */
    yank: (ref: string, version: string, body: BodyOf<"yankVersion"> = {}, options: CallOptions = {}) =>
      call("yankVersion", { path: { ref, version }, body, ...options }),
    unyank: (ref: string, version: string, options: CallOptions = {}) =>
      call("unyankVersion", { path: { ref, version }, ...options }),
  };
};

type LookUp = Filters<Omit<BodyOf<"getVersionsByHashes">, "hashes">>;
type UpdateLookUp = Filters<Omit<BodyOf<"getUpdatesByHashes">, "hashes">>;

const files = (call: Call, transport: Transport) => ({
  /** Which versions files belong to, by hash; unknown hashes are left out. */
  identify: async (hashes: Iterable<string>, { signal, ...body }: LookUp = {}) =>
    joinMaps<ProjectVersionData>(
      await inBatches(hashes, maxHashes, (part) =>
        call("getVersionsByHashes", { body: { ...body, hashes: part }, signal }),
      ),
    ),
  /** The newest fitting versions of the projects that files belong to, by hash. */
  updates: async (hashes: Iterable<string>, { signal, ...body }: UpdateLookUp = {}) =>
    joinMaps<ProjectVersionData>(
      await inBatches(hashes, maxHashes, (part) =>
        call("getUpdatesByHashes", { body: { ...body, hashes: part }, signal }),
      ),
    ),
  update: (hash: string, { signal, ...body }: UpdateLookUp = {}) =>
    call("getUpdateByHash", { path: { hash }, body, signal }),
  /** The bytes of a file that an answer describes. The stream fails at its end if they are not the right ones. */
  download: (file: FileFacts, options: TransferOptions = {}): ReadableStream<Uint8Array> =>
    toStream(verifiedBytes(transport, file, options)),
  /** The bytes of a file in memory, after they were verified. */
  async blob(file: FileFacts, options: TransferOptions = {}): Promise<Blob> {
    const pieces: BlobPart[] = [];
    for await (const bytes of verifiedBytes(transport, file, options)) pieces.push(bytes as Uint8Array<ArrayBuffer>);
    return new Blob(pieces);
  },
});

const uploads = (call: Call) => ({
  /** Uploads a file in parts, or continues to. A version can be published with the id. */
  send: (file: SentFile, options: TransferOptions = {}) => uploadFile(call, file, options),
  list: (options: CallOptions = {}) => call("listUploads", options),
  get: (uploadId: string, options: CallOptions = {}) => call("getUpload", { path: { uploadId }, ...options }),
  delete: (uploadId: string, options: CallOptions = {}) => call("deleteUpload", { path: { uploadId }, ...options }),
});

const users = (call: Call) => ({
  get: (ref: string, options: CallOptions = {}) => call("getUser", { path: { ref }, ...options }),
  many: async (refs: Iterable<string>, { signal }: CallOptions = {}) =>
    joinLists(await inBatches(refs, maxIds, (ids) => call("getUsers", { query: { ids: ids.join(",") }, signal }))),
  me: (options: CallOptions = {}) => call("getMe", options),
  projects: (ref: string, options: Filters<QueryOf<"getUserProjects">> = {}) =>
    call("getUserProjects", { path: { ref }, ...split(options) }),
  orgs: (ref: string, options: CallOptions = {}) => call("getUserOrganizations", { path: { ref }, ...options }),
  collections: (ref: string, options: CallOptions = {}) => call("getUserCollections", { path: { ref }, ...options }),
});

const orgs = (call: Call) => ({
  get: (ref: string, options: CallOptions = {}) => call("getOrganization", { path: { ref }, ...options }),
  many: async (refs: Iterable<string>, { signal }: CallOptions = {}) =>
    joinLists(
      await inBatches(refs, maxIds, (ids) => call("getOrganizations", { query: { ids: ids.join(",") }, signal })),
    ),
  projects: (ref: string, options: Filters<QueryOf<"getOrganizationProjects">> = {}) =>
    call("getOrganizationProjects", { path: { ref }, ...split(options) }),
  /** Organizations that you are a member of. */
  mine: (options: CallOptions = {}) => call("getOwnOrganizations", options),
  create: (body: BodyOf<"createOrganization">, options: CallOptions = {}) =>
    call("createOrganization", { body, ...options }),
  update: (ref: string, body: BodyOf<"editOrganization">, options: CallOptions = {}) =>
    call("editOrganization", { path: { ref }, body, ...options }),
});

const collections = (call: Call) => ({
  get: (id: string, options: CallOptions = {}) => call("getCollection", { path: { id }, ...options }),
  mine: (options: CallOptions = {}) => call("getOwnCollections", options),
  projects: (id: string, options: CallOptions = {}) => call("getCollectionProjects", { path: { id }, ...options }),
  create: (body: BodyOf<"createCollection">, options: CallOptions = {}) =>
    call("createCollection", { body, ...options }),
  update: (id: string, body: BodyOf<"editCollection">, options: CallOptions = {}) =>
    call("editCollection", { path: { id }, body, ...options }),
  delete: (id: string, options: CallOptions = {}) => call("deleteCollection", { path: { id }, ...options }),
  add: (id: string, body: BodyOf<"addCollectionProjects">, options: CallOptions = {}) =>
    call("addCollectionProjects", { path: { id }, body, ...options }),
  remove: (id: string, body: BodyOf<"removeCollectionProjects">, options: CallOptions = {}) =>
    call("removeCollectionProjects", { path: { id }, body, ...options }),
});

const notifications = (call: Call) => ({
  list: (options: Filters<QueryOf<"getNotifications">> = {}) => call("getNotifications", split(options)),
  unread: async (options: CallOptions = {}) => (await call("countUnread", options)).unread,
  markRead: (ids: Iterable<string>, { signal }: CallOptions = {}) =>
    inBatches(ids, maxIds, (part) => call("markNotificationsRead", { query: { ids: part.join(",") }, signal })),
  delete: (ids: Iterable<string>, { signal }: CallOptions = {}) =>
    inBatches(ids, maxIds, (part) => call("deleteNotifications", { query: { ids: part.join(",") }, signal })),
});
