import { applicationOf } from '../accounts/access.ts'
import { operation } from '../api/operation.ts'
import { getClientConfig } from './contract.ts'

export const getClientConfigRoute = operation(
  getClientConfig,
  { header: 'authorization', scope: 'client', budget: 'configuration' },
  async (_input, { access, request }) => {
    const { name, publicKey, capture } = applicationOf(access)
    const { origin } = new URL(request.url)
    return { app_name: name, public_key: publicKey, host: `${origin}/v1/client/events`, ...capture }
  },
)
