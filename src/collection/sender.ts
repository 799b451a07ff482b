import UAParser from 'ua-parser-js'
import { Memo } from '../storage/memo.ts'
import { toCountryName } from './country.ts'
import { toText } from './text.ts'

/** What a browser's request tells of the person in front of it. A server's request tells nothing of its users. */
export interface Sender {
  readonly country: string | null
  readonly city: string | null
  readonly os: string | null
  readonly brand: string | null
  readonly model: string | null
}

const UNKNOWN: Sender = { country: null, city: null, os: null, brand: null, model: null }

export function readSender(request: Request): Sender {
  const userAgent = (request.headers.get('user-agent') ?? '').slice(0, USER_AGENT_CHARACTERS)
  return isBrowser(request, userAgent) ? { ...readPlace(request), ...readDevice(userAgent) } : UNKNOWN
}

/** Browsers name the page's origin on every POST, and all of them call themselves Mozilla; the server clients do neither. */
function isBrowser(request: Request, userAgent: string): boolean {
  return request.headers.has('origin') || userAgent.startsWith('Mozilla/')
}

function readPlace(request: Request): Pick<Sender, 'country' | 'city'> {
  const { country, city } = (request.cf ?? {}) as Partial<Record<'country' | 'city', unknown>>
  return { country: toCountryName(toText(country)), city: toText(city) }
}

type Device = Pick<Sender, 'os' | 'brand' | 'model'>

/** What the parser looks at; a longer one would only fill the memory. */
const USER_AGENT_CHARACTERS = 500
const devices = new Memo<Device>(1_000)

/** Parsing takes longer than all else that is read here, and few user agents make up most of the traffic. */
function readDevice(userAgent: string): Device {
  return devices.get(userAgent, parseDevice)
}

function parseDevice(userAgent: string): Device {
  const { os, device } = UAParser(userAgent)
  return { os: toText(os.name), brand: toText(device.vendor), model: toText(device.model) }
}
