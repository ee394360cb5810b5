// Refusals as a table: status, code and message.
import type { ErrorCode } from "#platform/errors.js";
import { errorStatuses } from "#platform/errors.js";
import { sentenceOf } from "#platform/http/openapi-answers.js";

export const RefusalTable = ({ codes }: { codes: readonly ErrorCode[] }) => (
  <table class="refusals" aria-label="Refusals">
    <thead>
      <tr>
        <th scope="col">Status</th>
        <th scope="col">Code</th>
        <th scope="col">Message</th>
      </tr>
    </thead>
    <tbody>
      {codes.map((code) => (
        <tr key={code}>
          <td>{errorStatuses[code]}</td>
          <th scope="row">
            <code>{code}</code>
          </th>
          <td>{sentenceOf(code)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
