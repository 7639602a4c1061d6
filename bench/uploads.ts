/** Memory cost of uploads: twenty of the largest files, and twenty small files that decompress to a large size. */
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_FILE } from '@ordinator/model/storedFile'
import { picture } from '../apps/server/src/testing/files.ts'
import type { BenchClinic } from './clinic.ts'
import { childrenOf, rss } from './memory.ts'
import { bytes, type Line, type Part } from './table.ts'

const HOW_MANY = 20
/** Concurrent uploads. */
const SENDERS = 5
const SAMPLE_MS = 25
/** Time for the image process to end and for freed memory to be returned. */
const CALM_MS = 12_000
/** Bytes above the server's memory at rest. */
const MOST = 150 * 1024 * 1024

export async function measureUploads({ product, signIn }: BenchClinic): Promise<Part> {
  const token = await signIn('bench-admin')
  const send = async (name: string, content: Uint8Array) => {
    const form = new FormData()
    form.append('file', new Blob([content as BlobPart]), name)
    const response = await fetch(`${product.url}/tasks-management/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    if (response.status !== 201) throw new Error(`upload of ${name}: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
  await send('first.png', await picture(3000, 2000).png().toBuffer())
  const largest = Buffer.alloc(MAX_FILE)
  const bombs = await allBombs()
  const lines: Line[] = []
  for (const round of ['', ', again'])
    lines.push(
      ...(await measured(product.pid, `files of ${bytes(MAX_FILE)}${round}`, () =>
        sendAll(() => send('a.bin', largest)),
      )),
      ...(await measured(product.pid, `pictures of few bytes and many pixels${round}`, () =>
        sendAll((at) => send(...(bombs[at % bombs.length] as [string, Buffer]))),
      )),
    )
  return {
    title: `Uploads: ${HOW_MANY} of each, ${SENDERS} at once; resident memory of the server before → at its peak → after`,
    lines,
    notes: bombs.map(([name, { length }]) => `${name}: ${bytes(length)}`),
  }
}

/** The largest image of each kind that is still accepted. */
const allBombs = async (): Promise<[string, Buffer][]> => [
  ['130 Mpx.png', await picture(13_000, 10_000).png().toBuffer()],
  ['75 Mpx interlaced.png', await picture(10_000, 7_500).png({ progressive: true }).toBuffer()],
  ['75 Mpx progressive.jpg', await picture(10_000, 7_500).jpeg({ progressive: true }).toBuffer()],
  ['50 Mpx.gif', await picture(10_000, 5_000).gif().toBuffer()],
  ['130 Mpx.webp', await picture(13_000, 10_000).webp().toBuffer()],
]

async function sendAll(send: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  const sender = async () => {
    while (next < HOW_MANY) await send(next++)
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
}

async function measured(pid: number, what: string, run: () => Promise<void>): Promise<Line[]> {
  const before = rss(pid)
  let peak = before
  let peakBeside = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, rss(pid))
    peakBeside = Math.max(peakBeside, ...childrenOf(pid).map(rss))
  }, SAMPLE_MS)
  const began = Date.now()
  await run().finally(() => clearInterval(timer))
  const seconds = (Date.now() - began) / 1000
  await sleep(CALM_MS)
  return [
    {
      what,
      product: `${bytes(before)} → ${bytes(peak)} → ${bytes(rss(pid))}`,
      goal: { text: `+${bytes(MOST)} at most`, met: peak - before <= MOST },
    },
    { what: '  the process that unfolds pictures', product: peakBeside ? bytes(peakBeside) : 'none' },
    { what: '  seconds', product: seconds.toFixed(1) },
  ]
}
