// The conventions of all routes, explained once at the top of the reference.
import type { Element } from "#lib/jsx-runtime.js";
import { commonRefusals } from "#platform/http/openapi-answers.js";
import { rateClasses } from "#platform/http/rate-limit-fields.js";
import { quotaInWords } from "./quota.js";
import { RefusalTable } from "./refusals.js";

/** Headings and anchors, used by the navigation too. */
export const conventions = [
  { id: "authentication", title: "Authentication" },
  { id: "errors", title: "Refusals" },
  { id: "limits", title: "Limits" },
  { id: "identifiers", title: "Identifiers" },
  { id: "caching", title: "Caching" },
  { id: "idempotency", title: "Repeating a request" },
  { id: "origins", title: "Other websites" },
] as const;

type Id = (typeof conventions)[number]["id"];

export const Conventions = ({ url }: { url: string }) =>
  conventions.map(({ id, title }) => {
    const Text = texts[id];
    return (
      <section key={id} class="convention" id={id}>
        <h3>
          <a href={`#${id}`}>{title}</a>
        </h3>
        <Text url={url} />
      </section>
    );
  });

const Authentication = ({ url }: { url: string }) => (
  <>
    <p>
      Programs send a personal access token, which a signed-in user makes with <a href="#createToken">POST /api/pat</a>.
      It holds only the scopes that were chosen for it, and ends on the day that was chosen.
    </p>
    <pre>
      <code>{`curl -H "Authorization: Bearer $MODSHELF_TOKEN" ${url}/api/user`}</code>
    </pre>
    <p>
      The bare token without <code>Bearer</code> works too, and so does Basic with the token as the password. A token
      that is wrong, expired or revoked is refused on every route, public ones included. A token without the scope for a
      public route sees what everybody sees.
    </p>
    <p>
      Browsers use a session, kept in the cookie <code>auth-token</code>. Tokens, passwords and sessions themselves can
      be managed with a session only.
    </p>
    <pre>
      <code>{`curl -c cookies.txt ${url}/api/auth/signin/credential \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.org","password":"correct horse battery"}'
curl -b cookies.txt ${url}/api/auth/me`}</code>
    </pre>
  </>
);

const Errors = () => (
  <>
    <p>
      Every refusal has the same body, <a href="#shape-Error">Error</a>. Its <code>code</code> is stable, its{" "}
      <code>message</code> says what to do, and <code>issues</code> names each field that does not fit. Something that
      you may not see is answered exactly like something that does not exist.
    </p>
    <pre>
      <code>
        {JSON.stringify(
          {
            success: false,
            code: "invalidRequest",
            message: "userName: must be 2 to 32 letters, digits, _ or -",
            issues: [{ path: "userName", message: "must be 2 to 32 letters, digits, _ or -" }],
            requestId: "kX3vQ9aBw0ZpL2Rt",
          },
          null,
          2,
        )}
      </code>
    </pre>
    <p>These can come from every route that they make sense for; the others stand at their routes.</p>
    <RefusalTable codes={commonRefusals} />
  </>
);

const Limits = () => (
  <>
    <p>
      Each route belongs to a class with a quota, counted for the account, whatever its credential, else for the network
      address. One token can use three quarters of its account’s quota. <code>RateLimit</code> and{" "}
      <code>RateLimit-Policy</code> say what is left; a refusal with status 429 says in <code>Retry-After</code> how
      many seconds to wait.
    </p>
    <table class="quotas" aria-label="Quotas">
      <thead>
        <tr>
          <th scope="col">Class</th>
          <th scope="col">Quota</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(rateClasses).map(([name, policy]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{quotaInWords(policy)}</td>
            <td>{policy.why}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p>JSON bodies may be 256 KiB large. A list of ids takes up to 100, a list of hashes up to 1,000.</p>
  </>
);

const Identifiers = () => (
  <p>
    Ids are opaque texts and never change; names and slugs can. Where a path takes <code>ref</code>, either works, and
    names in any case. Times are ISO 8601 in UTC. Unset values are <code>null</code>. Unknown parameters and fields are
    ignored.
  </p>
);

const Caching = () => (
  <p>
    Reads carry an <code>ETag</code>. Send it back in <code>If-None-Match</code>, and the answer is 304 without a body
    while nothing changed. GET routes answer HEAD too, and answers are compressed for those who accept it.
  </p>
);

const Idempotency = () => (
  <p>
    Send <code>Idempotency-Key</code> with any POST: 1 to 255 printable characters, a new value for each thing to do.
    Sent again within a day, the request is not done twice; the first answer is repeated with{" "}
    <code>Idempotent-Replayed: true</code>. The same key with another request is refused with 422. A key belongs to the
    token or session that is sent with it, or to the address of a caller without one.
  </p>
);

const Origins = () => (
  <p>
    Every website may make public reads, and may use a token in the <code>Authorization</code> header for everything
    that the token allows, with any other request headers. Cookies are accepted only from this site's own pages and from
    the origins in the setting <code>MODSHELF_CORS_ORIGINS</code>; so are requests that change something without a
    token.
  </p>
);

const texts: Record<Id, (props: { url: string }) => Element> = {
  authentication: Authentication,
  errors: Errors,
  limits: Limits,
  identifiers: Identifiers,
  caching: Caching,
  idempotency: Idempotency,
  origins: Origins,
};
