const DAY_MS = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** The date of a moment in a time zone, in whole days from 1 January 1970 to it: as the runtime writes it. */
export function localDayOf(time: number, timeZone: string): number {
  const known = formats.get(timeZone)
  const format = known ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  if (!known) formats.set(timeZone, format)
  return Date.parse(format.format(time)) / DAY_MS
}

/** Zones with all that is peculiar: changes of clocks at midnight, half an hour, far from UTC on either side. */
export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Los_Angeles',
  'Etc/GMT-3',
] as const
