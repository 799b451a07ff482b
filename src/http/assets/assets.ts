import built from './built.json'

/** A script or a style sheet, as `npm run build` made it. */
export interface Asset {
  /** The file's name with a hash of its content. */
  readonly file: string
  readonly hash: string
  readonly type: string
  readonly text: string
}

export type AssetName = keyof typeof built.ourPages

const FOLDER = '/assets/'

/** The address of an asset, which changes with its content. */
export function addressOf(name: AssetName): string {
  return FOLDER + built.ourPages[name].file
}

export function assetAt(file: string): Asset | null {
  return Object.values(built.ourPages).find((asset) => asset.file === file) ?? null
}

/** The library that draws the reference: a file beside the Worker. */
export const REFERENCE_LIBRARY = built.referenceLibrary

export const REFERENCE_LIBRARY_ADDRESS = FOLDER + REFERENCE_LIBRARY

/** The tracking client, which other people's pages load. */
export const CLIENT: Asset = built.othersPages['client.js']

/** What it loads if the settings ask for it. */
export const FURTHER: Asset = built.othersPages['further.js']
