// The effect of a change on several people: one row for each person, before and after.
import type { Children } from "#lib/jsx-runtime.js";

interface Props {
  head: { who: string; before: string; after: string };
  rows: readonly { name: string; before: Children; after: Children }[];
}

export const BeforeAfter = ({ head, rows }: Props) => (
  <div class="wrapping-table">
    <table>
      <thead>
        <tr>
          <th scope="col">{head.who}</th>
          <th scope="col">{head.before}</th>
          <th scope="col">{head.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{before}</td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
