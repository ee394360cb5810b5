// A workflow that publishes a version from a build, ready to be copied. What is left out the archive says itself.

interface Subject {
  siteUrl: string;
  slug: string;
  gameVersion: string;
  loaders: readonly string[];
}

export const workflowFor = ({ siteUrl, slug, gameVersion, loaders }: Subject): string => `name: Publish
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
          curl --fail-with-body --retry 3 \\
            ${siteUrl}/api/project/${slug}/version \\
            -H "Authorization: Bearer $TOKEN" \\
            -F "versionNumber=\${NUMBER#v}" \\
            -F 'gameVersions=${JSON.stringify(gameVersion === "" ? [] : [gameVersion])}' \\
            -F 'loaders=${JSON.stringify(loaders)}' \\
            -F "releaseChannel=release" \\
            -F "primaryFile=@$(ls build/libs/*.jar | head -n 1)"
`;
