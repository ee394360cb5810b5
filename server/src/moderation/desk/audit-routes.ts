// The audit log: one function a route.
import { Readable } from "node:stream";
import { checkChain } from "#platform/changes/audit-chain.js";
import { type Route, route } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import type { SignedIn } from "#platform/http/viewer.js";
import * as contract from "./audit-contract.js";
import { csvHead, toCsv } from "./audit-csv.js";
import { type AuditFilter, listAudits } from "./audit-read.js";

const mostExported = 10_000;
const exportPage = 500;
const mostChecked = 10_000;

export const auditRoutes: Route[] = [
  route(contract.getAuditLog, async ({ query, viewer }, { db }) => {
    return listAudits(db, viewer, { ...query, limit: query.limit ?? 50 });
  }),

  route(contract.exportAuditLog, async ({ query, viewer, reply }, resources) => {
    // The first page is read before the first byte is sent, so that a wrong filter gets an ordinary refusal.
    const pages = csvPages(resources, viewer, query);
    const first = await pages.next();
    reply.type("text/csv; charset=utf-8").header("content-disposition", 'attachment; filename="audit-log.csv"');
    return reply.send(Readable.from(joined(first.value ?? "", pages)));
  }),

  route(contract.checkAuditLog, async ({ query }, { db }) => {
    const { brokenAt, count, last, isEnd } = await checkChain(db, query.after ?? 0, mostChecked);
    return { intact: brokenAt === undefined, brokenAt: brokenAt ?? null, checked: count, last, isEnd };
  }),
];

async function* csvPages({ db }: Resources, viewer: SignedIn, filter: AuditFilter): AsyncGenerator<string, void> {
  let before: number | undefined;
  for (let exported = 0; exported < mostExported; exported += exportPage) {
    const page = { ...filter, limit: exportPage, ...(before !== undefined && { before }) };
    const { entries, next } = await listAudits(db, viewer, page);
    yield `${exported === 0 ? csvHead() : ""}${toCsv(entries)}`;
    if (next === null) return;
    before = next;
  }
}

async function* joined(first: string, rest: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  yield first;
  yield* rest;
}
