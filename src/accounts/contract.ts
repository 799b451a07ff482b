/** What a key without an application is told by every operation that is about one. */
export const NO_APPLICATION = 'This API key acts for no application yet. Register one: POST /applications/register.'

/** What is said of a key that opens nothing, of one that opens something else, and of an account with another plan. */
export const UNKNOWN_KEY = 'This API key is unknown or was revoked.'
export const FOREIGN_PROJECT = 'This API key does not open that project.'
export const CLIENT_KEY = 'This API key is for tracking clients: it opens the client configuration and collection only.'
export const OTHER_PLAN = 'This operation needs the plan enterprise.'
