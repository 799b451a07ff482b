import { expect, it, vi } from 'vitest'
import { Activity } from '../../src/columns/activity.ts'
import { Store } from '../../src/columns/store.ts'
import { createPlainApplication } from '../support/applications.ts'
import { onlyObject, within } from '../support/objects.ts'

it('forgets the texts that only erased contexts have, and writes each array once', async () => {
  const { applicationId } = await createPlainApplication()
  await within(onlyObject(applicationId), (_, storage) => {
    const store = new Store(storage)
    store.clear()
    const cities = ['Rome', 'Oslo', 'Rome', 'Bonn', null, 'Lima']
    const contexts = cities.map((city, index) => ({ id: 10 + index, city, language: 'de' }))
    new Activity(store).learn([], contexts)
    const run = vi.spyOn(store, 'run')
    new Activity(store).forgetTexts({ names: [], contexts: [10, 11, 14, 15, 99] })
    expect(run.mock.calls.filter(([query]) => query.includes('into arrays'))).toHaveLength(2)
    const activity = new Activity(store)
    const textsOf = (property: 'city' | 'language') => {
      const values = activity.contextValues(property)
      return Array.from(activity.contextCodes(property), (code) => (code === 0 ? null : values.textOf(code)))
    }
    expect(textsOf('city')).toEqual([null, null, 'Rome', 'Bonn', null, null])
    expect(textsOf('language')).toEqual([null, null, 'de', 'de', null, null])
    const texts = [...activity.contextValues('city').entries()].map(([, text]) => text.replace(/ \w+$/, ''))
    expect(texts).toEqual(['Rome', 'erased 2', 'Bonn', 'erased 4'])
  })
})

it('stores the items of an array again that changed, on whichever pages they are', async () => {
  const { applicationId } = await createPlainApplication()
  await within(onlyObject(applicationId), (_, storage) => {
    const store = new Store(storage)
    store.clear()
    const array = Uint32Array.from({ length: 70_000 }, (_, index) => index)
    store.appendArray('numbers', 0, array)
    const changed = [3, 40_000, 69_999]
    for (const index of changed) array[index] = 7
    store.rewriteItems('numbers', array, changed)
    expect(store.readArray('numbers', Uint32Array, array.length)).toEqual(array)
  })
})
