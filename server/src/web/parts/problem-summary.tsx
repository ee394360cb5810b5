// The problems of a form, shown above it with links to the fields.

import type { FormProblems } from "#web/context/form.js";
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { Notice } from "./notice.js";

export const ProblemSummary = ({ problems, labels }: { problems: FormProblems; labels: Record<string, string> }) => {
  const t = useTexts(texts.parts.form);
  const named = Object.entries(labels).filter(([name]) => problems.fields[name]);
  return (
    <Notice kind="problem" title={named.length === 0 ? t.failed : t.check}>
      {named.length === 0 ? (
        <p>{problems.message}</p>
      ) : (
        <ul>
          {named.map(([name, label]) => (
            <li key={name}>
              <a href={`#${name}`}>{label}</a>: {problems.fields[name]}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
};
