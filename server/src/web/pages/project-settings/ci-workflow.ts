// Workflows that publish a version from a build, ready to be copied. What is left out the archive says itself.
import type { SettingsView } from "#web/shared/settings-view.js";

interface Subject {
  siteUrl: string;
  slug: string;
  gameVersion: string;
  loaders: readonly string[];
}

export const workflowSubject = ({ project, taxonomy }: SettingsView, siteUrl: string): Subject => ({
  siteUrl,
  slug: project.slug,
  gameVersion: project.gameVersions[0] ?? taxonomy.gameVersions[0]?.value ?? "",
  loaders: project.loaders,
});

const lines = (indent: string, ...texts: string[]): string => texts.map((text) => `${indent}${text}\n`).join("");

const publishStep = ({ siteUrl, slug, gameVersion, loaders }: Subject, indent: string): string =>
  lines(
    indent,
    `curl --fail-with-body --retry 3 \\`,
    `  ${siteUrl}/api/project/${slug}/version \\`,
    `  -H "Authorization: Bearer $TOKEN" \\`,
    `  -F "versionNumber=\${NUMBER#v}" \\`,
    `  -F 'gameVersions=${JSON.stringify(gameVersion === "" ? [] : [gameVersion])}' \\`,
    `  -F 'loaders=${JSON.stringify(loaders)}' \\`,
    `  -F "releaseChannel=release" \\`,
    `  -F "primaryFile=@$(ls build/libs/*.jar | head -n 1)"`,
  );

/** Where it is refused, the log of the build says why. */
const exchangeStep = ({ siteUrl, slug }: Subject, extract: string, indent: string): string =>
  lines(
    indent,
    `ANSWER=$(curl --fail-with-body -sS ${siteUrl}/api/project/${slug}/publishing-token \\`,
    `  --json "{\\"token\\":\\"$IDENTITY\\"}") || { echo "$ANSWER"; exit 1; }`,
    `TOKEN=$(echo "$ANSWER" | ${extract})`,
  );

/** With a key that is stored as a secret. */
export const workflowFor = (subject: Subject): string => `name: Publish
on:
  push:
    tags: ["v*"]
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: ./gradlew build
      - name: Publish the version
        env:
          TOKEN: \${{ secrets.MODSHELF_TOKEN }}
          NUMBER: \${{ github.ref_name }}
        run: |
${publishStep(subject, "          ")}`;

/** JSON is YAML: whatever the name holds, it stays a name. */
const placeLine = (environment: string | null, indent: string): string =>
  environment === null ? "" : `${indent}environment: ${JSON.stringify(environment)}\n`;

/** Without any secret: the build service vouches for the build. */
export const trustedWorkflowFor = {
  github: (subject: Subject, environment: string | null): string => `name: Publish
on:
  push:
    tags: ["v*"]
permissions:
  contents: read
  id-token: write
jobs:
  publish:
    runs-on: ubuntu-latest
${placeLine(environment, "    ")}    steps:
      - uses: actions/checkout@v4
      - run: ./gradlew build
      - name: Publish the version
        env:
          NUMBER: \${{ github.ref_name }}
        run: |
          IDENTITY=$(curl --fail-with-body -sS -H "Authorization: Bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" \\
            "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=${encodeURIComponent(subject.siteUrl)}" | jq -r .value)
${exchangeStep(subject, "jq -r .token", "          ")}          echo "::add-mask::$TOKEN"
${publishStep(subject, "          ")}`,

  gitlab: (subject: Subject, environment: string | null): string => `publish:
  rules:
    - if: $CI_COMMIT_TAG
${placeLine(environment, "  ")}  id_tokens:
    IDENTITY:
      aud: ${subject.siteUrl}
  script:
    - ./gradlew build
    - |
      NUMBER=$CI_COMMIT_TAG
${exchangeStep(subject, `sed 's/.*"token":"\\([^"]*\\)".*/\\1/'`, "      ")}${publishStep(subject, "      ")}`,
};
