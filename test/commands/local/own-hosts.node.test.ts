import { expect, it } from 'vitest'
import { isOwnHost } from '../../../src/commands/local/own-hosts.ts'

const LOCAL = { proxiedAt: null, host: '127.0.0.1' }
const PROXIED = { proxiedAt: 'https://mauve.example', host: '0.0.0.0' }
const LOOPBACK = ['localhost:8787', 'LOCALHOST', 'shop.localhost:8787', '127.0.0.1:8787', '127.1.2.3', '[::1]:8787']
const FOREIGN = [
  'evil.example:8787',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evil.example#localhost',
  '',
  ':',
]

it.each([LOCAL, PROXIED])('names of this machine are its own, those of others are not: %j', (listening) => {
  expect(LOOPBACK.filter((host) => !isOwnHost(host, listening))).toEqual([])
  expect(FOREIGN.filter((host) => isOwnHost(host, listening))).toEqual([])
})

it('so is the public address, with any port', () => {
  const hosts = ['mauve.example', 'mauve.example:443', 'sub.mauve.example']
  expect(hosts.filter((host) => isOwnHost(host, PROXIED))).toEqual(['mauve.example', 'mauve.example:443'])
  expect(hosts.filter((host) => isOwnHost(host, LOCAL))).toEqual([])
})

it('so is an IP address, and the name that it listens on, only if it listens on more than loopback', () => {
  const hosts = ['192.168.1.5:8787', '[fd00::5]:8787', 'box.lan:8787']
  expect(hosts.filter((host) => isOwnHost(host, LOCAL))).toEqual([])
  expect(hosts.filter((host) => isOwnHost(host, PROXIED))).toEqual(hosts.slice(0, 2))
  expect(isOwnHost('box.lan:8787', { proxiedAt: null, host: 'box.lan' })).toBe(true)
})
