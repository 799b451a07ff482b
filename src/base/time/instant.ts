const SECONDS_BELOW = 1e11

const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?\s?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/

/**
 * A moment as clients write it: Unix seconds or milliseconds (a number, or a number as text; below 10^11 it is seconds),
 * or ISO 8601 / RFC 3339 with any number of decimals; without an offset it is UTC.
 * Returns milliseconds since 1970 UTC, or null for anything else, such as 31 February.
 */
export function parseInstant(value: unknown): number | null {
  if (typeof value === 'number') return fromUnix(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  return /^\d{1,16}(\.\d+)?$/.test(text) ? fromUnix(Number(text)) : fromIso(text)
}

function fromUnix(value: number): number | null {
  if (!Number.isFinite(value) || value < 0) return null
  return Math.floor(value < SECONDS_BELOW ? value * 1000 : value)
}

function fromIso(text: string): number | null {
  const match = ISO_8601.exec(text)
  if (!match) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match
  const clock = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const utc = Date.parse(`${clock}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  const exists = Number.isFinite(utc) && new Date(utc).toISOString().startsWith(clock)
  const offsetMinutes = parseOffset(offset)
  return exists && offsetMinutes !== null ? utc - offsetMinutes * 60_000 : null
}

function parseOffset(offset: string): number | null {
  if (offset.toUpperCase() === 'Z') return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(3).replace(':', '') || 0)
  if (hours > 23 || minutes > 59) return null
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
