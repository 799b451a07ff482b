/** The first characters, of which an emoji is one, as the service counts them. */
export function firstCharacters(text: string, count: number): string {
  return [...text].slice(0, count).join('')
}
