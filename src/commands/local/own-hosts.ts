interface Listening {
  /** The public address of a proxy in front of the service; null without one. */
  readonly proxiedAt: string | null
  /** The address on which the service listens, as MAUVE_HOST says. */
  readonly host: string
}

const LOOPBACK = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Whether a `Host` header names the service. A page elsewhere could otherwise read answers by giving its own name the address of this
 * machine (DNS rebinding). An IP address cannot be given to anybody's name, so all are taken where others may reach the port.
 */
export function isOwnHost(host: string, { proxiedAt, host: listensOn }: Listening): boolean {
  const name = hostnameOf(`http://${host}`)
  if (name === undefined) return false
  if (LOOPBACK.test(name) || name === hostnameOf(proxiedAt ?? '')) return true
  const listening = hostnameOf(`http://${listensOn}`) ?? ''
  return !LOOPBACK.test(listening) && (name === listening || IP_ADDRESS.test(name))
}

const IP_ADDRESS = /^(\d+(\.\d+){3}|\[.+\])$/

function hostnameOf(address: string): string | undefined {
  return URL.parse(address)?.hostname
}
