export const DOCUMENT_PATH = '/openapi.json'
export const PAGE_PATH = '/docs'

export const ABOUT = {
  openapi: '3.1.0',
  info: {
    title: 'Mauve',
    version: '1.0.0',
    summary: 'Application analytics for messenger mini-apps and bots.',
    description: `Register a mini-app, add a tracking client, and ask who uses it.

**Keys.** Every operation requires an API key of your account. A key has a scope: \`full\` opens everything, \`read\` all questions and nothing else, and
\`client\` only the client configuration and collection, so that it can appear in the source of a page. A key acts for one application; to select another
one of the same account, use \`x-project-id\`, or \`project\` in the query.

**Commands.** Every operation has a command to copy. Put your API key into a variable first: \`KEY=00000000-0000-4000-8000-000000000000\`.
The responses beside the commands come from the demo history.

**Times and days.** Times are ISO 8601 in UTC, with \`Z\`. Days are those of the application: from one midnight to the next in its time zone, which is UTC
unless it was set, and which answers name in the header \`time-zone\`. Dates are \`YYYY-MM-DD\`. A period is \`start\` and \`end\`, each \`YYYYMMDD\`,
both inclusive, at most 366 days; the last 30 days by default, up to today in that zone.

**Terms.** A *handle* is an application's name in the messenger. A *user* is a Telegram id within one application. A user is *active* on
a day with at least one of their events, and *monthly active* on that day and the 29 days after it. All figures are exact. A change is a
percentage of the earlier figure; from zero it is 100 if there is something now, else 0.

**Errors.** A 422 lists all faults of a request, each with its location, its kind and a sentence; every other error is
\`{"detail": "a sentence"}\`. An unknown address is a 404. A method that an address does not support is a 405, with the supported ones
in the header \`Allow\`. HEAD works wherever GET does. A parameter that takes one value and is given twice is a
422. Unknown parameters are ignored, and so are unknown fields of a registration or an event; in operations of *Account*,
in subscriptions and in revenue rules, unknown fields are a 422.

**Assistants.** \`POST /mcp\` answers the Model Context Protocol (Streamable HTTP, stateless): one tool for every question, for a key of scope \`read\` or
\`full\` in \`Authorization: Bearer\` or \`x-api-key\`. \`GET /llms.txt\` describes the service to language models.`,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The service that serves this document.' }],
  tags: [
    { name: 'Tracking', description: 'What tracking clients fetch and where they send events.' },
    { name: 'Data', description: "Exporting and importing all data of the caller's application." },
    { name: 'Active users', description: 'Monthly active users and their growth, of every registered application.' },
    { name: 'Users', description: "Users of the caller's application." },
    { name: 'Sessions', description: "How often and how long the users of the caller's application stay." },
    { name: 'Events', description: "Events of the caller's application, over time and step by step." },
    { name: 'Revenue', description: "What the users of the caller's application pay, and what counts as a payment." },
    {
      name: 'Enterprise',
      description: "In-depth figures of the caller's applications, for accounts with the plan `enterprise`.",
    },
    {
      name: 'Cohorts',
      description: 'Saved rules for which users belong together, as filters and groups of every question.',
    },
    { name: 'Applications', description: 'Registering applications for tracking.' },
    { name: 'Notifications', description: 'Digests and alerts, sent to chats and webhooks.' },
    { name: 'Account', description: "The account's applications, their capture settings, and its API keys." },
  ],
}
