import { applicationOf } from '../accounts/access.ts'
import { operation } from '../http/router.ts'
import { getClientConfig } from './contract.ts'

export const getClientConfigRoute = operation(
  getClientConfig,
  { header: 'authorization', scope: 'client' },
  async (_input, { access, request }) => {
    const { name, publicKey, capture } = applicationOf(access)
    const host = new URL('/v1/client/events', request.url).href
    return { app_name: name, public_key: publicKey, host, ...capture }
  },
)
