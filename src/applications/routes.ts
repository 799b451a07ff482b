import { operation } from '../api/operation.ts'
import { register } from './applications.ts'
import { registerApplication } from './contract.ts'

const REGISTERED = { status_code: 201, message: 'Application registered successfully' } as const

export const registerApplicationRoute = operation(
  registerApplication,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ body }, { db, env, access, now }) => {
    const { handle, photo_url: photoUrl, ...details } = body
    const { accountId, keyHash } = access
    const registering = { db, now, accountId, keyHash, sealingSecrets: env.KEY_SEALING_SECRET }
    await register(handle.slice(1), { ...details, photoUrl }, registering)
    return REGISTERED
  },
)
