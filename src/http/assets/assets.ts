import built from './built.json'

/** A script or a style sheet, as `npm run build` made it. */
export interface Asset {
  /** Its name with the hash of what is in it. */
  readonly file: string
  readonly hash: string
  readonly type: string
  readonly text: string
}

/** Those of our own pages. */
export type AssetName = keyof typeof built.ourPages

const FOLDER = '/assets/'

/** Where a page finds an asset. The name changes with what is in it. */
export function addressOf(name: AssetName): string {
  return FOLDER + built.ourPages[name].file
}

/** What lies at an address; null where there is nothing. */
export function assetAt(file: string): Asset | null {
  return Object.values(built.ourPages).find((asset) => asset.file === file) ?? null
}

/** The tracking client, which other people's pages load. */
export const CLIENT: Asset = built.othersPages['client.js']
