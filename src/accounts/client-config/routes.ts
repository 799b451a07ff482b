import { type ApplicationAccess, applicationOf, ownerOf } from '../../access/access.ts'
import { SUCCESS } from '../../http/api/answers.ts'
import { operation } from '../../http/api/operation.ts'
import { completeCapture } from '../../storage/capture-settings.ts'
import { changeCaptureSettings, findByHandle, readCaptureSettings } from '../applications/applications.ts'
import { getCaptureSettings, getClientConfig, updateCaptureSettings } from './contract.ts'

export const getClientConfigRoute = operation(
  getClientConfig,
  { header: 'authorization', scope: 'client', budget: 'configuration' },
  async ({ query }, { access, request }) => {
    const application = applicationOf(access)
    const { published, own } = configsOf(application, originOf(request.url))
    return query.client === 'mauve' ? own : published
  },
)

const configs = new WeakMap<ApplicationAccess, ReturnType<typeof toConfigs>>()

/** Made once for each copy of an application in memory, and frozen, so that their JSON is made once too. */
function configsOf(application: ApplicationAccess, origin: string) {
  const known = configs.get(application)
  if (known?.published.host.startsWith(`${origin}/`)) return known
  const made = toConfigs(application, origin)
  configs.set(application, made)
  return made
}

/** What published clients get, which never changes, and what Mauve's own get. */
function toConfigs({ name, publicKey, capture }: ApplicationAccess, origin: string) {
  const { mauve, ...fields } = capture
  const config = { app_name: name, public_key: publicKey, host: `${origin}/v1/client/events`, ...fields }
  return {
    published: Object.freeze(config),
    own: Object.freeze({ ...config, mauve: completeCapture(capture).mauve }),
  }
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
