/**
 * Simulator of Яндекс Метрика on loopback: goals, reports, uploads of conversions. `npm run simulate metrika` runs it standalone
 * (METRIKA_URL=http://127.0.0.1:8092); its page shows the uploads and its modes.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { simulatedGoals, simulatedStat } from '#areas/metrika/simulated.ts'
import { type Simulator, simulator } from './simulator.ts'

const moods = [
  'answers',
  'refuses',
  'silent',
  'drops',
  'nonsense',
  'strange',
  'endless',
  'busy',
  'waits',
  'unlinked',
] as const
export type MetrikaMood = (typeof moods)[number]

export interface MetrikaSimulator extends Simulator<MetrikaMood> {
  uploads: { id: number; counter: string; kind: string | null; csv: string; comment: string | null }[]
  /** Authorization of the latest request. */
  authorization: string | undefined
}

const by: Record<string, 'day' | 'source' | 'campaign'> = {
  'ym:s:date': 'day',
  'ym:s:lastsignUTMSource': 'source',
  'ym:s:lastsignUTMCampaign': 'campaign',
}

/** @param port 0: any free port */
export async function startMetrikaSimulator(port = 0): Promise<MetrikaSimulator> {
  const server = await simulator({
    port,
    page: {
      title: 'Метрика',
      moods,
      lines: () => metrika.uploads.map(({ id, counter: of, csv }) => `${id} · ${of}\n${csv}`),
    },
    routes: (request, reply, _body, url, bytes) => answer(request, reply, url, bytes),
  })
  async function answer(
    request: IncomingMessage,
    reply: ServerResponse,
    { pathname, searchParams }: URL,
    bytes: Buffer<ArrayBuffer>,
  ): Promise<unknown> {
    const say = (status: number, body: object) => reply.writeHead(status).end(JSON.stringify(body))
    metrika.authorization = request.headers.authorization
    if (metrika.mood === 'silent') return
    if (metrika.mood === 'refuses') return say(403, { message: 'Access denied' })
    if (metrika.mood === 'busy') return say(429, { message: 'Quota exceeded' })
    if (metrika.mood === 'nonsense') return reply.writeHead(200).end('<html>')
    // JSON of another shape, and an endless answer.
    if (metrika.mood === 'strange') return say(200, { data: [null, { metrics: ['many'] }], goals: 5, uploading: null })
    if (metrika.mood === 'endless') {
      reply.writeHead(200)
      const more = (): void => {
        if (!reply.destroyed) reply.write(' '.repeat(256 * 1024), () => setImmediate(more))
      }
      reply.on('error', () => reply.destroy())
      return more()
    }
    const [, counter = ''] = /^\/management\/v1\/counter\/(\d+)\//.exec(pathname) ?? []
    if (pathname === '/stat/v1/data') {
      const goals = (searchParams.get('metrics') ?? '')
        .split(',')
        .flatMap((metric) => /goal(\d+)reaches/.exec(metric)?.[1] ?? [])
      const rows = simulatedStat(searchParams.get('ids') ?? '', {
        from: searchParams.get('date1') ?? '',
        to: searchParams.get('date2') ?? '',
        by: by[searchParams.get('dimensions') ?? ''] ?? 'goal',
        goals,
      })
      return say(200, {
        data: rows.map(({ key, visits, reaches }) => ({
          dimensions: [{ name: key || null }],
          metrics: [visits, ...reaches],
        })),
      })
    }
    if (pathname.endsWith('/goals'))
      return say(200, { goals: simulatedGoals(counter).map(({ goalId, name }) => ({ id: Number(goalId), name })) })
    if (pathname.endsWith('/upload')) {
      const form = await new Response(bytes, {
        headers: { 'content-type': request.headers['content-type'] ?? '' },
      }).formData()
      const id = metrika.uploads.length + 1
      const csv = await (form.get('file') as File).text()
      const comment = searchParams.get('comment')
      metrika.uploads.push({ id, counter, kind: searchParams.get('client_id_type'), csv, comment })
      // The file is accepted, but there is no answer.
      if (metrika.mood === 'drops') return request.socket.destroy()
      return say(200, { uploading: { id, status: 'UPLOADED' } })
    }
    if (pathname.endsWith('/uploadings'))
      return say(200, { uploadings: metrika.uploads.map(({ id, comment }) => ({ id, comment, status: 'UPLOADED' })) })
    const found = metrika.uploads.find(({ id }) => pathname.endsWith(`/uploading/${id}`))
    if (!found) return say(404, { message: 'Not found' })
    const rows = found.csv.trim().split('\n').length - 1
    const status = { waits: 'UPLOADED', unlinked: 'LINKAGE_FAILURE' }[metrika.mood as string] ?? 'PROCESSED'
    return say(200, { uploading: { id: found.id, status, source_quantity: rows, linked_quantity: rows } })
  }
  const metrika: MetrikaSimulator = Object.assign(server, {
    uploads: [],
    authorization: undefined,
  } satisfies Partial<MetrikaSimulator>)
  return metrika
}

/** Port of `npm run simulate metrika`. */
const PORT = 8092
if (import.meta.main) console.log(`Метрика: ${(await startMetrikaSimulator(PORT)).url}`)
