import { access } from './access.ts'
import { accounts } from './accounts.ts'
import { assistants } from './assistants.ts'
import { base } from './base.ts'
import { client } from './client.ts'
import { collection } from './collection.ts'
import { columns } from './columns.ts'
import { dashboard } from './dashboard.ts'
import { http } from './http.ts'
import { lifecycle } from './lifecycle.ts'
import type { RoomMutant } from './mutant.ts'
import { notifications } from './notifications.ts'
import { object } from './object.ts'
import { questions } from './questions.ts'
import { storage } from './storage.ts'

/** By the room of `src` that they break. */
const BY_ROOM = {
  access,
  accounts,
  assistants,
  base,
  client,
  collection,
  columns,
  dashboard,
  http,
  lifecycle,
  notifications,
  object,
  questions,
  storage,
}

export const MUTANTS: readonly RoomMutant[] = Object.entries(BY_ROOM).flatMap(([room, own]) =>
  own.map((mutant) => ({ ...mutant, room })),
)
