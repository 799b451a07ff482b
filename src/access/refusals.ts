/** The refusal of a key without an application by every operation that needs one. */
export const NO_APPLICATION = 'This API key acts for no application yet. Register one: POST /applications/register.'

/** The refusal of a key that acts for no application by itself and cannot register one. */
export const UNNAMED_APPLICATION =
  'This API key acts for no application by itself. Name one of its account by its project id: x-project-id, or project in the query.'

export const UNKNOWN_KEY = 'This API key is unknown or was revoked.'
export const FOREIGN_PROJECT = 'This API key does not open that project.'
export const CLIENT_KEY = 'This API key is for tracking clients: it opens the client configuration and collection only.'
export const PERSONS_HIDDEN =
  'This tool shows individual users, and this API key was issued without persons. Issue one with persons: true.'
export const READ_KEY = 'This API key is for reading: it opens questions only.'
export const VERIFIED_ONLY =
  "This application takes events from client keys only with the messenger's init data, as a body with init_data and events."
export const NO_OWN_KEY = 'This account has no such API key.'
export const OTHER_PLAN = 'This operation needs the plan enterprise.'
