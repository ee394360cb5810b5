// Beyond the last page of a list there is nothing; the last page is one step away.

import { EmptyState } from "#web/parts/empty-state.js";
import { useTexts } from "#web/texts.js";
import { texts } from "#words/texts.js";

export const PastTheEnd = ({ lastPage }: { lastPage: string }) => {
  const t = useTexts(texts.parts.pastTheEnd);
  return <EmptyState title={t.title} action={{ href: lastPage, text: t.action }} />;
};
