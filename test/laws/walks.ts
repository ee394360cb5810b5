// Five requests, followed through the code: the files that a reader opens, in order, and what each one does.
// ARCHITECTURE.md shows them, and walks.test.ts checks them against the imports.

export interface Walk {
  name: string;
  /** The maximum number of files: more are too many to follow. */
  most: number;
  /** Paths below server/src. */
  files: Record<string, string>;
}

const gate = {
  "platform/http/mount.ts": "runs the checks and the handler of every request",
  "platform/http/caller.ts": "the caller, their address and their quota",
  "platform/http/viewer.ts": "from the credential to a viewer, and the endpoint's access rules",
};

export const walks: Walk[] = [
  {
    name: "GET a project, hot",
    most: 12,
    files: {
      "app.ts": "installs the hot path before Fastify",
      "platform/http/hot-path.ts": "accepts plain requests, applies rate limits, sends the answer",
      "platform/http/plain-request.ts": "reads the headers, and decides whether the request is plain",
      "content/versions/hot-reads.ts": "from the path to an answer",
      "content/projects/prepared-items.ts": "from an id or slug to the core of the project",
      "content/catalog/prepared-catalog.ts": "the current record of each project",
      "content/records/core-pieces.ts": "the pieces of a project, at their places in the core",
      "content/records/prepared-answers.ts": "the answer as a list of pieces, and its ETag",
      "platform/http/joined-answer.ts": "joins the pieces in the encoding that is sent",
      "lib/gzip-join.ts": "puts deflated pieces into one gzip stream",
    },
  },
  {
    name: "GET a project, by the ordinary route",
    most: 14,
    files: {
      ...gate,
      "platform/http/validation.ts": "validates parameters and answers against their schemas",
      "content/projects/contract.ts": "the endpoint as data",
      "content/projects/routes.ts": "the handler",
      "content/projects/read.ts": "finds the project, if the caller may see it",
      "content/projects/policy.ts": "the rule for who may see a project",
      "content/projects/entries.ts": "the SELECTs, and the answer made of the rows",
      "content/members/read.ts": "the members of the project",
      "content/catalog/catalog.ts": "entries in memory",
      "content/catalog/ready-bytes.ts": "the bytes and their ETag",
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
      "platform/http/forms.ts": "limits on the names and sizes of parts",
      "content/versions/publish.ts": "the use case, from check to commit",
      "content/projects/change.ts": "finds the project, checks the permission, locks the row",
      "content/projects/policy.ts": "the rule for who may see a project",
      "content/members/rights.ts": "the permissions of a member",
      "content/uploads/write.ts": "files that were uploaded before",
      "content/versions/version-input.ts": "from form fields to typed input",
      "content/uploads/examine.ts": "the type of the file, and whether it may be published",
      "content/uploads/denied-contents.ts": "checks that the content is not denied",
      "platform/archives/inspector.ts": "inspects the archive in a child process",
      "content/scans/scan.ts": "has the files scanned for malware, if there is a scanner",
      "content/versions/store-files.ts": "stores the bytes at their content address, then the rows",
      "platform/blobs/rows.ts": "the rows that protect blobs from deletion",
      "platform/changes/write.ts": "the transaction: rows, audit, change log",
      "content/versions/compatibility.ts": "rows derived from a version, for filters",
      "content/versions/entries.ts": "the SELECTs, and the answer made of the rows",
    },
  },
  {
    name: "Settings of a project, GET",
    most: 16,
    files: {
      "platform/http/mount.ts": gate["platform/http/mount.ts"],
      "web/frame/page.ts": "makes routes of pages and forms",
      "web/pages/project-settings/settings-page.tsx": "the shared part of all settings pages",
      "web/pages/project-settings/general.route.tsx": "the route",
      "web/pages/project-settings/general.tsx": "the view",
      "web/shared/settings-view.ts": "the data of the page, and the member's permissions",
      "content/projects/read.ts": "finds the project, if the caller may see it",
      "content/projects/entries.ts": "the SELECTs, and the answer made of the rows",
      "content/members/rights.ts": "the permissions of a member",
      "web/frame/rendering.tsx": "from the view to HTML",
      "web/frame/layout.tsx": "the frame of every page",
      "web/context/form-token.ts": "the CSRF token of each form",
    },
  },
  {
    name: "Settings of a project, POST",
    most: 14,
    files: {
      "platform/http/mount.ts": gate["platform/http/mount.ts"],
      "web/frame/page.ts": "makes routes of pages and forms",
      "web/context/form-token.ts": "the CSRF token of each form",
      "web/pages/project-settings/settings-page.tsx": "the shared part of all settings pages",
      "web/pages/project-settings/general.route.tsx": "the form",
      "web/context/form.ts": "the fields of the form, and refusals shown beside them",
      "content/projects/edit-contract.ts": "the schema of the fields, the same as in the API",
      "content/projects/edit.ts": "the use case",
      "content/projects/change.ts": "finds the project, checks the permission, locks the row",
      "content/projects/slugs.ts": "assigns the slug",
      "platform/changes/write.ts": "the transaction: rows, audit, change log",
    },
  },
  {
    name: "Look up 100 hashes",
    most: 13,
    files: {
      "app.ts": "installs the hot path before Fastify",
      "platform/http/hot-path.ts": "accepts plain requests, applies rate limits, sends the answer",
      "content/version-files/hot-look-ups.ts": "reads the request",
      "content/version-files/sent-hashes.ts": "finds the hashes in the bytes of the request",
      "content/version-files/prepared-look-up.ts": "from hashes to versions, and the answer",
      "content/hashes/hash-index.ts": "finds the projects that may have a file",
      "content/catalog/prepared-files.ts": "from a file to the bytes of its version, or of an update",
      "content/catalog/places.ts": "where the record of a project is",
      "content/records/prepared-version.ts": "adds the bytes of a version to the answer",
      "content/versions/policy.ts": "the filters of versions",
      "content/catalog/scratch.ts": "reused memory for the answer",
      "platform/http/joined-answer.ts": "joins the pieces in the encoding that is sent",
      "lib/gzip-join.ts": "puts deflated pieces into one gzip stream",
    },
  },
  {
    name: "Decide about a project",
    most: 20,
    files: {
      "platform/http/mount.ts": gate["platform/http/mount.ts"],
      "web/frame/page.ts": "makes routes of pages and forms",
      "web/frame/form-once.ts": "processes a form only once",
      "web/pages/moderation/review.route.tsx": "the page and its forms",
      "web/pages/moderation/decision-input.ts": "from the form to a decision",
      "moderation/desk/held.ts": "stores the decision for ten seconds, then applies it",
      "moderation/desk/write.ts": "the use case",
      "moderation/desk/reasons.ts": "the reasons allowed for a decision",
      "moderation/desk/claims.ts": "the claims of moderators",
      "content/projects/change.ts": "finds the project, locks the row",
      "platform/changes/write.ts": "the transaction: rows, audit, change log, job",
      "operations/background/handlers.ts": "the function of each job",
      "platform/jobs/worker.ts": "runs the job",
      "platform/jobs/queue.ts": "takes jobs from the table",
      "content/submissions/submit.ts": "sets the new status, with all its effects",
      "content/threads/messages.ts": "adds a message to the thread",
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
