import { z } from '@hono/zod-openapi'

// The fields that requests and answers are made of, each with its description and an example.

/** A field with a text. */
export function label(description: string, example?: string) {
  return z.string().openapi({ description, ...(example !== undefined && { example }) })
}

/** A field with a whole number. */
export function count(description: string, example?: number) {
  return z
    .number()
    .int()
    .openapi({ description, ...(example !== undefined && { example }) })
}

/** A field with a moment. */
export function moment(description: string, example: string) {
  return z.iso.datetime().openapi({ description, example })
}

/** A field with a yes or no. */
export function flag(description: string, example?: boolean) {
  return z.boolean().openapi({ description, ...(example !== undefined && { example }) })
}
