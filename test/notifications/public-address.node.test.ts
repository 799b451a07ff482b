import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isPublicAddress,
  problemOfAddress,
  problemOfSpelling,
  resolvesTo,
} from '../../src/notifications/channels/public-address.ts'
import { holds } from '../support/cases.ts'

const PRIVATE = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://0/',
  'https://10.1.2.3/hook',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/',
  'https://198.18.0.1/',
  'https://192.0.2.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[64:ff9b:1::1]/',
  'https://[fe80::1]/',
  'https://[fd12:3456::1]/',
  'https://[fc00::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://[2001::1]/',
  'https://[2002:7f00:1::]/',
  'https://[fec0::1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://api.localhost/',
  'https://metadata.google.internal/',
  'https://printer.local/',
  'https://router.home.arpa/',
  'https://intranet/',
  'http://hooks.example.org/',
  'ftp://hooks.example.org/',
  'https://user:password@hooks.example.org/',
  'https://user@hooks.example.org/',
  'file:///etc/passwd',
  'https://',
  'hooks.example.org',
]

const PUBLIC = [
  'https://hooks.example.org/mauve?token=1',
  'https://hooks.example.org:443/',
  'https://93.184.215.14/',
  'https://172.32.0.1/',
  'https://[2606:2800:21f:cb07::1]/',
  'https://127.0.0.1.example.org/',
]

describe('the address of a webhook', () => {
  it.each(PRIVATE)('is refused: %s', (url) => expect(problemOfSpelling(url)).not.toBeNull())

  it.each(PUBLIC)('is taken: %s', (url) => expect(problemOfSpelling(url)).toBeNull())

  it('is refused in every spelling of a private IPv4 address', () =>
    holds(
      fc.property(
        fc.constantFrom<[number, number]>([10, 8], [127, 8], [0, 8], [240, 4]),
        fc.nat(0xffffff),
        fc.constantFrom<(value: number) => string>(
          String,
          (value) => `0x${value.toString(16)}`,
          (value) => `0${value.toString(8)}`,
          (value) => [24, 16, 8, 0].map((shift) => `0x${((value >>> shift) & 255).toString(16)}`).join('.'),
          (value) => [24, 16, 8, 0].map((shift) => `0${((value >>> shift) & 255).toString(8)}`).join('.'),
          (value) => `${value >>> 24}.${value & 0xffffff}`,
          (value) => `[::ffff:${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}]`,
        ),
        ([network], rest, spell) => {
          const value = ((network << 24) | rest) >>> 0
          expect(problemOfSpelling(`https://${spell(value)}/`)).not.toBeNull()
        },
      ),
      { atLeast: 50, atMost: 10_000 },
    ))

  it('is refused where its name resolves to a private network, in either family', async () => {
    const resolver = (records: Readonly<Record<string, { type: number; data: string }[]>>) =>
      (async (url: string) => {
        const type = new URL(url).searchParams.get('type') ?? ''
        return Response.json({ Status: 0, Answer: records[type] })
      }) as unknown as typeof fetch
    const a = (data: string) => ({ type: 1, data })
    const aaaa = (data: string) => ({ type: 28, data })
    const found = (records: Parameters<typeof resolver>[0]) => resolvesTo('hooks.example.org', resolver(records))
    expect(await found({ A: [a('93.184.215.14')] })).toBe('public')
    expect(
      await found({ A: [{ type: 5, data: 'alias.example.org.' }, a('93.184.215.14')], AAAA: [aaaa('2606:2800::1')] }),
    ).toBe('public')
    expect(await found({ A: [a('93.184.215.14'), a('10.0.0.1')] })).toBe('private')
    expect(await found({ A: [a('93.184.215.14')], AAAA: [aaaa('::1')] })).toBe('private')
    expect(await found({ AAAA: [aaaa('::ffff:10.0.0.1')] })).toBe('private')
    expect(await found({})).toBe('unknown')
    const problemOf = (fetch: typeof globalThis.fetch) =>
      problemOfAddress('https://hooks.example.org/', { fetch, ports: undefined })
    expect(await problemOf(resolver({ A: [a('127.0.0.1')] }))).toContain('public internet')
    expect(await problemOf(resolver({ A: [a('93.184.215.14')] }))).toBeNull()
  })

  it('is refused where either family of addresses cannot be looked up', async () => {
    const failing = (type: string, fail: () => Response | Promise<Response>) =>
      (async (url: string) =>
        new URL(url).searchParams.get('type') === type
          ? fail()
          : Response.json({ Status: 0, Answer: [{ type: 1, data: '93.184.215.14' }] })) as unknown as typeof fetch
    const failures = [
      () => Promise.reject(new Error('away')),
      () => Response.json({ Status: 2 }),
      () => Response.json({ error: 'busy' }, { status: 500 }),
      () => new Response('no JSON'),
    ]
    for (const type of ['A', 'AAAA']) {
      for (const fail of failures) {
        const fetch = failing(type, fail)
        expect(await resolvesTo('hooks.example.org', fetch)).toBe('unknown')
        expect(await problemOfAddress('https://hooks.example.org/', { fetch, ports: undefined })).toContain('looked up')
      }
    }
  })

  it('is refused with a port other than 443, unless the deployment allows it', () => {
    for (const port of ['', ':443']) expect(problemOfSpelling(`https://hooks.example.org${port}/`)).toBeNull()
    for (const port of [80, 8443, 22, 0]) {
      expect(problemOfSpelling(`https://hooks.example.org:${port}/`)).toContain('443')
      expect(problemOfSpelling(`https://93.184.215.14:${port}/`, '9443, 844')).toContain('443')
    }
    expect(problemOfSpelling('https://hooks.example.org:8443/', '9443, 8443')).toBeNull()
    expect(problemOfSpelling('https://10.1.2.3:8443/', '8443')).not.toBeNull()
  })

  it('is not public if its name resolves to something that is not an address', () => {
    expect(['', 'alias', '1.2.3', '::g'].map(isPublicAddress)).toEqual([false, false, false, false])
  })
})
