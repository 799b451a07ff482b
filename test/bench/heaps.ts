/** The JavaScript heap of a worker; sizes in bytes. */
export interface Heap {
  readonly name: string
  readonly used: number
  readonly heap: number
  /** What its buffers hold. */
  readonly backing: number
}

interface Target {
  readonly id: string
  readonly title: string
  readonly webSocketDebuggerUrl: string
}

/** The heaps of all workers of a runtime, as its inspector tells them. */
export async function heapsAt(port: number): Promise<Heap[]> {
  const response = await fetch(`http://127.0.0.1:${port}/json`)
  const targets = (await response.json()) as Target[]
  return Promise.all(targets.filter(({ id }) => !id.includes('#')).map(heapOf))
}

async function heapOf({ id, webSocketDebuggerUrl }: Target): Promise<Heap> {
  const socket = new WebSocket(webSocketDebuggerUrl)
  const answer = new Promise<MessageEvent>((resolve, reject) => {
    socket.addEventListener('message', resolve)
    socket.addEventListener('error', reject)
  })
  socket.addEventListener('open', () => socket.send(JSON.stringify({ id: 1, method: 'Runtime.getHeapUsage' })))
  const { result } = JSON.parse(String((await answer).data))
  socket.close()
  return { name: id, used: result.usedSize, heap: result.totalSize, backing: result.backingStorageSize ?? 0 }
}
