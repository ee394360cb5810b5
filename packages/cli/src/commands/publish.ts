// `shelf publish`: from a file to a version that players see. Every step may be repeated: a run that was broken off is
// continued, and a version that exists is left alone.
import { ConflictError, NotFoundError, type Project, type ProjectVersionData, type Upload } from "modshelf-client";
import { toHost } from "#shelf/accounts.js";
import { type Answer, type Context, defineCommand } from "#shelf/command.js";
import { exitCodes, Failure } from "#shelf/failures.js";
import { toSize } from "#shelf/figures.js";
import { reportToBuild } from "#shelf/publishing/build-log.js";
import { findFiles } from "#shelf/publishing/find-files.js";
import { type Credential, findCredential } from "#shelf/publishing/identity.js";
import { findNumber, makePlan, type Plan, showPlan, type Wishes } from "#shelf/publishing/plan.js";
import { type ProjectFile, readProjectFile } from "#shelf/publishing/project-file.js";
import { explainRefusal } from "#shelf/publishing/refusals.js";
import { type PreparedFile, prepareFile, send } from "#shelf/publishing/send.js";
import { readInput, readText } from "#shelf/publishing/texts.js";
import { findVisibility } from "#shelf/publishing/visible.js";
import { green } from "#shelf/terminal.js";

const publishOptions = {
  project: { type: "string", value: "P", help: "Id or slug of the project." },
  version: {
    type: "string",
    value: "N",
    help: "Version number. Default: that of the file's manifest, then the build's tag.",
  },
  title: { type: "string", value: "TEXT", help: "Title. Default: the name in the manifest and the number." },
  channel: { type: "string", value: "C", help: "release, beta, alpha or dev. Default: what the number suggests." },
  changelog: { type: "string", value: "FILE", help: "What has changed, in Markdown; - reads the standard input." },
  "game-version": {
    type: "string",
    short: "v",
    multiple: true,
    value: "V",
    help: "A game version it works with; may be repeated.",
  },
  loader: { type: "string", short: "l", multiple: true, value: "L", help: "A loader it works with; may be repeated." },
  dependency: { type: "string", multiple: true, value: "D", help: "PROJECT[@VERSION][:TYPE]; may be repeated." },
  featured: { type: "boolean", help: "Recommend this version." },
  dir: { type: "string", short: "d", value: "DIR", help: "The folder with shelf.json. Default: the current one." },
  "dry-run": { type: "boolean", help: "Show what would be published. The uploaded file is deleted again." },
  yes: { type: "boolean", short: "y", help: "Do not ask." },
  wait: { type: "boolean", help: "Wait until players see the version. This is the default." },
  "no-wait": { type: "boolean", help: "Do not wait until players see the version." },
} as const;

export const publish = defineCommand({
  name: "publish",
  usage: "[FILE...] [--project P] [--version N] [--dry-run]",
  summary: "Publish a version. The first file is the one that players install.",
  details: [
    "What is missing comes from shelf.json, and then from the manifest in the file.",
    "Builds on GitHub Actions and GitLab need no token: see docs/publishing-from-ci.md.",
    "A version that exists with the same file is left alone.",
  ],
  options: publishOptions,
  words: [0, 50],
  async run(context) {
    const job = await prepare(context);
    try {
      return await run(job);
    } catch (error) {
      throw explainRefusal(error, job);
    }
  },
});

interface Job {
  context: Context<typeof publishOptions>;
  host: string;
  ref: string;
  settings: ProjectFile;
  wishes: Wishes;
  files: readonly PreparedFile[];
  credential: Credential;
}

const maxChangelogBytes = 1 << 18;

/** Everything that can be found out without sending the file. */
async function prepare(context: Context<typeof publishOptions>): Promise<Job> {
  const { options, words, env, signal, terminal } = context;
  const folder = options.dir ?? ".";
  const settings = await readProjectFile(folder);
  const host = context.namedHost ?? (settings.host === undefined ? context.host : toHost(settings.host));
  const ref = options.project ?? settings.project;
  if (!ref)
    throw new Failure("No project is named.", { advice: "Add --project, or begin with: shelf init", code: "usage" });
  // Without a terminal the question fails, which must not happen after a long upload.
  if (!mayPublish(context) && !terminal.isInteractive) await terminal.confirm("", signal);
  const patterns = words.length > 0 ? words : (settings.files ?? []);
  const paths = await findFiles(patterns, words.length > 0 ? "." : folder);
  if (paths.length === 0)
    throw new Failure("No file is named.", { advice: "Name it, or begin with: shelf init", code: "usage" });
  const wishes: Wishes = {
    ...{ version: options.version, title: options.title, channel: options.channel, featured: options.featured },
    ...{ gameVersions: options["game-version"], loaders: options.loader, dependencies: options.dependency },
    changelog: await readChangelog(context, settings, folder),
    tag: (env.GITHUB_REF_TYPE === "tag" && env.GITHUB_REF_NAME) || env.CI_COMMIT_TAG || undefined,
  };
  const files: PreparedFile[] = [];
  for (const path of paths) files.push(await prepareFile(path, signal));
  const credential = await findCredential(context as unknown as Context, host, ref);
  return { context, host, ref, settings, wishes, files, credential };
}

const mayPublish = ({ options, env }: Context<typeof publishOptions>): boolean =>
  options.yes || options["dry-run"] || Boolean(env.CI);

async function readChangelog(
  { options, input, signal }: Context<typeof publishOptions>,
  settings: ProjectFile,
  folder: string,
): Promise<string | undefined> {
  if (options.changelog === "-") return readInput(input, maxChangelogBytes, signal);
  if (options.changelog !== undefined) return readText(options.changelog, maxChangelogBytes);
  return settings.changelog === undefined ? undefined : readText(`${folder}/${settings.changelog}`, maxChangelogBytes);
}

async function run(job: Job): Promise<Answer> {
  const { context, host, ref, settings, wishes, files, credential } = job;
  const { options, terminal, signal } = context;
  const registry = context.connect(host, credential.token);
  const project = await findProject(job, registry);
  const [primary] = files as [PreparedFile];
  const wanted = findNumber(wishes, settings);
  const existing = await findExisting(job, registry, project, wanted);
  if (existing) return report(job, project, existing, "unchanged");

  const uploads: Upload[] = [];
  const forget = async () => {
    for (const { id } of uploads) await registry.uploads.delete(id, { signal });
  };
  for (const file of files) {
    const upload = await send(registry, file, terminal, signal);
    uploads.push(upload);
    if (upload.file?.problem) {
      await forget();
      throw new Failure(upload.file.problem, { advice: "Nothing was published.", code: "fileRefused" });
    }
  }
  const plan = await makePlan(registry, project, wishes, settings, uploads[0]!.file!, signal);
  const taken = await findNumbered(registry, ref, plan.versionNumber, signal);
  if (taken && isSame(taken, primary)) {
    await forget();
    return report(job, project, taken, "unchanged");
  }
  if (taken) throw numberTaken(plan.versionNumber, taken, primary);

  const lines = showPlan(plan, host, project?.slug ?? ref, files);
  for (const warning of plan.warnings) terminal.warn(warning);
  if (options["dry-run"]) {
    await forget();
    const says = "Nothing was published: this was a dry run.";
    return { data: { outcome: "planned", ...describe(job, project, plan) }, lines: [...lines, says] };
  }
  for (const line of lines) terminal.note(line);
  if (!mayPublish(context) && !(await terminal.confirm("Publish this version?", signal))) {
    await forget();
    return { data: { outcome: "declined" }, lines: ["Nothing was published."], exitCode: exitCodes.failure };
  }
  const version = await create(job, registry, plan, uploads);
  return report(job, project, version, "published");
}

type Registry = ReturnType<Context["connect"]>;

async function findProject({ ref, credential, context, host }: Job, registry: Registry): Promise<Project | undefined> {
  try {
    return await registry.projects.get(ref, { signal: context.signal });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // The token of a trusted build reads nothing that is not public; the registry has checked the project already.
    if (credential.isTrusted) return undefined;
    throw new Failure(`${host} has no project ${ref}.`, {
      advice: "Check the name. A token needs the scope project_read for a project that is not public.",
      exitCode: exitCodes.notFound,
      code: "projectNotFound",
    });
  }
}

const isSame = (version: ProjectVersionData, { sha512 }: PreparedFile): boolean =>
  version.primaryFile.sha512_hash === sha512;

/** The version that this file is published as, if players see it already. Then nothing has to be sent. */
async function findExisting(job: Job, registry: Registry, project: Project | undefined, wanted: string | undefined) {
  const { signal } = job.context;
  const [primary] = job.files as [PreparedFile];
  const found = (await registry.files.identify([primary.sha512], { signal }))[primary.sha512];
  const isOwn = found && found.projectId === project?.id && isSame(found, primary);
  if (isOwn && (wanted === undefined || wanted === found.versionNumber)) return found;
  if (wanted === undefined) return undefined;
  const taken = await findNumbered(registry, job.ref, wanted, signal);
  if (taken && !isSame(taken, primary)) throw numberTaken(wanted, taken, primary);
  return taken;
}

async function findNumbered(registry: Registry, ref: string, number: string, signal: AbortSignal) {
  try {
    const found = await registry.versions.get(ref, number.toLowerCase(), { signal });
    return found.versionNumber === number ? found : undefined;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof TypeError) return undefined;
    throw error;
  }
}

const numberTaken = (number: string, taken: ProjectVersionData, file: PreparedFile): Failure =>
  new Failure(
    `Version ${number} exists with another file.\nsha512 there: ${taken.primaryFile.sha512_hash}\nsha512 of ${file.path}: ${file.sha512}`,
    {
      advice: "Published files never change. Choose a new number.",
      exitCode: exitCodes.conflict,
      code: "versionNumberTaken",
    },
  );

async function create({ context, ref, files }: Job, registry: Registry, plan: Plan, uploads: readonly Upload[]) {
  const { signal } = context;
  const [primary] = files as [PreparedFile];
  const [primaryUpload, ...additionalUploads] = uploads.map(({ id }) => id) as [string, ...string[]];
  const body = { ...plan.body, primaryUpload, ...(additionalUploads.length > 0 && { additionalUploads }) };
  try {
    const { data } = await registry.call("createVersion", { path: { ref }, body, signal });
    if (isSame(data, primary)) return data;
    throw new Failure(`The registry stored another file than ${primary.path}.`, {
      advice: "Tell its operator.",
      code: "integrity",
    });
  } catch (error) {
    const isTaken = error instanceof ConflictError && error.code === "versionNumberTaken";
    const taken = isTaken ? await findNumbered(registry, ref, plan.versionNumber, signal) : undefined;
    throw taken ? numberTaken(plan.versionNumber, taken, primary) : error;
  }
}

const describe = ({ host, ref, files, credential }: Job, project: Project | undefined, plan?: Plan) => ({
  host,
  project: project?.slug ?? ref,
  isTrusted: credential.isTrusted,
  files: files.map(({ blob, size, sha512 }) => ({ name: blob.name, size, sha512 })),
  ...(plan && {
    ...{ versionNumber: plan.versionNumber, channel: plan.channel, gameVersions: plan.gameVersions },
    ...{ loaders: plan.loaders, dependencies: plan.dependencies, warnings: plan.warnings },
  }),
});

async function report(
  job: Job,
  project: Project | undefined,
  version: ProjectVersionData,
  outcome: "published" | "unchanged",
): Promise<Answer> {
  const { context, host, ref, credential, files } = job;
  const { env, options, signal } = context;
  const registry = context.connect(host, credential.token);
  const { state, says } = await findVisibility(registry, project, version, { waits: !options["no-wait"], signal });
  const slug = project?.slug ?? ref;
  const url = `${host}/project/${encodeURIComponent(slug)}/version/${encodeURIComponent(version.slug)}`;
  const { id, versionNumber } = version;
  const line =
    outcome === "unchanged" ? "= already published with the same file, nothing to do" : `${green("✓")} ${says}`;
  if (!options["dry-run"])
    await reportToBuild(
      env,
      { "version-id": id, "version-number": versionNumber, url, state, outcome },
      outcome === "unchanged" ? `${slug} ${versionNumber} was published before` : `Published ${slug} ${versionNumber}`,
      [
        ["Version", versionNumber],
        ["State", says],
        ["Address", url],
        ...files.map(({ blob, size, sha512 }) => [blob.name, `${toSize(size)}, sha512 ${sha512}`] as const),
      ],
    );
  return {
    data: {
      outcome,
      state,
      url,
      version: { id, number: versionNumber, slug: version.slug },
      ...describe(job, project),
    },
    lines: [`${line}: ${url}`],
  };
}
