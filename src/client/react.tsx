/** @jsxImportSource react */
'use client'

import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { attempt } from './console.ts'
import { type Client, createClient, type Options } from './index.ts'

export interface MauveProviderProps {
  /** The options of `createClient`. May be an inline object: only changed values create another client. */
  readonly options: Options
  readonly children?: ReactNode
}

/**
 * Starts one client for its children, also in StrictMode, and stops it when it unmounts; waiting events are sent then. On a server
 * it does nothing.
 */
export function MauveProvider({ options, children }: MauveProviderProps) {
  const { host, key, project, user, initData, names, storage } = options
  // Compared by value. A BigInt as id is no JSON, but must not break the page.
  const person = attempt(() => JSON.stringify(user))
  const client = useMemo(() => startLater(options), [host, key, project, person, initData, names, storage])
  useEffect(() => client.start(), [client])
  return <ClientContext.Provider value={client}>{children}</ClientContext.Provider>
}

/** The client outside of a provider. */
const NOBODY: Client = {
  track: () => warnOnce(),
  optOut: () => warnOnce(),
  optIn: () => warnOnce(),
  flush: async () => warnOnce(),
  close: async () => undefined,
  dropped: 0,
}

let isWarned = false

function warnOnce(): void {
  if (!isWarned) console.warn('Mauve: there is no <MauveProvider> around this component, so nothing is recorded.')
  isWarned = true
}

const ClientContext = createContext(NOBODY)

/** The client of the nearest provider. */
export function useMauve(): Client {
  return useContext(ClientContext)
}

/** Returns the client's `track`, as in `track('Purchase', { amount: 250 })`; the same function on each render. */
export function useTrack(): Client['track'] {
  return useMauve().track
}

interface LateClient extends Client {
  /** Returns a function that stops it. */
  start(): () => void
}

/**
 * A client created by the first effect or the first event: effects of children run before the provider's. StrictMode stops and
 * restarts it immediately, so stopping is delayed a moment. Later events still use the stopped client, which captures nothing:
 * another one would capture beside that of the next provider.
 */
function startLater(options: Options): LateClient {
  let made: Client | undefined
  let isStopped = false
  let stopping: ReturnType<typeof setTimeout>
  const client = () => {
    made ??= createClient(options)
    return made
  }
  const stop = async () => {
    isStopped = true
    await made?.close()
  }
  return {
    track: (name, params) => client().track(name, params),
    optOut: () => client().optOut(),
    optIn: () => client().optIn(),
    flush: () => client().flush(),
    close: stop,
    get dropped() {
      return client().dropped
    },
    start: () => {
      clearTimeout(stopping)
      if (isStopped) made = undefined
      isStopped = false
      client()
      return () => {
        stopping = setTimeout(stop)
      }
    },
  }
}
