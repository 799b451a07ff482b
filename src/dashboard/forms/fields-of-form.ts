import { zValidator } from '@hono/zod-validator'
import type { Context } from 'hono'
import type { z } from 'zod'
import { Failure, Invalid } from '../../base/errors.ts'
import { toFaults } from '../../base/faults.ts'
import { type Attempt, attempt } from '../request/problem.tsx'

/** Reads a form by this schema. Throws `Invalid`. */
export function readForm<S extends z.ZodType>(schema: S) {
  return zValidator('form', schema, (read) => {
    if (!read.success) throw new Invalid(toFaults(read.error.issues as z.core.$ZodIssue[], ['body']))
  })
}

/** A form as it was typed, to be shown again where something is wrong with it. A field that was not sent is empty. */
export type FormFields = ReturnType<typeof fieldsOf>

function fieldsOf(values: ReadonlyMap<string, readonly string[]>) {
  const text = (name: string) => values.get(name)?.[0] ?? ''
  const trimmedLines = (name: string) =>
    text(name)
      .split('\n')
      .map((line) => line.trim())
  return {
    text,
    trimmed: (name: string) => text(name).trim().replaceAll('\r\n', '\n'),
    list: (name: string): readonly string[] => values.get(name) ?? [],
    /** The numbers of the rows that have fields, such as 0 for `conditions.0.event`, in order. */
    rows: (name: string) =>
      [...new Set([...values.keys()].flatMap((field) => rowIn(field, name)))].sort((a, b) => a - b),
    /** Without empty lines. */
    lines: (name: string) => trimmedLines(name).filter((line) => line !== ''),
  }
}

function rowIn(field: string, name: string): number[] {
  const row = field.startsWith(`${name}.`) ? /^\d{1,4}(?=[.:])/.exec(field.slice(name.length + 1)) : null
  return row ? [Number(row[0])] : []
}

/** Text that is no number stays as it is: the operation reports the fault. */
export function numberIn(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

/** What a form sent, whatever it is: operations say what is wrong with it. Files are left out. Throws `Invalid`. */
export async function readFields(c: Context): Promise<FormFields> {
  const parsed = await c.req.parseBody({ all: true }).catch((error) => {
    throw error instanceof TypeError ? new Invalid([UNREADABLE]) : error
  })
  const texts = Object.entries(parsed).map(([name, given]) => [name, [given].flat().filter(isText)] as const)
  return fieldsOf(new Map(texts))
}

const UNREADABLE = {
  loc: ['body'],
  msg: 'This form cannot be read. Reload the page and try again.',
  type: 'value_error',
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Only faults of the form itself are for its page; all other errors are thrown. */
export function tryForm<T>(answer: Promise<T>): Promise<Attempt<T>> {
  return attempt(answer, isInvalid)
}

export function isInvalid(error: unknown): boolean {
  return error instanceof Invalid
}

/** Refuses a form because of one of its fields. */
export function refusalOf(field: string, msg: string, type = 'value_error'): Invalid {
  return new Invalid([{ loc: ['body', field], msg, type }])
}

/** Takes a conflict with what is stored for a fault of this field; throws any other error. */
export function conflictAt(field: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof Failure && error.kind === 'conflict' ? refusalOf(field, error.message, error.kind) : error
  }
}
