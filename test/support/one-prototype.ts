/** Prototypes of the classes that the test runtime puts around entrypoints and objects. */
const prototypes = new WeakSet<object>()
const { Proxy: AnyProxy } = globalThis

/**
 * `createProxyPrototypeClass` of @cloudflare/vitest-pool-workers puts one more proxy around the prototype of such a class for each
 * request. Where files share a runtime, the ten thousandth would go through ten thousand of them. The first is enough.
 */
function OneProxy<T extends object>(target: T, handler: ProxyHandler<T>): T {
  if (prototypes.has(target)) return target
  const proxy = new AnyProxy(target, handler)
  if (isPrototype(target)) prototypes.add(proxy)
  return proxy
}

function isPrototype(target: object): boolean {
  return Object.hasOwn(target, 'constructor') && target.constructor?.prototype === target
}

// Once for all files that share a runtime: the next one would take this one for the real one.
if (Proxy.name !== OneProxy.name)
  globalThis.Proxy = Object.assign(OneProxy, { revocable: Proxy.revocable }) as unknown as ProxyConstructor
