// The form for the site's logo, as it looks.

import { Logo } from "#web/assets/logo.js";
import type { FormProblems } from "#web/context/form.js";
import { useFrame } from "#web/context/frame.js";
import { useTexts } from "#web/context/texts.js";
import { Button } from "#web/parts/button.js";
import { Form } from "#web/parts/form.js";
import { FileField } from "#web/parts/input-fields.js";
import { ProblemSummary } from "#web/parts/problem-summary.js";
import { texts } from "#words/texts.js";

const path = "/admin/settings/branding/logo";

export const LogoForm = ({ problems }: { problems: FormProblems | undefined }) => {
  const t = useTexts(texts.admin.logo);
  const { logo } = useFrame();
  return (
    <>
      <h2>{t.logo}</h2>
      {problems && <ProblemSummary problems={problems} labels={{ logo: t.logo }} />}
      <Form class="form card" action={path} hasFiles>
        {logo && (
          <p>
            <Logo logo={logo} />
          </p>
        )}
        <FileField
          name="logo"
          label={t.logo}
          hint={t.hint}
          accept="image/png,image/jpeg,image/gif,image/webp"
          problems={problems}
          required
        />
        <Button>{t.save}</Button>
      </Form>
      {logo && (
        <Form action={`${path}/remove`}>
          <Button kind="quiet">{t.remove}</Button>
        </Form>
      )}
    </>
  );
};
