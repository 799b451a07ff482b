/**
 * The SHA-256 of a text in hexadecimal (FIPS 180-4). The platform's own is asynchronous, and its synchronous one is not everywhere
 * that bots run.
 */
export function sha256(text: string): string {
  const state = fractionsOf(8, 1 / 2)
  const words = padded(new TextEncoder().encode(text))
  for (let at = 0; at < words.length; at += 16) addBlock(state, words.subarray(at, at + 16))
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('')
}

const ROUNDS = 64

/** The first 32 bits behind the point of roots of the first primes. */
function fractionsOf(count: number, power: number): Uint32Array {
  const fractions: number[] = []
  for (let number = 2; fractions.length < count; number++) {
    if (isPrime(number)) fractions.push((number ** power % 1) * 2 ** 32)
  }
  return Uint32Array.from(fractions)
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false
  return true
}

const CONSTANTS = fractionsOf(ROUNDS, 1 / 3)

/** The bytes, a one, zeros, and the number of bits at the end of the last block. */
function padded(bytes: Uint8Array): Uint32Array {
  const blocks = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64))
  blocks.set(bytes)
  blocks[bytes.length] = 0x80
  const view = new DataView(blocks.buffer)
  view.setUint32(blocks.length - 4, 8 * bytes.length)
  return Uint32Array.from({ length: blocks.length / 4 }, (_, word) => view.getUint32(4 * word))
}

function addBlock(state: Uint32Array, block: Uint32Array): void {
  const schedule = new Uint32Array(ROUNDS)
  schedule.set(block)
  for (let t = 16; t < ROUNDS; t++) {
    const [w15, w2] = [schedule[t - 15] as number, schedule[t - 2] as number]
    const small0 = turn(w15, 7) ^ turn(w15, 18) ^ (w15 >>> 3)
    const small1 = turn(w2, 17) ^ turn(w2, 19) ^ (w2 >>> 10)
    schedule[t] = (schedule[t - 16] as number) + small0 + (schedule[t - 7] as number) + small1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let t = 0; t < ROUNDS; t++) {
    const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const first = (h + big1 + ((e & f) ^ (~e & g)) + (CONSTANTS[t] as number) + (schedule[t] as number)) | 0
    const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [word, value] of [a, b, c, d, e, f, g, h].entries()) state[word] = (state[word] as number) + value
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}
