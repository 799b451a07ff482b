/** Of so many characters one may be wrong. */
const CHARACTERS_PER_MISTAKE = 3

/** The name that takes fewest changes of single letters, upper and lower case alike; null if every name takes many, or the name occurs. */
export function nearestName(typed: string, names: readonly string[]): string | null {
  if (names.includes(typed)) return null
  const text = typed.toLowerCase()
  const most = Math.floor(text.length / CHARACTERS_PER_MISTAKE)
  let nearest: { readonly name: string; readonly changes: number } | null = null
  for (const name of names) {
    const bound = nearest ? nearest.changes - 1 : most
    if (bound < 0) break
    if (Math.abs(name.length - text.length) > bound) continue
    const changes = changesBetween(text, name.toLowerCase())
    if (changes <= bound) nearest = { name, changes }
  }
  return nearest?.name ?? null
}

/** The Levenshtein distance, row by row. */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, place) => place)
  for (let place = 0; place < a.length; place++) {
    const next = [place + 1]
    for (let other = 0; other < b.length; other++) {
      const [above, left, corner] = [row[other + 1], next[other], row[other]] as [number, number, number]
      next.push(Math.min(above + 1, left + 1, corner + Number(a[place] !== b[other])))
    }
    row = next
  }
  return row.at(-1) as number
}
