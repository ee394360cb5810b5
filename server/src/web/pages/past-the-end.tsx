// Beyond the last page of a list there is nothing; the last page is one step away.
import { EmptyState } from "#web/parts/empty-state.js";
import { defineTexts, useTexts } from "#web/texts.js";

const texts = defineTexts({
  en: { title: "The list ends before this page", action: "Go to its last page" },
  de: { title: "Die Liste endet vor dieser Seite", action: "Zu ihrer letzten Seite" },
});

export const PastTheEnd = ({ lastPage }: { lastPage: string }) => {
  const t = useTexts(texts);
  return <EmptyState title={t.title} action={{ href: lastPage, text: t.action }} />;
};
