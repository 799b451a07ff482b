import { toCountryName } from '../base/text/country.ts'
import { toContextText } from '../base/text/text.ts'
import { EntryCache } from '../storage/memory.ts'
import { type Device, parseDevice } from './device.ts'

/** What a browser's request says about its user. A server's request says nothing about the users it reports. */
export interface SendingDevice extends Device {
  readonly country: string | null
  readonly city: string | null
}

export const UNKNOWN_SENDER: SendingDevice = { country: null, city: null, os: null, brand: null, model: null }

export function readSender(request: Request): SendingDevice {
  return isBrowser(request) ? { ...readLocation(request), ...readDevice(request) } : UNKNOWN_SENDER
}

/** Browsers name the page's origin on every POST. The user agent alone says nothing: the .NET client claims to be one. */
function isBrowser(request: Request): boolean {
  return request.headers.has('origin')
}

function readLocation(request: Request): Pick<SendingDevice, 'country' | 'city'> {
  const { country, city } = (request.cf ?? {}) as Partial<Record<'country' | 'city', unknown>>
  return { country: toCountryName(toContextText(country)), city: toContextText(city) }
}

/** Longer user agents would only fill the memory. */
const USER_AGENT_CHARACTERS = 500
const devices = new EntryCache<Device>(1_000)

/** Parsing takes longer than all else that is read here, and few user agents make up most of the traffic. */
function readDevice(request: Request): Device {
  const userAgent = (request.headers.get('user-agent') ?? '').slice(0, USER_AGENT_CHARACTERS)
  return devices.getOrSet(userAgent, parseDevice)
}
