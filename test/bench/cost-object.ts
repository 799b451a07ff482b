import { DurableObject } from 'cloudflare:workers'
import type { Alarms } from '../../src/object/alarms.ts'
import { RefreshedColumns } from '../../src/object/refreshed-columns.ts'
import type { ObjectKey } from '../../src/storage/object-name.ts'
import { countedDatabase, countedStorage, type RowsCount } from './counted.ts'

/** What a run of an application's object writes. */
export interface RunRows {
  readonly object: number
  readonly database: number
}

/** The columns of an application's object, counting the rows that they write. */
export class CostObject extends DurableObject<Env> {
  readonly #database: RowsCount = { rows: 0, read: 0, tables: {} }
  readonly #counted = countedStorage(this.ctx.storage)
  readonly #columns = new RefreshedColumns({
    storage: this.#counted.storage,
    env: () => ({ ...this.env, DB: countedDatabase(this.env.DB, this.#database) }),
    alarms: { ringForColumns: async () => {} } as unknown as Alarms,
    now: () => Date.now(),
  })

  async run(key: ObjectKey): Promise<RunRows> {
    this.#database.rows = 0
    await this.#columns.refresh(key)
    return { object: this.#counted.takeRows(), database: this.#database.rows }
  }
}
