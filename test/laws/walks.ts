// Five requests, followed through the code: the files that a reader opens, in order, and a word on what each one does.
// ARCHITECTURE.md shows them, and walks.test.ts checks that they are true.

export interface Walk {
  name: string;
  /** More files than this are too many to follow. */
  most: number;
  /** Paths below server/src. */
  files: Record<string, string>;
}

const gate = {
  "platform/http/mount.ts": "the way of every request",
  "platform/http/caller.ts": "who calls, from where, how often",
  "platform/http/viewer.ts": "credential to viewer, and what the endpoint asks of them",
};

export const walks: Walk[] = [
  {
    name: "GET a project, hot",
    most: 12,
    files: {
      "app.ts": "puts the hot path before Fastify",
      "platform/http/hot-path.ts": "takes plain requests, limits and sends",
      "platform/http/plain-request.ts": "what counts as plain",
      "content/versions/hot-reads.ts": "from the address to an answer in memory",
      "content/catalog/kept-answers.ts": "answers that were asked for before",
      "content/projects/read.ts": "from a slug to the entry",
      "content/projects/entries.ts": "the project, and its answer as bytes",
      "content/catalog/catalog.ts": "entries in memory",
      "content/catalog/ready-bytes.ts": "the bytes and their tag",
      "platform/http/answers.ts": "the compressed forms",
    },
  },
  {
    name: "GET a project, by the ordinary route",
    most: 14,
    files: {
      ...gate,
      "platform/http/validation.ts": "parameters and answers against their schemas",
      "content/projects/contract.ts": "the endpoint as data",
      "content/projects/routes.ts": "the handler",
      "content/projects/read.ts": "finds it, if the caller may see it",
      "content/projects/policy.ts": "who sees a project",
      "content/projects/entries.ts": "SELECTs, and the answer made of the rows",
      "content/members/read.ts": "its members",
      "content/catalog/catalog.ts": "entries in memory",
      "content/catalog/ready-bytes.ts": "the bytes and their tag",
      "platform/http/answers.ts": "304, compression, sending",
    },
  },
  {
    name: "Publish a version",
    most: 22,
    files: {
      ...gate,
      "content/versions/edit-contract.ts": "the endpoint as data",
      "content/versions/edit-routes.ts": "the handler, and the check before the form is read",
      "platform/http/staged-form.ts": "the parts of the form",
      "platform/http/forms.ts": "names and sizes of parts",
      "content/versions/publish.ts": "the use case, from check to commit",
      "content/projects/change.ts": "finds the project, asks for the right, locks the row",
      "content/projects/policy.ts": "who sees a project",
      "content/members/standing.ts": "what a member may do",
      "content/uploads/write.ts": "files that were uploaded before",
      "content/versions/version-input.ts": "from texts to fields",
      "content/uploads/examine.ts": "what the file is, and whether it may be",
      "content/uploads/denied-contents.ts": "contents that may not be published",
      "platform/archives/inspector.ts": "the archive, looked at in a child process",
      "content/versions/store-files.ts": "bytes at their address, then rows",
      "platform/blobs/rows.ts": "rows that keep bytes from being swept",
      "platform/changes/write.ts": "the transaction: rows, audit, change log",
      "content/versions/compatibility.ts": "rows that follow from a version",
      "content/versions/entries.ts": "SELECTs, and the answer made of the rows",
    },
  },
  {
    name: "Settings of a project, GET",
    most: 16,
    files: {
      "platform/http/mount.ts": gate["platform/http/mount.ts"],
      "web/frame/page.ts": "makes routes of pages and forms",
      "web/pages/project-settings/settings-page.tsx": "what all settings pages share",
      "web/pages/project-settings/general.tsx": "the page",
      "web/shared/settings-view.ts": "what it shows, and what the member may do",
      "content/projects/read.ts": "finds the project, if the caller may see it",
      "content/projects/entries.ts": "SELECTs, and the answer made of the rows",
      "content/members/standing.ts": "what a member may do",
      "web/frame/rendering.tsx": "from the view to HTML",
      "web/frame/layout.tsx": "the frame of every page",
      "web/context/form-token.ts": "the token of each form",
    },
  },
  {
    name: "Settings of a project, POST",
    most: 14,
    files: {
      "platform/http/mount.ts": gate["platform/http/mount.ts"],
      "web/frame/page.ts": "makes routes of pages and forms",
      "web/context/form-token.ts": "the token of each form",
      "web/pages/project-settings/settings-page.tsx": "what all settings pages share",
      "web/pages/project-settings/general.tsx": "the form",
      "web/context/form.ts": "texts of the form, and refusals beside their fields",
      "content/projects/edit-contract.ts": "the fields, as the API has them",
      "content/projects/edit.ts": "the use case",
      "content/projects/change.ts": "finds the project, asks for the right, locks the row",
      "content/projects/slugs.ts": "who gets a slug",
      "platform/changes/write.ts": "the transaction: rows, audit, change log",
    },
  },
  {
    name: "Look up 100 hashes",
    most: 13,
    files: {
      "app.ts": "puts the hot path before Fastify",
      "platform/http/hot-path.ts": "takes plain requests, limits and sends",
      "content/version-files/hot-look-ups.ts": "reads the question",
      "content/catalog/kept-answers.ts": "answers that were asked for before",
      "content/version-files/read.ts": "from hashes to versions",
      "content/version-files/file-owners.ts": "which versions have a file",
      "content/catalog/catalog.ts": "entries in memory",
      "content/versions/entries.ts": "the versions, as bytes",
      "content/versions/policy.ts": "which version passes a filter",
      "content/catalog/ready-bytes.ts": "joins the bytes of many",
      "content/catalog/scratch.ts": "memory on loan",
      "platform/http/answers.ts": "the compressed forms",
    },
  },
  {
    name: "Decide about a project",
    most: 20,
    files: {
      "platform/http/mount.ts": gate["platform/http/mount.ts"],
      "web/frame/page.ts": "makes routes of pages and forms",
      "web/frame/form-once.ts": "a form that acts once",
      "web/pages/moderation/review.route.tsx": "the page and its forms",
      "web/pages/moderation/decision-input.ts": "from the form to a decision",
      "moderation/desk/held.ts": "keeps the decision for ten seconds, then carries it out",
      "moderation/desk/write.ts": "the use case",
      "moderation/desk/reasons.ts": "reasons that fit a decision",
      "moderation/desk/claims.ts": "which moderator works on it",
      "content/projects/change.ts": "finds the project, locks the row",
      "platform/changes/write.ts": "the transaction: rows, audit, change log, job",
      "operations/background/handlers.ts": "which function does which job",
      "platform/jobs/worker.ts": "runs the job",
      "platform/jobs/queue.ts": "takes jobs from the table",
      "content/submissions/submit.ts": "the new status, and all that follows",
      "content/threads/messages.ts": "says so in the conversation",
      "web/pages/moderation/next-review.ts": "the next project of the queue",
    },
  },
];

export const walksTable = (): string =>
  [
    "| Request | Files | In this order |",
    "|---|---|---|",
    ...walks.map(({ name, files }) => {
      const told = Object.entries(files).map(([path, word]) => `\`${path}\` (${word})`);
      return `| ${name} | ${told.length} | ${told.join(" → ")} |`;
    }),
  ].join("\n");
