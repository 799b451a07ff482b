import { applyD1Migrations, listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll } from 'vitest'

for (const database of [env.DB, env.ACTIVITY_2, env.ACTIVITY_3]) await applyD1Migrations(database, env.MIGRATIONS)

/** Where files share a runtime, those of the ones before. */
const others = new Set((await listDurableObjectIds(env.APPLICATIONS)).map(String))

// An alarm that goes off once the file's runtime is being closed would keep it open for ever.
afterAll(async () => {
  const ids = (await listDurableObjectIds(env.APPLICATIONS)).filter((id) => !others.has(String(id)))
  await Promise.all(
    ids.map((id) => runInDurableObject(env.APPLICATIONS.get(id), (_, { storage }) => storage.deleteAlarm())),
  )
})
