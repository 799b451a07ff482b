import { type ApplicationAccess, applicationOf, ownerOf } from '../../access/access.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { changeCaptureSettings, findByHandle, readCaptureSettings } from '../applications/applications.ts'
import { findPublicKey } from '../applications/first-key-pair.ts'
import { getCaptureSettings, getClientConfig, updateCaptureSettings } from './contract.ts'

export const getClientConfigRoute = operation(
  getClientConfig,
  { header: 'authorization', scope: 'client', budget: 'configuration' },
  async (_input, { access, request, db, env }) => {
    const copy = applicationOf(access)
    const find = () => findPublicKey(copy.id, { db, namespace: env.APPLICATIONS })
    const application = copy.publicKey === '' ? { ...copy, publicKey: await find() } : copy
    return configOf(application, originOf(request.url))
  },
)

type ClientConfig = ReturnType<typeof toConfig>

const configs = new WeakMap<ApplicationAccess, ClientConfig>()

/** Made once for each copy of an application in memory, and frozen, so that its JSON is made once too. */
function configOf(application: ApplicationAccess, origin: string): ClientConfig {
  const known = configs.get(application)
  if (known?.host.startsWith(`${origin}/`)) return known
  const config = Object.freeze(toConfig(application, origin))
  configs.set(application, config)
  return config
}

function toConfig({ name, publicKey, capture }: ApplicationAccess, origin: string) {
  return { app_name: name, public_key: publicKey, host: `${origin}/v1/client/events`, ...capture }
}

/** The origin of a valid URL. Parsing it with `URL` would take longer than everything else here. */
function originOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('//') + 2)
  return end < 0 ? url : url.slice(0, end)
}

export const getCaptureSettingsRoute = operation(
  getCaptureSettings,
  { header: 'x-api-key', scope: 'full' },
  async ({ path }, { db, access }) => {
    const { id } = await findByHandle(db, path.handle, ownerOf(access))
    return { data: await readCaptureSettings(db, id), ...SUCCESS }
  },
)

export const updateCaptureSettingsRoute = operation(
  updateCaptureSettings,
  { header: 'x-api-key', scope: 'full', budget: 'registration' },
  async ({ path, body }, { db, access }) => {
    const { id } = await findByHandle(db, path.handle, ownerOf(access))
    return { data: await changeCaptureSettings(db, id, body), ...SUCCESS }
  },
)
