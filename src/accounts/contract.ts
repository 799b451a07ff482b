/** What a key without an application is told by every operation that is about one. */
export const NO_APPLICATION = 'This API key acts for no application yet. Register one: POST /applications/register.'
