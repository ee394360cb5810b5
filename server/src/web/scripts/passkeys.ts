// Passkeys: gets one from the browser and sends it to the server. Without script there is no button for it.

interface Challenge {
  step: string;
  options: string;
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const reply = await fetch(path, {
    method: "POST",
    headers: { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(String(reply.status));
  return (await reply.json()) as T;
}

/** Older browsers support passkeys, but not as JSON. */
const isKnown =
  "PublicKeyCredential" in window &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential &&
  "toJSON" in PublicKeyCredential.prototype;

const answerOf = (credential: Credential | null): string =>
  JSON.stringify((credential as PublicKeyCredential | null)?.toJSON());

/** Disables the button while it runs, and shows errors beside it. */
async function trying(place: HTMLElement, work: () => Promise<void>): Promise<void> {
  const button = place.querySelector("button");
  const remark = place.querySelector<HTMLElement>("[data-failed]");
  if (!button || !remark) return;
  remark.textContent = "";
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch {
    remark.textContent = remark.dataset.failed ?? "";
  }
  button.disabled = false;
  button.removeAttribute("aria-busy");
}

/** The element contains a button that uses a passkey and sends it to `path`. */
function offer(place: HTMLElement | null, path: string, then: (place: HTMLElement) => void): void {
  if (!place || !isKnown) return;
  place.hidden = false;
  place.querySelector("button")?.addEventListener("click", () =>
    trying(place, async () => {
      const { step, options } = await ask<Challenge>("/auth/passkey/begin");
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options));
      const answer = answerOf(await navigator.credentials.get({ publicKey }));
      await ask(path, { step, answer });
      then(place);
    }),
  );
}

offer(document.querySelector("[data-passkey-sign-in]"), "/auth/passkey/finish", (place) =>
  location.assign(place.dataset.next ?? "/"),
);
offer(document.querySelector("[data-passkey-confirm]"), "/auth/confirm/passkey", (place) => {
  const { next } = place.dataset;
  // submit() skips the browser's validation: the field for the code may be empty.
  if (next === undefined) place.closest("form")?.submit();
  else location.assign(next);
});

const add = document.querySelector<HTMLFormElement>("form[data-passkey-add]");
if (add && isKnown) {
  add.hidden = false;
  add.addEventListener("submit", (event) => {
    event.preventDefault();
    trying(add, async () => {
      const name = String(new FormData(add).get("passkeyName"));
      const { step, options } = await ask<Challenge>("/settings/security/passkeys/begin");
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options));
      const answer = answerOf(await navigator.credentials.create({ publicKey }));
      await ask("/settings/security/passkeys/finish", { step, name, answer });
      location.assign("/settings/security?done=added");
    });
  });
}
