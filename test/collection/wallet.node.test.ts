import { expect, it } from 'vitest'
import { readWallet } from '../../src/collection/wallet.ts'

it('keeps the volume finite, however large the amounts', () => {
  const messages = [{ amount: 1e308 }, { amount: 1e308 }]
  expect(readWallet('[TS] Transaction signed', { messages })).toMatchObject({ volume: 2 ** 63 })
})

const NO_WALLET = { provider: null, currBalance: null, volume: 0 }

it.each([
  [{ provider: 'unknown', wallet_type: 'Tonkeeper' }, 'Tonkeeper'],
  [{ wallet_type: 'Tonkeeper' }, 'Tonkeeper'],
  [{ provider: 'MyTonWallet', wallet_type: 'Tonkeeper' }, 'MyTonWallet'],
  [{ provider: 'unknown' }, 'unknown'],
  [{ wallet: 'UQ…', walletProvider: 'Tonkeeper' }, 'Tonkeeper'],
  [{ wallet: 'UQ…', walletProvider: 'unknown' }, 'unknown'],
  [{}, null],
])('takes the provider from %j', (params, provider) => {
  expect(readWallet('Wallet', params)).toMatchObject({ provider })
})

it.each([['Wallet'], ['WalletConnected']])('reads provider and balance of %s', (name) => {
  expect(readWallet(name, { provider: 'Tonkeeper', balance: 12.5 })).toEqual({
    provider: 'Tonkeeper',
    currBalance: 12.5,
    volume: 0,
  })
})

it.each<[balance: unknown, read: number | null]>([
  [0, 0],
  ['0', 0],
  ['12.5', 12.5],
  ['1e3', null],
  ['-1', null],
  [-1, null],
  ['', null],
  ['lots', null],
  [null, null],
  [undefined, null],
  [true, null],
  [[5], null],
])('reads the balance %j as %j', (balance, read) => {
  expect(readWallet('Wallet', { balance }).currBalance).toBe(read)
})

it.each([['[TS] Transaction signed'], ['TS Transaction signed']])('adds up the messages of %s', (name) => {
  const messages = [{ amount: '250' }, { amount: 1000 }, { amount: 'lots' }, {}, null, { amount: '-5' }]
  expect(readWallet(name, { messages, provider: 'x', balance: 5 })).toEqual({
    provider: null,
    currBalance: null,
    volume: 1250,
  })
})

it.each([[undefined], [{}], ['text'], [5]])('finds no volume in messages that are %j', (messages) => {
  expect(readWallet('[TS] Transaction signed', { messages }).volume).toBe(0)
})

it('reads nothing of other events, or without parameters', () => {
  expect(readWallet('[TS] Transaction sent for signature', { messages: [{ amount: 5 }] })).toEqual(NO_WALLET)
  expect(readWallet('wallet', { provider: 'Tonkeeper' })).toEqual(NO_WALLET)
  expect(readWallet('Wallet', null)).toEqual(NO_WALLET)
})
