import { createPublicKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { apiKey, baseUrl, call, expectProblem, needOwned } from './client.ts'

const PATH = '/v1/client/config'

function getConfig(authorization = apiKey, path = PATH, headers: Record<string, string> = {}): Promise<Response> {
  return call(path, { headers: { authorization, ...headers } })
}

async function readConfig(): Promise<Record<string, unknown>> {
  return (await (await getConfig()).json()) as Record<string, unknown>
}

it('has every field, at its default (§10, §Application client configuration)', async () => {
  const response = await getConfig()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await response.json()).toEqual({
    app_name: expect.any(String),
    public_key: expect.any(String),
    host: `${baseUrl}/v1/client/events`,
    auto_capture: true,
    auto_capture_tags: ['a', 'button'],
    auto_capture_classes: [],
    auto_capture_mini_app_events: [],
    auto_capture_commands: [],
    auto_capture_messages: [],
    auto_capture_telegram: false,
    auto_capture_telegram_events: [],
    advanced_tracking_features: [],
  })
})

it('has a public key that every client can read: RSA-2048 as PKCS#1 PEM, with real line feeds', async () => {
  const publicKey = String((await readConfig()).public_key)
  expect(publicKey).toMatch(
    /^-----BEGIN RSA PUBLIC KEY-----\n([A-Za-z0-9+/=]{1,64}\n)+-----END RSA PUBLIC KEY-----\n?$/,
  )
  expect(createPublicKey(publicKey).asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 })
})

it('is the same on every call', async () => expect(await readConfig()).toEqual(await readConfig()))

it.each(['Bearer ', 'bearer ', 'Bearer   ', ''])(
  'takes the key in Authorization after "%s" (§10, §Authentication)',
  async (prefix) => {
    expect((await getConfig(prefix + apiKey)).status).toBe(200)
  },
)

it('takes the Content-Type that the Go client sends on a GET', async () => {
  expect((await getConfig(apiKey, PATH, { 'content-type': 'application/json' })).status).toBe(200)
})

it('does not take the key in x-api-key', async () => {
  await expectProblem(await call(PATH, { headers: { 'x-api-key': apiKey } }), 401)
})

it('takes the project id of its own application, in the query and in the header', async (context) => {
  const { projectId } = needOwned(context)
  expect((await getConfig(apiKey, `${PATH}?project=${projectId}`)).status).toBe(200)
  expect((await getConfig(apiKey, PATH, { 'x-project-id': projectId })).status).toBe(200)
})

it('opens to a client key', async (context) => {
  expect((await getConfig(`Bearer ${needOwned(context).clientKey}`)).status).toBe(200)
})

it('says to register an application where there is none (§10, §Errors)', async (context) => {
  const [, key] = needOwned(context).newKeys
  const response = await getConfig(key)
  expect(await response.clone().text()).toContain('/applications/register')
  await expectProblem(response, 404)
})

describe('the values of (§Events, §Application client configuration)', () => {
  it.each([
    [
      'auto_capture_mini_app_events',
      `MainButtonPressed, SettingsButtonPressed, InvoiceClosed, PopupClosed, QRCodeScanned, ClipboardChanged,
      WriteAccessGranted, WriteAccessRejected, WriteAccessRequested, ContactRequestAccepted, ContactRequestRejected,
      ContactRequestSent, WalletConnected`,
    ],
    [
      'auto_capture_telegram_events',
      `inline_query, chosen_inline_result, message, edited_message, shipping_query, pre_checkout_query, callback_query,
      channel_post, edited_channel_post, message_reaction, poll, poll_answer, my_chat_member, chat_member,
      chat_join_request, chat_boost, removed_chat_boost, message_reaction_count, bot_blocked, bot_unblocked`,
    ],
    [
      'advanced_tracking_features',
      'channel_events_tracking, wallet_connected, post_schedule_analytics, post_comments_analytics',
    ],
  ])('%s are these, says the document', async (field, values) => {
    const document = (await (await call('/openapi.json')).json()) as Document
    const list = document.components.schemas.ClientConfig.properties[field]
    expect(list).toMatchObject({ type: 'array', items: { type: 'string', enum: values.split(/,\s+/) } })
  })
})

interface Document {
  readonly components: {
    readonly schemas: { readonly ClientConfig: { readonly properties: Readonly<Record<string, unknown>> } }
  }
}
