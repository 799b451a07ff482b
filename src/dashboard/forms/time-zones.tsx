import { UTC_NAME } from '../../base/time/calendar.ts'
import type { PageProblem } from '../request/problem.tsx'
import { InputField } from './field.tsx'

interface TimeZoneShown {
  readonly value: string
  readonly problem: PageProblem | null
  /** Whether the script of the pages fills in the browser's zone. */
  readonly isOffered?: boolean
}

const ID = 'time-zones'

/** A time zone by its name, with all names to choose from. */
export function TimeZoneField({ value, problem, isOffered = false }: TimeZoneShown) {
  return (
    <>
      <InputField
        label="Time zone"
        name="time_zone"
        list={ID}
        hint="All figures count by days in this time zone, for example Asia/Jakarta."
        value={value}
        problem={problem}
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
