import { findRunning, USUAL } from './running.ts'

const { argv, env } = process

/** For commands that work on a running service, before they load: finds it. PORT and MAUVE_STATE win if they are set. */
export function findService(): void {
  if (argv.includes('--remote')) return
  const service = findRunning({ state: env.MAUVE_STATE, port: env.PORT })
  if (!service) return
  const isElsewhere = !env.MAUVE_STATE && service.state !== USUAL
  if (isElsewhere)
    console.error(`Using the service at http://localhost:${service.port} (MAUVE_STATE=${service.state}).`)
  env.MAUVE_STATE ||= service.state
  env.PORT ||= String(service.port)
}
