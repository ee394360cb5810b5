// Setting a new password: without a code the page asks where to send one, with a code it asks for the password.
import type { FastifyRequest } from "fastify";
import type * as contract from "#accounts/users/password-contract.js";
import { localeOf } from "#web/context/preferences.js";
import { ButtonLink } from "#web/parts/button.js";
import { texts, textsIn } from "#words/texts.js";
import { CredentialsLeft } from "./credential-choices.js";

export const wordsFor = (request: FastifyRequest) => textsIn(texts.account.doors, localeOf(request)).reset;

export type Words = ReturnType<typeof wordsFor>;

export const BackToSignIn = ({ t }: { t: Words }) => (
  <p class="small">
    <a href="/auth/sign-in">{t.back}</a>
  </p>
);

export const Done = ({ t, credentials }: { t: Words; credentials: contract.RemainingCredentials }) => (
  <>
    <CredentialsLeft credentials={credentials} />
    <p>
      <ButtonLink href="/auth/sign-in">{t.signIn}</ButtonLink>
    </p>
  </>
);
