import { deleteWork } from '../deletion/work.ts'
import { eraseWork } from '../erasure/work.ts'
import { move } from '../moves/move.ts'
import { retain } from '../retention/work.ts'
import type { Works } from './jobs.ts'

/** Who does the jobs of each kind. */
export const WORKS: Works = {
  delete: deleteWork,
  erase: eraseWork,
  move,
  retain,
}
