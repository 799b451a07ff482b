import { createRoute, z } from '@hono/zod-openapi'
import { jsonAnswer, jsonBody, problems } from '../api/answers.ts'
import { text } from '../http/params.ts'

/** What is said where a handle names nothing that the caller may ask about, or may not be taken. */
export const NO_HANDLE = 'No application has this handle.'
export const OTHER_OWNER = 'This handle is registered by another account.'
export const NO_OWN_HANDLE = 'No application of this account has this handle.'

/** A handle in a path: without its at-sign, which is tolerated. */
export const handleParam = z
  .string()
  .transform((handle) => handle.replace(/^@/, ''))
  .openapi({ description: 'Handle of the application, without the at-sign.', example: 'lemon_shop_bot' })

const HANDLE_PATTERN = /^@[A-Za-z0-9_]+$/

/** They are shown to everyone, so nothing that a browser would run or read from a disk. */
const ADDRESS_PATTERN = /^([Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#]|[Tt]\.[Mm][Ee]\/[^\s])/

const address = text({
  min: 1,
  max: 2083,
  pattern: ADDRESS_PATTERN,
  mismatch: 'Input should begin with http://, https:// or t.me/',
})

const Registration = z
  .object({
    name: text({ min: 1, max: 100 }).openapi({ description: 'Name of the application.', example: 'Lemon Shop' }),
    handle: text({ min: 2, max: 100, pattern: HANDLE_PATTERN }).openapi({
      description: 'Handle in the messenger: an at-sign, then letters, digits and underscores.',
      example: '@lemon_shop_bot',
    }),
    link: address.openapi({
      description: 'Link to the application: `http://…`, `https://…` or `t.me/…`.',
      example: 'https://t.me/lemon_shop_bot/app',
    }),
    description: text({ min: 0, max: 500 }).default('').openapi({ description: 'What the application is for.' }),
    photo_url: address.openapi({
      description: 'Address of a picture of the application: `http://…`, `https://…` or `t.me/…`.',
      example: 'https://example.org/lemon.png',
    }),
  })
  .openapi('Registration')

const Registered = z
  .object({
    status_code: z
      .literal(201)
      .openapi({ type: 'integer', description: 'Always 201; the HTTP status is 200.', example: 201 }),
    message: z
      .literal('Application registered successfully')
      .openapi({ description: 'Always `Application registered successfully`.' }),
  })
  .openapi('Registered')

export const registerApplication = createRoute({
  method: 'post',
  path: '/applications/register',
  operationId: 'registerApplication',
  summary: 'Application registration',
  description:
    'Registers an application for tracking. Registering a handle again from the same account updates its name, link, description and photo. ' +
    'The HTTP status is 200; `status_code` in the body is 201.',
  tags: ['Applications'],
  request: { body: jsonBody(Registration) },
  responses: {
    200: jsonAnswer(Registered, 'The application is registered.'),
    ...problems({ 409: OTHER_OWNER }),
  },
})
