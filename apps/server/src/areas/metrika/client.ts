/** Яндекс Метрика: the API of reports, of management and of offline conversions (yandex.ru/dev/metrika). */

import { readCommonSettings } from '#areas/settings/index.ts'
import { AdapterFault } from '#platform/adapter.ts'
import type { Outbound } from '#platform/outbound.ts'
import { RemoteFault, remote } from '#platform/remote.ts'
import type { AppContext } from '#records/context.ts'
import { type StatAsked, type StatRow, simulatedGoals, simulatedStat } from './simulated.ts'

const TIMEOUT = 20_000
const MAX_ANSWER = 8_000_000
/** Maximum rows of one report, and metrics of one request: the API allows twenty. */
const MAX_ROWS = 10_000
export const MAX_GOALS = 19

const dimensions = {
  day: 'ym:s:date',
  source: 'ym:s:lastsignUTMSource',
  campaign: 'ym:s:lastsignUTMCampaign',
  goal: null,
} as const

export type UploadState = { is: 'waiting' } | { is: 'done'; taken: number } | { is: 'rejected'; reason: string }

/** The response was lost or unreadable: the request may have been carried out. */
export class PossiblyArrived extends AdapterFault {
  override name = 'PossiblyArrived'
}

/** Client of a counter. Each call @throws AdapterFault with a message for people. */
export interface Metrika {
  name: string
  stat(asked: StatAsked): Promise<StatRow[]>
  goals(): Promise<{ goalId: string; name: string }[]>
  /**
   * @param mark names the file there, so that it can be found without its id
   * @returns the id of the upload there
   * @throws PossiblyArrived: the file may have arrived
   */
  upload(csv: string, idKind: IdKind, mark: string): Promise<string>
  /** The id of the upload with this mark; undefined if the counter has none. */
  find(mark: string): Promise<string | undefined>
  uploadState(uploadingId: string): Promise<UploadState>
}

export const idKinds = {
  client: { column: 'ClientId', type: 'CLIENT_ID' },
  yclid: { column: 'Yclid', type: 'YCLID' },
} as const
export type IdKind = keyof typeof idKinds

/** The client by the clinic's settings; undefined if disabled. @param token empty: none is set */
export async function metrikaOf(app: AppContext, number: string, token: string): Promise<Metrika | undefined> {
  const { metrikaMode } = await readCommonSettings(app.db)
  if (metrikaMode === 'off') return undefined
  return metrikaMode === 'simulator' ? simulated(number) : live(app.outbound, app.config.metrikaUrl, number, token)
}

const nonsense = () => new PossiblyArrived('Метрика ответила не в том виде')

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const WRONG_KEY = 'Ключ не подошёл или не даёт прав на счётчик'

/** The fault of a request in the words of this client. */
function possiblyArrived({ message, code, why }: RemoteFault): AdapterFault {
  if (why === 'stranger') return new AdapterFault(WRONG_KEY)
  if (code === '429') return new AdapterFault('Метрика просит подождать: слишком много запросов')
  if (code !== undefined) return new PossiblyArrived(`Метрика ответила сбоем ${code}`)
  if (why === 'tooLong') return new PossiblyArrived('Ответ Метрики слишком длинный')
  return new PossiblyArrived(message === 'Не ответил вовремя' ? 'Метрика не ответила вовремя' : 'Метрика не отвечает')
}

/** @param url of the API, without a trailing slash */
export function live(outbound: Pick<Outbound, 'ask'>, url: string, number: string, token: string): Metrika {
  const wire = remote(
    { outbound, exchanged: async () => {} },
    {
      ...{ adapter: 'metrika', url, isOwn: true, timeout: TIMEOUT, maxAnswer: MAX_ANSWER },
      auth: () => ({ authorization: `OAuth ${token}` }),
    },
  )
  const ask = async (path: string, form?: FormData): Promise<Record<string, unknown>> => {
    if (!token) throw new AdapterFault('У счётчика нет OAuth-ключа')
    const encoded = form && new Response(form)
    const answer = await wire
      .quietly({
        path,
        ...(encoded && {
          method: 'POST',
          headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
          body: Buffer.from(await encoded.arrayBuffer()),
        }),
      })
      .catch((error: unknown) => {
        throw error instanceof RemoteFault ? possiblyArrived(error) : error
      })
    if (answer.status === 403) throw new AdapterFault(WRONG_KEY)
    if (answer.status === 404) throw new AdapterFault('Такого счётчика или такой цели нет')
    if (answer.status >= 300) throw new AdapterFault(`Метрика отказала: ответ ${answer.status}`)
    const parsed = objectIn(answer.bytes.toString('utf8'))
    if (!parsed) throw nonsense()
    return parsed
  }
  return {
    name: new URL(url).host,
    async stat({ from, to, by, goals }) {
      const query = new URLSearchParams({
        ids: number,
        date1: from,
        date2: to,
        metrics: ['ym:s:visits', ...goals.map((goal) => `ym:s:goal${goal}reaches`)].join(),
        ...(dimensions[by] && { dimensions: dimensions[by] }),
        limit: String(MAX_ROWS),
        accuracy: 'full',
      })
      const answer = await ask(`/stat/v1/data?${query}`)
      if (!Array.isArray(answer.data)) throw nonsense()
      return (answer.data as ({ dimensions?: unknown; metrics?: unknown } | null)[]).map((row) => {
        const [first] = Array.isArray(row?.dimensions) ? (row.dimensions as ({ name?: unknown } | null)[]) : []
        const metrics = Array.isArray(row?.metrics) ? row.metrics.map(Number) : []
        const [visits, ...reaches] = metrics
        if (visits === undefined || metrics.some((one) => !Number.isFinite(one) || one < 0)) throw nonsense()
        return { key: typeof first?.name === 'string' ? first.name.slice(0, 255) : '', visits, reaches }
      })
    },
    async goals() {
      const answer = await ask(`/management/v1/counter/${number}/goals`)
      if (!Array.isArray(answer.goals)) throw nonsense()
      return (answer.goals as ({ id?: unknown; name?: unknown } | null)[]).flatMap((goal) =>
        Number.isSafeInteger(goal?.id) && typeof goal?.name === 'string'
          ? [{ goalId: String(goal.id), name: goal.name.slice(0, 255) }]
          : [],
      )
    },
    async upload(csv, idKind, mark) {
      const form = new FormData()
      form.set('file', new File([csv], 'conversions.csv', { type: 'text/csv' }))
      const answer = await ask(
        `/management/v1/counter/${number}/offline_conversions/upload?client_id_type=${idKinds[idKind].type}&comment=${mark}`,
        form,
      )
      const { id } = (answer.uploading ?? {}) as { id?: unknown }
      if (!Number.isSafeInteger(id)) throw new PossiblyArrived('Метрика не назвала номер выгрузки')
      return String(id)
    },
    async find(mark) {
      const answer = await ask(`/management/v1/counter/${number}/offline_conversions/uploadings`)
      if (!Array.isArray(answer.uploadings)) throw nonsense()
      const found = (answer.uploadings as ({ id?: unknown; comment?: unknown } | null)[]).find(
        (one) => one?.comment === mark,
      )
      return Number.isSafeInteger(found?.id) ? String(found?.id) : undefined
    },
    async uploadState(uploadingId) {
      const answer = await ask(`/management/v1/counter/${number}/offline_conversions/uploading/${uploadingId}`)
      const { status, linked_quantity: linked } = (answer.uploading ?? {}) as Record<string, unknown>
      if (status === 'PROCESSED') return { is: 'done', taken: Number(linked) || 0 }
      if (status === 'LINKAGE_FAILURE') return { is: 'rejected', reason: 'Метрика не связала строки с визитами' }
      return { is: 'waiting' }
    },
  }
}

const simulated = (number: string): Metrika => ({
  name: 'имитатор',
  stat: async (asked) => simulatedStat(number, asked),
  goals: async () => simulatedGoals(number),
  upload: async (csv) => String(csv.length),
  find: async () => undefined,
  uploadState: async () => ({ is: 'done', taken: 0 }),
})
