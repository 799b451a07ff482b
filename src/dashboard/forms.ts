import { zValidator } from '@hono/zod-validator'
import type { z } from 'zod'
import { Invalid } from '../errors.ts'
import { toFaults } from '../faults.ts'

/** Reads a form by this schema. Throws `Invalid`. */
export function readForm<S extends z.ZodType>(schema: S) {
  return zValidator('form', schema, (read) => {
    if (!read.success) throw new Invalid(toFaults(read.error.issues as z.core.$ZodIssue[], ['body']))
  })
}
