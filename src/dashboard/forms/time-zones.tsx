import { UTC_NAME } from '../../base/time/calendar.ts'
import { BoundField, type ShownForm } from './bound-field.tsx'

interface TimeZoneShown {
  readonly of: ShownForm
  /** Whether the script of the pages fills in the browser's zone. */
  readonly isOffered?: boolean
}

const ID = 'time-zones'

/** A time zone by its name, with all names to choose from. */
export function TimeZoneField({ of, isOffered = false }: TimeZoneShown) {
  return (
    <>
      <BoundField
        of={of}
        at="time_zone"
        label="Time zone"
        list={ID}
        hint="All figures count by days in this time zone, for example Asia/Jakarta."
        required
        spellcheck={false}
        {...(isOffered && { 'data-browser-zone': '' })}
      />
      <datalist id={ID}>
        {[UTC_NAME, ...Intl.supportedValuesOf('timeZone').filter((name) => name !== UTC_NAME)].map((name) => (
          <option value={name} />
        ))}
      </datalist>
    </>
  )
}
