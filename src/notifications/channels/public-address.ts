const HTTPS_ONLY = "Input should be an address that begins with 'https://'"
const NOT_PUBLIC = 'Input should be an address of the public internet'
const WRONG_PORT = 'Input should be an address without a port, as this service sends to port 443 only'
const NOT_FOUND = 'Input should be an address whose name can be looked up'

/** Names that mean a private network, wherever they are resolved. */
const PRIVATE_NAMES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'home.arpa',
  'test',
  'invalid',
  'example',
  'onion',
  'alt',
]

/** IPv4 networks that are not the public internet (IANA's special-purpose registry), as address and length of prefix. */
const PRIVATE_NETWORKS = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const

interface Outside {
  readonly fetch: typeof globalThis.fetch
  readonly ports: string | undefined
}

/** What is wrong with the address of a webhook; null for a public one. */
export async function problemOfAddress(url: string, { fetch, ports }: Outside): Promise<string | null> {
  const spelled = problemOfSpelling(url, ports)
  if (spelled !== null) return spelled
  const network = await resolvesTo(new URL(url).hostname, fetch)
  if (network === 'unknown') return NOT_FOUND
  return network === 'private' ? NOT_PUBLIC : null
}

/**
 * What is wrong with an address without looking up its name. `URL` writes IPv4 addresses in one way, however they were spelled. `ports`:
 * those that the deployment allows beside 443, with commas between.
 */
export function problemOfSpelling(text: string, ports = ''): string | null {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:') return HTTPS_ONLY
  if (url.username !== '' || url.password !== '') return 'Input should be an address without a password'
  if (url.port !== '' && !ports.split(',').some((port) => port.trim() === url.port)) return WRONG_PORT
  const host = url.hostname.replace(/\.$/, '')
  if (isIpv4(host) || host.startsWith('[')) return isPublicAddress(host) ? null : NOT_PUBLIC
  const isPrivate = PRIVATE_NAMES.some((name) => host === name || host.endsWith(`.${name}`))
  return isPrivate || !host.includes('.') ? NOT_PUBLIC : null
}

function isIpv4(host: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(host)
}

/** Whether an IPv4 address, or an IPv6 address with or without brackets, is of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIpv4(address)) return !PRIVATE_NETWORKS.some(([network, length]) => isIn(address, network, length))
  const parts = expand(address.replace(/^\[|\]$/g, ''))
  const [first = 0, second = 0] = parts
  // 2000::/3 is all that is given out. Of it, these stand for IPv4 addresses or for nothing: Teredo and others, documentation, 6to4.
  const isGlobal = first >= 0x2000 && first <= 0x3ffe
  return isGlobal && first !== 0x2002 && !(first === 0x2001 && (second < 0x200 || second === 0xdb8))
}

function isIn(address: string, network: string, length: number): boolean {
  return toInteger(address) >>> (32 - length) === toInteger(network) >>> (32 - length)
}

function toInteger(address: string): number {
  return address.split('.').reduce((sum, part) => ((sum << 8) | Number(part)) >>> 0, 0)
}

/** The eight numbers of an IPv6 address; those of an address that is none are zeros, which are private. */
function expand(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const toNumbers = (part: string) => (part === '' ? [] : part.split(':').map((digits) => Number.parseInt(digits, 16)))
  const [left, right] = [toNumbers(head), toNumbers(tail ?? '')]
  const middle = tail === undefined ? [] : new Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0)
  return [...left, ...middle, ...right]
}

const RESOLVER = 'https://cloudflare-dns.com/dns-query'
const RESOLVER_TIMEOUT_MS = 3_000
/** The types of records with an IPv4 and with an IPv6 address. */
const ADDRESS_TYPES: readonly number[] = [1, 28]

/**
 * Looks up a name. The platform does not let a request be bound to what was found, so it is looked up for each. `unknown` if there are no
 * addresses, or if one of the two families cannot be looked up: its addresses may be private.
 */
export async function resolvesTo(
  hostname: string,
  fetch: typeof globalThis.fetch,
): Promise<'public' | 'private' | 'unknown'> {
  if (isIpv4(hostname) || hostname.startsWith('[')) return isPublicAddress(hostname) ? 'public' : 'private'
  const answers = await Promise.all(['A', 'AAAA'].map((type) => lookUp(hostname, type, fetch)))
  const addresses = answers.flatMap((answer) => answer ?? [])
  if (addresses.some((address) => !isPublicAddress(address))) return 'private'
  return addresses.length > 0 && !answers.includes(null) ? 'public' : 'unknown'
}

/** The name has records, or there is no such name. */
const ANSWERED: readonly (number | undefined)[] = [0, 3, undefined]

interface DnsAnswer {
  readonly Status?: number
  readonly Answer?: readonly { readonly type: number; readonly data: string }[]
}

/** Null if the resolver or the servers that it asks do not answer. */
async function lookUp(name: string, type: string, fetch: typeof globalThis.fetch): Promise<string[] | null> {
  try {
    const response = await fetch(`${RESOLVER}?${new URLSearchParams({ name, type })}`, {
      headers: { accept: 'application/dns-json' },
      signal: AbortSignal.timeout(RESOLVER_TIMEOUT_MS),
    })
    const { Status, Answer = [] } = (await response.json()) as DnsAnswer
    if (!response.ok || !ANSWERED.includes(Status)) return null
    return Answer.filter((answer) => ADDRESS_TYPES.includes(answer.type)).map(({ data }) => data)
  } catch {
    return null
  }
}
