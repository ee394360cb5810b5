// Beyond the last page of a list there is nothing; the last page is one step away.

import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";
import { EmptyState } from "./empty-state.js";

export const PastTheEnd = ({ lastPage }: { lastPage: string }) => {
  const t = useTexts(texts.parts.pastTheEnd);
  return <EmptyState title={t.title} action={{ href: lastPage, text: t.action }} />;
};
