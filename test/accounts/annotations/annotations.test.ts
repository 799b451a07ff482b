import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { listAnnotations } from '../../../src/accounts/annotations/annotations.ts'
import { calendarOf } from '../../../src/base/time/calendar.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { createPlainApplication } from '../../support/applications.ts'
import { createKey, getJson, postJson, request } from '../../support/client.ts'
import { openPage, visit } from '../../support/dashboard.ts'

interface Note {
  readonly id: string
  readonly date: string
  readonly time: string | null
  readonly text: string
}

async function add(key: string, body: object) {
  const response = await postJson('/annotations', key, body)
  return { status: response.status, body: (await response.json()) as { data: Note; detail: { loc: string[] }[] } }
}

async function list(key: string): Promise<Note[]> {
  return ((await (await getJson('/annotations', key)).json()) as { data: Note[] }).data
}

function remove(id: string, key: string) {
  return request(`/annotations/${id}`, { method: 'DELETE', headers: { 'x-api-key': key } })
}

describe('annotations', () => {
  it('are of days or of moments, in order of time, and only of their application', async () => {
    const [{ key }, other] = [await createPlainApplication(), await createPlainApplication()]
    const late = await add(key, { date: '2026-11-20', text: 'late' })
    const moment = await add(key, { date: '2026-11-19T23:30:00+02:00', text: 'moment' })
    const early = await add(key, { date: '2026-11-19', text: 'early' })
    expect([late.status, moment.body.data]).toEqual([
      200,
      { id: moment.body.data.id, date: '2026-11-19', time: '2026-11-19T21:30:00.000Z', text: 'moment' },
    ])
    expect(await list(key)).toEqual([early.body.data, moment.body.data, late.body.data])
    expect((await getJson('/annotations', key)).headers.get('time-zone')).toBe('UTC')
    expect(await list(other.key)).toEqual([])
    expect((await remove(late.body.data.id, other.key)).status).toBe(404)
    expect((await remove(late.body.data.id, key)).status).toBe(200)
    expect((await remove(late.body.data.id, key)).status).toBe(404)
    expect(await list(key)).toEqual([early.body.data, moment.body.data])
  })

  it('annotations of moments have the day of the time zone', async () => {
    const { key, applicationId: id } = await createPlainApplication()
    await add(key, { date: '2026-11-19T23:30:00Z', text: 'late' })
    const datesIn = async (zone: string) =>
      (await listAnnotations(openDatabase(env.DB), { id, calendar: calendarOf(zone) })).map(({ date }) => date)
    expect(await datesIn('UTC')).toEqual(['2026-11-19'])
    expect(await datesIn('Asia/Jakarta')).toEqual(['2026-11-20'])
  })

  it.each([
    [{ date: '2026-02-30', text: 'a' }, ['body', 'date']],
    [{ date: 'tomorrow', text: 'a' }, ['body', 'date']],
    [{ date: '1700000000', text: 'a' }, ['body', 'date']],
    [{ date: '2026-11-20T10:15:00', text: 'a' }, ['body', 'date']],
    [{ date: '2026-11-20 10:15', text: 'a' }, ['body', 'date']],
    [{ date: '2026-11-20' }, ['body', 'text']],
    [{ date: '2026-11-20', text: '' }, ['body', 'text']],
    [{ date: '2026-11-20', text: '😀'.repeat(201) }, ['body', 'text']],
    [{ date: '2026-11-20', text: 'a', colour: 'red' }, ['body', 'colour']],
  ])('%j is refused', async (body, loc) => {
    const { key } = await createPlainApplication()
    const { status, body: answer } = await add(key, body)
    expect([status, answer.detail.map((fault) => fault.loc)]).toEqual([422, [loc]])
  })

  it('may be read with a read key, and changed with a full one', async () => {
    const { key, accountId, applicationId } = await createPlainApplication()
    const [read, client] = [
      await createKey(accountId, 'read', applicationId),
      await createKey(accountId, 'client', applicationId),
    ]
    const { body } = await add(key, { date: '2026-11-20', text: 'a' })
    expect(await list(read)).toHaveLength(1)
    expect((await getJson('/annotations', client)).status).toBe(403)
    expect((await add(read, { date: '2026-11-20', text: 'b' })).status).toBe(403)
    expect((await remove(body.data.id, read)).status).toBe(403)
  })

  it('are at most 1,000, also when several are added at the same time', async () => {
    const { key, applicationId } = await createPlainApplication()
    const fill = `insert into annotations select ?, value, 1, null, 'a', 1 from json_each(?)`
    const ids = Array.from({ length: 998 }, (_, index) => `id ${index}`)
    await env.DB.prepare(fill).bind(applicationId, JSON.stringify(ids)).run()
    const added = await Promise.all([1, 2, 3, 4].map(() => add(key, { date: '2026-11-20', text: 'a' })))
    expect(added.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
  })
})

describe('on pages', () => {
  it('are shown below plots of days, added and deleted there, and escaped', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const visited = await visit([{ event_type: 'a', telegram_id: 1, datetime: new Date().toISOString() }])
    const { browser, home } = visited
    const page = `${home}/events?event=a`
    expect((await openPage(browser, page)).text).toContain('No annotations in this period')
    const text = '<b>Released</b> “2”'
    const added = await browser.send(`${home}/annotations`, { date: today, text, next: page })
    expect([added.status, added.headers.get('location')]).toEqual([303, page])
    const { text: html } = await openPage(browser, page)
    expect(html).toContain(`data-annotation="${today}"`)
    expect(html).toContain('&lt;b&gt;Released&lt;/b&gt;')
    const wrong = await browser.send(`${home}/annotations`, { date: today, text: ' ', next: page })
    expect(wrong.status).toBe(422)
  })
})
