import { expect, it } from 'vitest'
import { createPlainApplication } from '../../support/applications.ts'
import { getJson } from '../../support/client.ts'
import { deliver, messagesOf } from '../../support/delivery.ts'

const NOON = Date.parse('2026-03-10T12:00:00Z')
const HOUR = 3_600_000

it('shows the days and the events of one user', async () => {
  const { applicationId, key } = await createPlainApplication()
  const event = (telegram_id: number, event_type: string, hours: number) => ({
    event_type,
    telegram_id,
    datetime: NOON + hours * HOUR,
  })
  const events = [event(1, 'b', 0), event(1, 'a', 1), event(1, 'b', 24), event(2, 'c', 0), event(1, 'a', -48)]
  await deliver(messagesOf(applicationId, events))
  const days = async (user: number) => {
    const response = await getJson(`/users/${user}/days?start=20260310&end=20260312`, key)
    return [response.status, await response.json()]
  }
  const series = { data_type: 'time_series', length: 3, empty: false }
  expect(await days(1)).toEqual([
    200,
    {
      xValues: { ...series, name: 'date', data: ['2026-03-10', '2026-03-11', '2026-03-12'], key_value: 3 },
      yValues: [{ ...series, name: 'events', data: [2, 1, 0], key_value: 3, change: 200 }],
      names: [
        { name: 'b', events: 2 },
        { name: 'a', events: 1 },
      ],
      time_zone: 'UTC',
      status_code: 200,
      message: 'Success',
    },
  ])
  expect(await days(3)).toEqual([404, { detail: 'No event of this user was ever stored.' }])
  const ofName = await getJson('/users/1/events?event=b&limit=1', key)
  expect(await ofName.json()).toMatchObject({ data: [{ name: 'b', session: 4 }], next: expect.any(String) })
})
