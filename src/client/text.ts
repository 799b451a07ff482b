/** Removes the messenger's part of an address: it identifies the person and would let others sign in as them. */
export function withoutLaunch(text: string): string {
  return text.replace(/.tgWebApp.*/, '')
}

/** The first characters, counted in code points as by the service. */
export function firstCharacters(text: string, count: number): string {
  return [...text].slice(0, count).join('')
}
