/** Orders texts by code points, like their bytes in UTF-8 and unlike their units in UTF-16. */
export function compareTexts(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index++) {
    const [unit, other] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (unit !== other) return rankOf(unit) - rankOf(other)
  }
  return a.length - b.length
}

const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff

/** Surrogates come after all other units. */
function rankOf(unit: number): number {
  return unit < FIRST_SURROGATE ? unit : unit > LAST_SURROGATE ? unit - 0x800 : unit + 0x2000
}

/** A stable 32-bit hash that spreads texts evenly (FNV-1a over UTF-16 units, with a final mix). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
