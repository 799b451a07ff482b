/** @jsxImportSource react */
'use client'

import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { attempt } from './console.ts'
import { type Client, createClient, type Options } from './index.ts'

export interface MauveProviderProps {
  /** As for `createClient`. They may be written in place: only other values make another client. */
  readonly options: Options
  readonly children?: ReactNode
}

/**
 * Starts one client for what is in it, in StrictMode as well, and stops it when that goes; what waits is sent then. On a
 * server nothing happens.
 */
export function MauveProvider({ options, children }: MauveProviderProps) {
  const { host, key, project, user, initData, names, storage } = options
  // The values count, not the object that holds them. An id that is a BigInt is no JSON: the page is shown all the same.
  const person = attempt(() => JSON.stringify(user))
  const client = useMemo(() => startLater(options), [host, key, project, person, initData, names, storage])
  useEffect(() => client.start(), [client])
  return <ClientContext.Provider value={client}>{children}</ClientContext.Provider>
}

/** Where there is no provider around. */
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

/** The client of the provider around. */
export function useMauve(): Client {
  return useContext(ClientContext)
}

/** Returns what records an event, like `track('Purchase', { amount: 250 })`; always the same function. */
export function useTrack(): Client['track'] {
  return useMauve().track
}

interface LateClient extends Client {
  /** Returns what stops it. */
  start(): () => void
}

/**
 * A client that is made by the first effect, or by the first event: effects of what is inside come before the provider's.
 * StrictMode stops it and starts it again at once, so it is stopped a moment later. What is tracked after that still goes by
 * the stopped one, which captures nothing: another one would, beside that of the next provider.
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
