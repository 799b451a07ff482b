const ENGLISH = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Codes of the edge for "no country": unknown, Tor. */
const NOWHERE = new Set(['XX', 'T1', 'ZZ'])

/** The English name of a two-letter country code in any case ("us" → "United States"); other texts are unchanged. */
export function toCountryName(country: string | null): string | null {
  if (country === null) return null
  const code = country.toUpperCase()
  if (NOWHERE.has(code)) return null
  return /^[A-Z]{2}$/.test(code) ? (englishNameOf(code) ?? country) : country
}

/** Names by code. Asking for one takes a tenth of the time that reading an event takes. */
const names = new Map<string, string | undefined>()

function englishNameOf(code: string): string | undefined {
  if (!names.has(code)) names.set(code, ENGLISH.of(code))
  return names.get(code)
}
