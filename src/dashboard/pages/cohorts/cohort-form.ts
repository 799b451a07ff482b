import { z } from 'zod'
import { text } from '../../../http/params.ts'
import { MAX_COHORT_NAME_CHARACTERS } from '../../../questions/user-cohorts/contract.ts'
import { Definition } from '../../../questions/user-cohorts/definition/contract.ts'
import { shownWindow, toSeconds } from '../../faces/funnels/window.ts'
import { numberIn } from '../../forms/fields-of-form.ts'
import { type Body, type Codec, formOf } from '../../forms/form-of.ts'

/** Browsers write a day with dashes. */
const DAY: Codec = {
  read: (fields, name) => fields.trimmed(name).replaceAll('-', '') || undefined,
  fill: (day) => (typeof day === 'string' ? day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3') : day),
}

/** The field with the unit of a window, beside the one with its number. */
export function unitField(name: string): string {
  return `${name}.unit`
}

const SECONDS: Codec = {
  read(fields, name) {
    const amount = fields.trimmed(name)
    return amount === '' ? undefined : numberIn(toSeconds(amount, fields.text(unitField(name))))
  },
  fill: (seconds) => (seconds === undefined ? undefined : shownWindow(String(seconds)).amount),
}

/** Ids may also stand beside each other. */
const IDS: Codec = {
  read(fields, name) {
    const ids = fields.text(name).split(/[\s,;]+/)
    const given = ids.filter((id) => id !== '')
    return given.length > 0 ? given.map(numberIn) : undefined
  },
  fill: (ids) => ids,
}

const Cohort = z.strictObject({ name: text({ min: 1, max: MAX_COHORT_NAME_CHARACTERS }), ...Definition.shape })

export const cohortForm = formOf(Cohort, { start: DAY, end: DAY, window_seconds: SECONDS, telegram_ids: IDS })

/** What is offered first. */
export const NEW_CONDITION: Body = { type: 'did' }
export const NEW_COHORT: Body = { name: '', match: 'all', conditions: [NEW_CONDITION] }
