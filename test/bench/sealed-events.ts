import { load, toRequest } from './load.ts'
import { interleave, median, medianRatio, progress } from './rounds.ts'
import { seal } from './seal.ts'
import { type Application, createApplication, type Service } from './service.ts'
import { perSecond, type Section, times } from './table.ts'

const ROUNDS = 5
const CONNECTIONS = 16

/** Sealed events a second through the collection endpoint, next to plain single ones; the consumer works meanwhile. */
export async function measureSealedEvents(service: Service, { quick }: { quick: boolean }): Promise<Section> {
  const perRound = quick ? 100 : 1_000
  const application = await createApplication(service)
  const publicKey = await fetchPublicKey(service, application)
  progress('  sealing events')
  const plain = bodies(perRound, (number) => JSON.stringify(plainEvent(number)))
  const sealed = bodies(perRound, (number) => seal(clientEvent(number), publicKey))
  const send = (round: readonly string[]) => post(service.mauve, application.key, round)
  const rates = await interleave(
    { sealed: (round) => send(sealed[round] ?? []), plain: (round) => send(plain[round] ?? []) },
    ROUNDS,
  )
  await settle(service, 2 * perRound * (ROUNDS + 1))
  const ratio = `${times(medianRatio(rates.sealed, rates.plain))} of plain events`
  return {
    title: `POST /v1/client/events, one event a request, ${CONNECTIONS} connections, all of them stored`,
    lines: [
      { what: 'sealed events', figure: perSecond(median(rates.sealed), 'events'), ratio },
      { what: '  plain events', figure: perSecond(median(rates.plain), 'events') },
    ],
  }
}

/** Bodies for the round that warms up and for those that count. */
function bodies(perRound: number, body: (number: number) => string): string[][] {
  return Array.from({ length: ROUNDS + 1 }, (_, round) =>
    Array.from({ length: perRound }, (_, index) => body(round * perRound + index)),
  )
}

export function clientEvent(number: number) {
  return {
    eventType: `Screen ${number % 24}`,
    telegramID: String(7_200_000_000 + (number % 3_000)),
    timestamp: String(Math.floor(Date.now() / 1000)),
    userDetails: { username: `user_${number % 3_000}`, firstName: 'Lemon', lastName: '', isPremium: number % 9 === 0 },
    eventDetails: { startParameter: '', path: '/', params: { number } },
    language: 'en',
    device: 'ios',
    referrerType: 'N/A',
    sessionIdentifier: String(number % 3_000),
    eventSource: 'React SDK',
    isAutocapture: false,
  }
}

export function plainEvent(number: number) {
  return {
    event_type: `Screen ${number % 24}`,
    telegram_id: 7_300_000_000 + (number % 3_000),
    datetime: Math.floor(Date.now() / 1000),
    username: `user_${number % 3_000}`,
    firstname: 'Lemon',
    is_premium: number % 9 === 0,
    language: 'en',
    device: 'ios',
    session_id: String(number % 3_000),
    params: { number },
  }
}

export async function fetchPublicKey({ mauve }: Service, { key }: Application): Promise<string> {
  const response = await fetch(new URL('/v1/client/config', mauve), { headers: { authorization: `Bearer ${key}` } })
  return ((await response.json()) as { public_key: string }).public_key
}

/** Gives requests a second. */
export function post(address: URL, key: string, round: readonly string[]): Promise<number> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const requests = round.map((body) => toRequest(address, { path: '/v1/client/events', headers, body })).values()
  return load({ address, next: () => requests.next().value ?? null, connections: CONNECTIONS })
}

const PATIENCE_MS = 30_000

/** Waits until all events are in the database. */
export async function settle({ databases }: Service, events: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (let stored = 0; stored < events; ) {
    stored = Number(await databases.mauve.prepare('select count(*) as n from events').first('n'))
    if (Date.now() > deadline) throw new Error(`Of ${events} events only ${stored} were stored`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
