// English words of why the identity token of a build is rejected. They follow a colon.

export const identity = {
  noTimes: "it does not say when it expires",
  expired: "it has expired",
  tooLong: "it is valid for longer than 31 days",
  notYet: "it is not valid yet",
  audience: (audience: string) => `it was not issued for this site. Request the audience ${audience}`,
  event: (event: string) => `builds started by ${event} cannot publish`,
  workflow: "its workflow is not a file in its repository",
  claim: (name: string) => `the claim ${name} is missing or invalid`,
  notSigned: "it is not a token signed with RS256",
  issuer: "this site does not trust its issuer",
  signature: "its signature is invalid",
  used: "it was already used",
  noPublisher: (repository: string, workflow: string) =>
    `the project does not trust builds of ${repository} with the workflow ${workflow} and no environment`,
  noPublisherIn: (repository: string, workflow: string, environment: string) =>
    `the project does not trust builds of ${repository} with the workflow ${workflow} and the environment ${environment}`,
  otherOwner: (repository: string) =>
    `${repository} now belongs to a different account than when it was first used. Remove the trusted publisher and add it again`,
  mayNotPublish: "the user who added the trusted publisher can no longer publish versions of the project",
};
