/**
 * Simulator of Яндекс Метрика on loopback: goals, reports, uploads of conversions. `npm run simulate metrika` runs it standalone
 * (METRIKA_URL=http://127.0.0.1:8092); its page shows the uploads and its modes.
 */
import { simulatedGoals, simulatedStat } from '#areas/metrika/simulated.ts'
import { play } from './simulatorPage.ts'

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

export interface MetrikaSimulator {
  url: string
  mood: MetrikaMood
  uploads: { id: number; counter: string; kind: string | null; csv: string; comment: string | null }[]
  /** Authorization of the latest request. */
  authorization: string | undefined
  close(): Promise<void>
}

const by: Record<string, 'day' | 'source' | 'campaign'> = {
  'ym:s:date': 'day',
  'ym:s:lastsignUTMSource': 'source',
  'ym:s:lastsignUTMCampaign': 'campaign',
}

/** @param port 0: any free port */
export async function startMetrikaSimulator(port = 0): Promise<MetrikaSimulator> {
  const server = await play(port, async (request, reply, _text, _url, bytes) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://metrika')
    const say = (status: number, body: object) => reply.writeHead(status).end(JSON.stringify(body))
    if (pathname === '/') {
      const asked = moods.find((mood) => searchParams.has(mood))
      if (asked) simulator.mood = asked
      const links = moods.map((mood) =>
        mood === simulator.mood ? `<b>${mood}</b>` : `<a href="/?${mood}">${mood}</a>`,
      )
      const lines = simulator.uploads.map(
        ({ id, counter, csv }) => `<li>${id} · ${counter}<pre>${csv.replaceAll('<', '&lt;')}</pre></li>`,
      )
      reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      return reply.end(`<!doctype html><title>Метрика</title><p>${links.join(' ')}</p><ol>${lines.join('')}</ol>`)
    }
    simulator.authorization = request.headers.authorization
    if (simulator.mood === 'silent') return
    if (simulator.mood === 'refuses') return say(403, { message: 'Access denied' })
    if (simulator.mood === 'busy') return say(429, { message: 'Quota exceeded' })
    if (simulator.mood === 'nonsense') return reply.writeHead(200).end('<html>')
    // JSON of another shape, and an endless answer.
    if (simulator.mood === 'strange')
      return say(200, { data: [null, { metrics: ['many'] }], goals: 5, uploading: null })
    if (simulator.mood === 'endless') {
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
      const id = simulator.uploads.length + 1
      const csv = await (form.get('file') as File).text()
      const comment = searchParams.get('comment')
      simulator.uploads.push({ id, counter, kind: searchParams.get('client_id_type'), csv, comment })
      // The file is accepted, but there is no answer.
      if (simulator.mood === 'drops') return request.socket.destroy()
      return say(200, { uploading: { id, status: 'UPLOADED' } })
    }
    if (pathname.endsWith('/uploadings'))
      return say(200, { uploadings: simulator.uploads.map(({ id, comment }) => ({ id, comment, status: 'UPLOADED' })) })
    const found = simulator.uploads.find(({ id }) => pathname.endsWith(`/uploading/${id}`))
    if (!found) return say(404, { message: 'Not found' })
    const rows = found.csv.trim().split('\n').length - 1
    const status = { waits: 'UPLOADED', unlinked: 'LINKAGE_FAILURE' }[simulator.mood as string] ?? 'PROCESSED'
    return say(200, { uploading: { id: found.id, status, source_quantity: rows, linked_quantity: rows } })
  })
  const simulator: MetrikaSimulator = {
    url: server.url,
    mood: 'answers',
    uploads: [],
    authorization: undefined,
    close: server.close,
  }
  return simulator
}

/** Port of `npm run simulate metrika`. */
const PORT = 8092
if (import.meta.main) console.log(`Метрика: ${(await startMetrikaSimulator(PORT)).url}`)
