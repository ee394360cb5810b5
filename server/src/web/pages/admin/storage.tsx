// How much room everything takes, and who takes most of it.

import type { StorageUse } from "#discovery/statistics/contract.js";
import { readStorageUse } from "#discovery/statistics/read.js";
import { type LargeProject, listLargestProjects } from "#operations/administration/storage-read.js";
import { findVerification, startVerification } from "#operations/administration/verification-run.js";
import { write } from "#platform/changes/write.js";
import type { Route } from "#platform/http/endpoint.js";
import { formFields } from "#web/context/form.js";
import { useFormat } from "#web/context/frame.js";
import { seeOther } from "#web/context/paths.js";
import { localeOf } from "#web/context/preferences.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { memberFormRoute, pageRoute } from "#web/frame/page.js";
import { forAdmins } from "#web/shared/staff-access.js";
import { texts } from "#words/texts.js";
import { adminPage } from "./admin-frame.js";
import { Verification } from "./verification.js";

export const storageRoutes: Route[] = [
  pageRoute(
    {
      id: "getAdminStoragePage",
      path: "/admin/storage",
      access: forAdmins,
      rate: "bulk",
      summary: "How much room everything takes",
    },
    async ({ request }, resources) => {
      const use = await readStorageUse(resources);
      const largest = await listLargestProjects(resources.db);
      const run = await findVerification(resources.db);
      return adminPage(
        { tab: "storage", locale: localeOf(request) },
        <>
          <Storage use={use} largest={largest} />
          <Verification run={run} />
        </>,
      );
    },
  ),

  memberFormRoute(
    {
      id: "submitVerification",
      path: "/admin/storage/verify",
      access: forAdmins,
      summary: "Check in the background that everything is as it was promised",
      body: formFields("deep"),
    },
    async ({ actor, body, reply }, resources) => {
      await write(resources, actor, (tx) => startVerification(tx, body.deep !== undefined));
      return seeOther(reply, "/admin/storage#verification");
    },
  ),
];

const Storage = ({ use, largest }: { use: StorageUse; largest: readonly LargeProject[] }) => {
  const t = useTexts(texts.admin.overview);
  const format = useFormat();
  const { breakdown } = use;
  const figures = { total: use.totalUsed, ...breakdown };
  return (
    <>
      <h2>{t.storageUse}</h2>
      <dl class="desk-figures">
        {(Object.keys(t.kinds) as (keyof typeof figures)[]).map((kind) => (
          <div key={kind}>
            <dt>{t.kinds[kind]}</dt>
            <dd>{format.bytes(figures[kind])}</dd>
          </div>
        ))}
      </dl>
      <h2>{t.largest}</h2>
      {largest.length === 0 ? (
        <p class="muted">{t.noProjects}</p>
      ) : (
        <div class="desk-table">
          <table>
            <thead>
              <tr>
                <th>{t.projects}</th>
                <th>{t.files}</th>
                <th>{t.bytes}</th>
              </tr>
            </thead>
            <tbody>
              {largest.map(({ id, slug, name, files, bytes }) => (
                <tr key={id}>
                  <td>
                    <a href={projectPath(slug)} dir="auto">
                      {name}
                    </a>
                  </td>
                  <td data-label={t.files}>{format.number(files)}</td>
                  <td data-label={t.bytes}>{format.bytes(bytes)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
};
