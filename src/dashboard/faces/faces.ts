import { acquisitionFace } from './acquisition/face.tsx'
import { linksFace } from './acquisition/links.tsx'
import { activityFace } from './activity/face.ts'
import { botFace } from './bot/face.tsx'
import { cohortsFace } from './cohorts/face.ts'
import { eventsFace } from './events/face.tsx'
import type { Face } from './face.ts'
import { funnelsFace } from './funnels/face.tsx'
import { liveFace } from './live/face.tsx'
import { pathsFace } from './paths/face.tsx'
import { retentionFace } from './retention/face.tsx'
import { revenueFace } from './revenue/face.tsx'
import { trendsFace } from './trends/face.tsx'
import { userFace } from './user/face.tsx'
import { usersFace } from './users/face.ts'
import { valuesFace } from './values/face.tsx'

/** Every face, in the order of the navigation. Add one here. */
export const FACES: readonly Face[] = [
  activityFace,
  trendsFace,
  funnelsFace,
  retentionFace,
  pathsFace,
  usersFace,
  userFace,
  cohortsFace,
  eventsFace,
  liveFace,
  revenueFace,
  acquisitionFace,
  linksFace,
  botFace,
  valuesFace,
]

/** The face whose page this is: its path behind the application's own. */
export function faceAt(page: string): Face | undefined {
  return FACES.find((face) => face.page === page)
}
