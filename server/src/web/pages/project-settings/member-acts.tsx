// Leaving, removing and transferring: each has a confirmation page.
import type { Children } from "#lib/jsx-runtime.js";
import type { FormProblems } from "#web/context/form.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";

interface QuestionProps {
  action: string;
  back: string;
  button: string;
  problems: FormProblems | undefined;
  children: Children;
}

export const ConfirmMemberAct = ({ children, ...props }: QuestionProps) => (
  <ConfirmForm {...props}>
    <p>{children}</p>
  </ConfirmForm>
);
