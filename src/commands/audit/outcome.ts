/** What an audit found, each hole for people to read; or why there was none. */
export type Outcome =
  | { readonly holes: readonly string[]; readonly reason?: undefined }
  | { readonly holes?: undefined; readonly reason: string }

export const PATIENCE_MS = 20_000
