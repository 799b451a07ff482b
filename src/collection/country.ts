const ENGLISH = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Codes of the edge for "no country": unknown, Tor. */
const NOWHERE = new Set(['XX', 'T1', 'ZZ'])

/** The English name of a two-letter country code, in any case ("us" → "United States"); other texts stay as they are. */
export function toCountryName(country: string | null): string | null {
  if (country === null || !/^[A-Za-z]{2}$/.test(country)) return country
  const code = country.toUpperCase()
  return NOWHERE.has(code) ? null : (ENGLISH.of(code) ?? country)
}
