/** Memory of processes: the resident size reported by Linux, and the live heap of a Node process after a full collection, read over its inspector. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Process } from './clinic.ts'

const TRIES = 50

/** Bytes of the heap and of external buffers, after garbage collection. */
export async function heldBytes({ pid, inspectPort }: Process): Promise<number> {
  const inspector = new WebSocket(await addressOf(pid, inspectPort))
  await once(inspector, 'open')
  let last = 0
  const ask = (method: string, params: object = {}) =>
    new Promise<any>((resolve, reject) => {
      const id = ++last
      inspector.send(JSON.stringify({ id, method, params }))
      const onMessage = (received: Buffer) => {
        const answer = JSON.parse(received.toString())
        if (answer.id !== id) return
        inspector.off('message', onMessage)
        if (answer.error) reject(new Error(answer.error.message))
        else resolve(answer.result)
      }
      inspector.on('message', onMessage)
    })
  await ask('HeapProfiler.enable')
  // The second collection frees what the first one only made collectable.
  await ask('HeapProfiler.collectGarbage')
  await ask('HeapProfiler.collectGarbage')
  const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())'
  const { result } = await ask('Runtime.evaluate', { expression })
  inspector.terminate()
  return result.value
}

async function addressOf(pid: number, port: number): Promise<string> {
  process.kill(pid, 'SIGUSR1')
  for (let i = 0; i < TRIES; i++) {
    const list = await fetch(`http://127.0.0.1:${port}/json/list`).then(
      (response) => response.json(),
      () => undefined,
    )
    const address = (list as { webSocketDebuggerUrl: string }[] | undefined)?.[0]?.webSocketDebuggerUrl
    if (address) return address
    await sleep(50)
  }
  throw new Error(`no inspector of process ${pid}`)
}

/** Resident bytes as reported by Linux; 0 for a process that has just ended. */
export const rss = (pid: number): number => sizeOf(pid, 'VmRSS')

/** The private part of the resident bytes, without shared memory such as PostgreSQL's buffers. */
export const ownBytes = (pid: number): number => sizeOf(pid, 'RssAnon')

const sizeOf = (pid: number, of: string): number =>
  Number(new RegExp(`${of}:\\s+(\\d+) kB`).exec(contentOf(`/proc/${pid}/status`))?.[1] ?? 0) * 1024

export const childrenOf = (pid: number): number[] =>
  contentOf(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
