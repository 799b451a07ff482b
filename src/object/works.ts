import { deleteWork } from '../lifecycle/deletion/delete.ts'
import { eraseWork } from '../lifecycle/erasure/work.ts'
import type { Works } from '../lifecycle/jobs/jobs.ts'
import { move } from '../lifecycle/moves/move.ts'
import { retain } from '../lifecycle/retention/retain.ts'

/** Who does the jobs of each kind. */
export const WORKS: Works = {
  delete: deleteWork,
  erase: eraseWork,
  move,
  retain,
}
