import { expect, it } from 'vitest'
import { RareStates } from '../support/rare-states.ts'
import { History } from './history.ts'

it('finds figures-as-of that go back, in each application by itself', () => {
  const history = new History()
  history.noteAsOf('one object', 5)
  history.noteAsOf('4 objects', 4)
  history.noteAsOf('one object', 5)
  expect(history.wrong).toEqual([])
  history.noteAsOf('one object', 3)
  expect(history.wrong).toEqual(['figures-as-of of one object went back by 2 ms'])
})

it('lets an erasure take its time, and finds ids that come back after they were gone', () => {
  const history = new History()
  expect(history.noteErased(7, '/users', true)).toBe(false)
  expect(history.noteErased(7, '/users', false)).toBe(true)
  history.noteErased(7, '/acquisition', true)
  expect(history.wrong).toEqual([])
  history.noteErased(7, '/users', true)
  expect(history.wrong).toEqual(['erased 7 in /users came back'])
})

it('finds figures that are not what was sent', () => {
  const history = new History()
  history.noteFigure('users', { data: [1, 2] }, { data: [1, 2] })
  expect(history.wrong).toEqual([])
  history.noteFigure('users', { data: [1, 2] }, { data: [1, 3] })
  expect(history.wrong).toHaveLength(1)
})

it('finds events that an export lacks or has twice', () => {
  const history = new History()
  const event = (id: string) => ({ params: { id, round: 0, kind: '' } })
  history.noteExport('one object', ['a', 'b', 'later'], [event('a'), event('b')])
  expect(history.wrong).toEqual([])
  history.noteExport('one object', ['a'], [event('a'), event('b')])
  history.noteExport('one object', ['a', 'a'], [event('a')])
  expect(history.wrong).toEqual([
    'the export of one object lacks 1 events and has 0 twice',
    'the export of one object lacks 0 events and has 1 twice',
  ])
})

it('names the rare states that never occurred', () => {
  const states = new RareStates(['a hang', 'a kill'])
  states.seen('a hang', false)
  states.seen('a kill')
  expect(states.missing).toEqual(['a hang'])
})
