// Chooses the period of the figures on a page.
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Choose } from "#web/parts/choose.js";
import { Form } from "#web/parts/form.js";
import { texts } from "#words/texts.js";
import { type Offered, timelines } from "./traffic-view.js";

interface Props {
  action: string;
  timeline: Offered;
  /** Another choice beside it. */
  more?: { name: string; label: string; chosen: string; options: readonly (readonly [string, string])[] };
}

export const PeriodForm = ({ action, timeline, more }: Props) => {
  const t = useTexts(texts.parts.traffic);
  return (
    <Form method="get" class="filter-row" action={action}>
      <Choose
        name="range"
        label={t.range}
        chosen={timeline}
        options={timelines.map((name) => [name, t.ranges[name]] as const)}
      />
      {more && <Choose {...more} />}
      <Button kind="quiet">{t.show}</Button>
    </Form>
  );
};
