import { createHash } from 'node:crypto'

/** The platform's hash is quicker with longer texts. */
const SHORT_CHARACTERS = 1_000
const MOST_BYTES_A_CHARACTER = 3
const BLOCK_BYTES = 64
const LENGTH_BYTES = 8

/** Of 16 bytes. */
const DIGITS = 32
const WORDS = 4

/**
 * The first 16 bytes of the SHA-256 (FIPS 180-4) of a text's UTF-8, in hexadecimal. A call of the platform's hash took longer than all else
 * that is done to read an event.
 */
export function hashOfText(text: string): string {
  if (text.length > SHORT_CHARACTERS) return createHash('sha256').update(text).digest('hex').slice(0, DIGITS)
  const blocks = pad(encoder.encodeInto(text, bytes).written)
  state.set(INITIAL_STATE)
  for (let block = 0; block < blocks; block += 1) digest(block * BLOCK_BYTES)
  let hex = ''
  for (let index = 0; index < WORDS; index += 1) {
    const word = wordOf(state, index)
    hex += toHex(word >>> 16) + toHex(word & 0xffff)
  }
  return hex
}

/** Four digits. JavaScript takes much longer for a number of more than 31 bits. */
function toHex(half: number): string {
  return (0x10000 + half).toString(16).slice(1)
}

const encoder = new TextEncoder()
const bytes = new Uint8Array(SHORT_CHARACTERS * MOST_BYTES_A_CHARACTER + BLOCK_BYTES + LENGTH_BYTES)
const view = new DataView(bytes.buffer)

/** Ends a message of this length with a bit, zeros and its length. Returns how many blocks it has then. */
function pad(length: number): number {
  const blocks = Math.ceil((length + 1 + LENGTH_BYTES) / BLOCK_BYTES)
  bytes[length] = 0x80
  bytes.fill(0, length + 1, blocks * BLOCK_BYTES)
  view.setUint32(blocks * BLOCK_BYTES - 4, length * 8)
  return blocks
}

const ROUNDS = 64
const schedule = new Int32Array(ROUNDS)
const state = new Int32Array(8)

/** The first 32 bits of the fractional parts of these roots of the first primes. */
const INITIAL_STATE = fractionsOf(Math.sqrt, 8)
const CONSTANTS = fractionsOf(Math.cbrt, ROUNDS)

function fractionsOf(root: (prime: number) => number, count: number): Int32Array {
  const primes: number[] = []
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number)
  }
  return Int32Array.from(primes, (prime) => ((root(prime) % 1) * 2 ** 32) | 0)
}

/** Takes the block that begins at this byte into the state. The names are those of the standard. */
function digest(start: number): void {
  for (let t = 0; t < 16; t += 1) schedule[t] = view.getInt32(start + 4 * t)
  for (let t = 16; t < ROUNDS; t += 1) {
    const x = wordOf(schedule, t - 15)
    const y = wordOf(schedule, t - 2)
    const sigma0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3)
    const sigma1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10)
    schedule[t] = (sigma1 + wordOf(schedule, t - 7) + sigma0 + wordOf(schedule, t - 16)) | 0
  }
  let a = wordOf(state, 0)
  let b = wordOf(state, 1)
  let c = wordOf(state, 2)
  let d = wordOf(state, 3)
  let e = wordOf(state, 4)
  let f = wordOf(state, 5)
  let g = wordOf(state, 6)
  let h = wordOf(state, 7)
  for (let t = 0; t < ROUNDS; t += 1) {
    const sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const temp1 = (h + sum1 + (g ^ (e & (f ^ g))) + wordOf(CONSTANTS, t) + wordOf(schedule, t)) | 0
    const sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    const temp2 = (sum0 + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + temp1) | 0
    d = c
    c = b
    b = a
    a = (temp1 + temp2) | 0
  }
  add(0, a)
  add(1, b)
  add(2, c)
  add(3, d)
  add(4, e)
  add(5, f)
  add(6, g)
  add(7, h)
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function wordOf(words: Int32Array, index: number): number {
  return words[index] as number
}

function add(index: number, word: number): void {
  state[index] = wordOf(state, index) + word
}
