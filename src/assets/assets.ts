import built from './built.json'

/** A script or a style sheet of the pages, as `npm run build` made it. */
export type AssetName = keyof typeof built

const FOLDER = '/assets/'

/** Where a page finds an asset. The name changes with what is in it. */
export function addressOf(name: AssetName): string {
  return FOLDER + built[name].file
}

/** What lies at an address; null where there is nothing. */
export function assetAt(file: string): { readonly type: string; readonly text: string } | null {
  return Object.values(built).find((asset) => asset.file === file) ?? null
}
