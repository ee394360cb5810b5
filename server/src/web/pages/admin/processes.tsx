// The processes that serve requests: one, or several workers.
import type { WorkerReport } from "#platform/workers/peers.js";
import { useFormat } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

export const Processes = ({ processes }: { processes: readonly WorkerReport[] }) => {
  const t = useTexts(texts.admin.processes);
  const format = useFormat();
  return (
    <>
      <h2>{t.title}</h2>
      <div class="desk-table">
        <table>
          <thead>
            <tr>
              <th>{t.worker}</th>
              <th>{t.pid}</th>
              <th>{t.memory}</th>
              <th>{t.since}</th>
            </tr>
          </thead>
          <tbody>
            {processes.map(({ number, pid, residentBytes, since }) => (
              <tr key={number}>
                <th scope="row">{number}</th>
                <td data-label={t.pid}>{pid}</td>
                <td data-label={t.memory}>{format.bytes(residentBytes)}</td>
                <td data-label={t.since}>
                  <Time at={since} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
