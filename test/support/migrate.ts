import { abortAllDurableObjects, applyD1Migrations, listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll } from 'vitest'

await applyD1Migrations(env.DB, env.MIGRATIONS)

// An alarm that goes off once the file's runtime is being closed would keep it open for ever. What an object is doing is stopped
// first: it would set the next alarm.
afterAll(async () => {
  await abortAllDurableObjects()
  const ids = await listDurableObjectIds(env.APPLICATIONS)
  await Promise.all(
    ids.map((id) => runInDurableObject(env.APPLICATIONS.get(id), (_, { storage }) => storage.deleteAlarm())),
  )
})
