/** The order of texts by code points, which is that of their bytes in UTF-8; that of UTF-16 is another one. */
export function compareTexts(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  for (let place = 0; place < shared; place++) {
    const [unit, other] = [a.charCodeAt(place), b.charCodeAt(place)]
    if (unit !== other) return rankOf(unit) - rankOf(other)
  }
  return a.length - b.length
}

const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff

/** Halves of the code points beyond 0xffff come after all others. */
function rankOf(unit: number): number {
  return unit < FIRST_SURROGATE ? unit : unit > LAST_SURROGATE ? unit - 0x800 : unit + 0x2000
}

/** 32 bits that a text always has, to deal texts out evenly (FNV-1a over its UTF-16 units, mixed at the end). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let place = 0; place < text.length; place++) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
