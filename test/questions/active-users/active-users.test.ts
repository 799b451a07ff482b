import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { keepLayouts } from '../../support/activity.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { createAccount, createKey, getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'

const PATH = '/monthly-active-users/timeseries'

describe('GET /monthly-active-users/timeseries/{handle}', () => {
  it('answers with 30 days by default, oldest first, with zeros for days without events', async () => {
    const { handle, key } = await createPlainApplication()
    const response = await getJson(`${PATH}/${handle}`, key)
    expect(response.status).toBe(200)
    const { timeseries_data, ...rest } = await response.json<{ timeseries_data: Record<string, number> }>()
    const link = `https://t.me/${handle}`
    expect(rest).toEqual({ name: 'Lemon Shop', handle, link, status_code: 200, message: 'Success' })
    const days = Object.keys(timeseries_data)
    expect(days).toHaveLength(30)
    expect(days).toEqual([...days].sort())
    expect(days.at(-1)).toBe(new Date().toISOString().slice(0, 10))
    expect(new Set(Object.values(timeseries_data))).toEqual(new Set([0]))
  })

  it.each(['1', '3650'])('accepts days=%s', async (days) => {
    const { handle, key } = await createPlainApplication()
    const { timeseries_data } = await (await getJson(`${PATH}/${handle}?days=${days}`, key)).json<{
      timeseries_data: object
    }>()
    expect(Object.keys(timeseries_data)).toHaveLength(Number(days))
  })

  it.each([
    ['0', 'greater_than_equal'],
    ['3651', 'less_than_equal'],
    ['abc', 'int_parsing'],
  ])('rejects days=%s', async (days, type) => {
    const { handle, key } = await createPlainApplication()
    const response = await getJson(`${PATH}/${handle}?days=${days}`, key)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['query', 'days'], type }] })
  })

  it('accepts a handle with an at sign and in any case, and lets any key read any application', async () => {
    const { handle } = await createPlainApplication()
    const { key } = await createAccount()
    expect((await getJson(`${PATH}/@${handle.toUpperCase()}`, key)).status).toBe(200)
  })

  it('answers 404 for an unknown handle', async () => {
    const { key } = await createAccount()
    const response = await getJson(`${PATH}/nobody_here`, key)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ detail: 'No application has this handle.' })
  })

  it('rejects keys of tracking clients', async () => {
    const { handle, accountId } = await createPlainApplication()
    expect((await getJson(`${PATH}/${handle}`, await createKey(accountId, 'client'))).status).toBe(403)
  })

  it('reports the moment up to which events are counted: when the oldest pending change was stored', async () => {
    const { applicationId, handle, key } = await createPlainApplication()
    const asOf = async () => Date.parse((await getJson(`${PATH}/${handle}`, key)).headers.get('figures-as-of') ?? '')
    expect(Date.now() - (await asOf())).toBeLessThan(60_000)
    await keepLayouts(applicationId, [1, 2])
    const hoursAgo = (hours: number) => ({ event_type: 'a', telegram_id: 1, datetime: Date.now() - hours * 3_600_000 })
    await deliver(messagesOf(applicationId, [hoursAgo(2), hoursAgo(3)]))
    const markedAt = env.DB.prepare(
      'update changes set marked_at = ? where application_id = ? and objects = ? and hour = ?',
    )
    const hour = Math.floor(hoursAgo(2).datetime / 3_600_000)
    const dated = [markedAt.bind(5_000, applicationId, 1, hour), markedAt.bind(4_000, applicationId, 2, hour)]
    await env.DB.batch(dated)
    expect(await asOf()).toBe(5_000)
  })
})
