/** An address, or part of one, without the messenger's own part of it: that says who the person is, and would let others in as them. */
export function withoutLaunch(text: string): string {
  return text.replace(/.tgWebApp.*/, '')
}

/** The first characters, of which an emoji is one, as the service counts them. */
export function firstCharacters(text: string, count: number): string {
  return [...text].slice(0, count).join('')
}
