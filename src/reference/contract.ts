/** What the document says of the service as a whole. */
export const ABOUT = {
  openapi: '3.1.0',
  info: {
    title: 'Mauve',
    version: '1.0.0',
    summary: 'Application analytics for messenger mini-apps and bots.',
    description: `Register a mini-app, point a tracking client at it, and ask who uses it.

**Keys.** Every operation asks for an API key of your account. A key has a scope: \`full\` opens everything, \`read\` every question and nothing else,
\`client\` the client configuration and collection only, so that it can stand in the source of a page. A key acts for one application; \`x-project-id\`, or
\`project\` in the query, names another one of the same account.

**Times and days.** Everything is UTC. A day is 00:00 to 24:00. Times are ISO 8601 with \`Z\`, dates are \`YYYY-MM-DD\`. A period is \`start\`
and \`end\`, each \`YYYYMMDD\`, both inclusive, at most 366 days; the last 30 days by default.

**Words.** A *handle* is an application's name in the messenger. A *user* is a Telegram id within one application. A user is *active* on
a day on which an event of theirs happened, and *monthly active* on that day and the 29 after it. All figures are exact. A change is in
percent of the earlier figure; from zero it is 100 where there is something now, else 0.

**Errors.** 422 tells all faults of a request at once, each with its place, its kind and a sentence; everything else that goes wrong is
\`{"detail": "a sentence"}\`. An address that nothing answers at is 404, a method that an address does not take is 405 and names those
it takes in the header \`Allow\`. HEAD answers wherever GET does. A parameter that takes one value may be given once: given
twice it is a 422. Parameters that an operation does not know are ignored, and so are
fields of a registration or an event; an operation of *Account* names them in a 422.`,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The service that serves this document.' }],
  tags: [
    { name: 'Applications', description: 'Registering applications for tracking.' },
    { name: 'Account', description: "The account's applications, their capture settings, and its API keys." },
    { name: 'Active users', description: 'Monthly active users and their growth, of every registered application.' },
    { name: 'Users', description: "Users of the caller's application." },
    { name: 'Sessions', description: "How often and how long the users of the caller's application stay." },
    { name: 'Events', description: "Events of the caller's application: over time, and step by step." },
    {
      name: 'Enterprise',
      description: "In-depth figures of the caller's applications; for accounts with the plan `enterprise`.",
    },
    {
      name: 'Data',
      description: "Everything that is kept of the caller's application: out of the service, and into it.",
    },
    { name: 'Tracking', description: 'What tracking clients fetch and where they send events.' },
  ],
}
