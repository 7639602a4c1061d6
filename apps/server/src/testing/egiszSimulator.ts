/**
 * Simulator of ЕГИСЗ: the register of documents (SOAP, with later answers) and НСИ (REST with pages). `npm run simulate egisz` runs
 * it with a page to see and to break the traffic; tests start it with `startEgisz`.
 */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { pathToFileURL } from 'node:url'
import { type Simulator, say as sayJson, simulator } from './simulator.ts'

export const egiszMoods = {
  takes: 'Принимает и регистрирует',
  refuses: 'Принимает, потом отклоняет с двумя причинами',
  refusesAtOnce: 'Отказывает сразу',
  silent: 'Не отвечает (запрос дошёл)',
  down: 'Ответ 500',
  mute: 'Принимает и молчит: ответа не будет',
  early: 'Ответ приходит раньше подтверждения',
  twice: 'Ответ приходит дважды',
  duplicate: 'Говорит, что документ уже есть',
  garbage: 'Отвечает не XML',
} as const
export type EgiszMood = keyof typeof egiszMoods

export interface NsiAnswer {
  passport: { version: string; rowsCount: number; [name: string]: unknown }
  rows: readonly (readonly { column: string; value: string | null }[])[]
}

export interface EgiszSimulator extends Simulator<EgiszMood> {
  /** Its mode per document by localUid, before the common one. */
  moodOf: ((localUid: string) => EgiszMood | undefined) | undefined
  /** Milliseconds until an answer is sent; 0: when `answer()` is called. */
  delay: number
  /** The key it sends to the clinic. */
  token: string
  /** Stored documents by localUid: number of requests, and its number. */
  documents: Map<string, { asked: number; emdrId: string; cancelled: boolean; body: string }>
  traffic: { at: string; direction: 'in' | 'out'; what: string; status: number; body: string }[]
  dictionaries: Map<string, NsiAnswer>
  /** A failing page of НСИ. */
  failPage: number | undefined
  /** Sends pending answers. @returns the statuses of the clinic's replies */
  answer(): Promise<number[]>
  /** Sends any body to the clinic's callback. */
  knock(body: string, token?: string): Promise<{ status: number; text: string }>
}

const MAX_TRAFFIC = 300
const valueIn = (xml: string, name: string): string | undefined =>
  new RegExp(`<(?:\\w+:)?${name}>([^<]*)</(?:\\w+:)?${name}>`).exec(xml)?.[1]

export const soapOf = (messageId: string, body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="http://www.w3.org/2005/08/addressing"><s:Header><a:MessageID>${messageId}</a:MessageID></s:Header><s:Body>${body}</s:Body></s:Envelope>`

export async function startEgisz({ port = 0, token = 'egisz-demo-token' } = {}): Promise<EgiszSimulator> {
  const waiting: { to: string; body: string }[] = []
  let number = 0
  const keep = (direction: 'in' | 'out', what: string, status: number, body: string) => {
    register.traffic.unshift({ at: new Date().toISOString(), direction, what, status, body: body.slice(0, 4_000) })
    register.traffic.length = Math.min(register.traffic.length, MAX_TRAFFIC)
  }
  let callback = ''

  async function post(to: string, body: string, shown = register.token): Promise<{ status: number; text: string }> {
    try {
      const answer = await fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'application/soap+xml; charset=utf-8', authorization: `Bearer ${shown}` },
        body,
      })
      const text = await answer.text()
      keep('out', valueIn(body, 'relatesToMessage') ?? 'запрос', answer.status, `${body}\n\n${text}`)
      return { status: answer.status, text }
    } catch (error) {
      keep('out', 'не дошло', 0, String(error))
      return { status: 0, text: String(error) }
    }
  }

  async function emd(body: string, response: ServerResponse): Promise<void> {
    const localUid = valueIn(body, 'localUid') ?? ''
    const messageId = valueIn(body, 'MessageID') ?? ''
    const isCancel = body.includes('cancelDocument>')
    const mood = register.moodOf?.(localUid) ?? register.mood
    callback = valueIn(body, 'Address') ?? callback
    keep('in', `${isCancel ? 'cancelDocument' : 'registerDocument'} ${localUid}`, 200, body)
    const say = (status: number, text: string) => {
      response.writeHead(status, { 'content-type': 'application/soap+xml; charset=utf-8' })
      response.end(text)
    }
    const answerOf = (xml: string) => say(200, soapOf(randomUUID(), xml))
    if (mood === 'down') return say(500, 'Internal Server Error')
    if (mood === 'garbage') return say(200, 'ok')
    if (mood === 'refusesAtOnce')
      return answerOf(
        '<registerDocumentResponse><status>error</status><errors><item><code>VALIDATION_ERROR</code><message>Не указан СНИЛС пациента</message></item><item><code>STAFF_NOT_FOUND</code><message>Медицинский работник не найден в ФРМР</message></item></errors></registerDocumentResponse>',
      )
    const known = register.documents.get(localUid)
    if (mood === 'duplicate' && !isCancel) {
      queue(known ?? take())
      return answerOf(
        '<registerDocumentResponse><status>error</status><errors><item><code>DUPLICATE</code><message>Документ уже зарегистрирован</message></item></errors></registerDocumentResponse>',
      )
    }
    function take() {
      const made = known ?? {
        asked: 0,
        emdrId: `77.26.11.${String(++number).padStart(9, '0')}`,
        cancelled: false,
        body,
      }
      made.asked++
      if (isCancel) made.cancelled = true
      register.documents.set(localUid, made)
      return made
    }
    function queue({ emdrId }: { emdrId: string }) {
      const what = isCancel ? 'cancelDocumentResult' : 'registerDocumentResult'
      const result =
        mood === 'refuses'
          ? '<status>error</status><errors><item><code>STAFF_NOT_FOUND</code><message>Медицинский работник не найден в ФРМР</message></item><item><code>NSI_MISMATCH</code><message>Код отсутствует в справочнике НСИ</message></item></errors>'
          : `<status>success</status><emdrId>${emdrId}</emdrId><registrationDateTime>${new Date().toISOString()}</registrationDateTime>`
      const answer = {
        to: callback,
        body: soapOf(
          `answer-${messageId}`,
          `<${what}><relatesToMessage>${messageId}</relatesToMessage><localUid>${localUid}</localUid>${result}</${what}>`,
        ),
      }
      for (let times = mood === 'twice' ? 2 : 1; times > 0; times--) waiting.push(answer)
      if (register.delay > 0) setTimeout(() => void register.answer(), register.delay).unref()
    }
    const taken = take()
    if (mood !== 'mute') queue(taken)
    if (mood === 'silent') return void response.destroy()
    if (mood === 'early') await register.answer()
    answerOf(`<registerDocumentResponse><status>success</status></registerDocumentResponse>`)
  }

  function nsi(address: URL, response: ServerResponse): void {
    const say = (status: number, value: unknown) => sayJson(response, status, value)
    const { searchParams: asked, pathname } = address
    const found = register.dictionaries.get(asked.get('identifier') ?? '')
    if (!found) return void say(200, { result: 'ERROR', resultText: 'Справочник не найден', resultCode: 'NOT_FOUND' })
    if (pathname.endsWith('/passport')) return void say(200, { result: 'OK', ...found.passport })
    const page = Number(asked.get('page') ?? 1)
    const size = Number(asked.get('size') ?? 100)
    if (register.failPage === page) return void say(503, { result: 'ERROR', resultText: 'Сервис недоступен' })
    say(200, {
      result: 'OK',
      resultText: null,
      resultCode: null,
      total: found.rows.length,
      list: found.rows.slice((page - 1) * size, page * size),
    })
  }

  const server = await simulator({
    port,
    page: {
      title: 'Имитатор ЕГИСЗ',
      moods: egiszMoods,
      state: () =>
        `Документов: ${register.documents.size}. Ответов ждёт отправки: ${waiting.length}. Ответ приходит через ${register.delay / 1_000} с (0 — по кнопке).`,
      actions: () => [
        ['answer', 'Прислать ответы сейчас', () => register.answer()],
        ['delay', 'Ответ через (?delay=секунд)', (value) => (register.delay = Math.max(0, Number(value) * 1_000 || 0))],
        ...[...register.documents.keys()]
          .slice(-10)
          .map((uid) => [`file=${encodeURIComponent(uid)}`, `Запросить файл ${uid}`, () => undefined] as const),
        [
          'file',
          'Запросить файл (?file=localUid)',
          (uid) =>
            uid &&
            register.knock(
              soapOf(
                randomUUID(),
                `<getDocumentFile><localUid>${uid.replace(/[^\w-]/g, '')}</localUid></getDocumentFile>`,
              ),
            ),
        ],
      ],
      lines: () =>
        register.traffic
          .toReversed()
          .map(
            ({ at, direction, what, status, body }) =>
              `${at.slice(11, 19)} ${direction === 'in' ? '→' : '←'} ${what} ${status}\n${body}`,
          ),
    },
    async routes(request, response, body, address) {
      if (address.pathname === '/emd')
        return request.method === 'POST' ? emd(body, response) : response.end('<definitions/>')
      if (address.pathname.startsWith('/nsi/')) return nsi(address, response)
      return sayJson(response, 404, {})
    },
  })

  const register: EgiszSimulator = Object.assign(server, {
    moodOf: undefined,
    delay: 0,
    token,
    documents: new Map(),
    traffic: [],
    dictionaries: new Map(),
    failPage: undefined,
    async answer() {
      const statuses: number[] = []
      for (const { to, body } of waiting.splice(0)) statuses.push((await post(to, body)).status)
      return statuses
    },
    knock: (body, shown) => post(callback, body, shown),
  } satisfies Partial<EgiszSimulator>)
  return register
}

const row = (code: string, name: string) => [
  { column: 'ID', value: code },
  { column: 'NAME', value: name },
]
/** A dictionary of a few rows, in the format of НСИ. */
export const smallDictionary = (version: string, terms: Readonly<Record<string, string>>): NsiAnswer => ({
  passport: {
    version,
    rowsCount: Object.keys(terms).length,
    publishDate: '26.11.2026 00:00',
    keys: [{ field: 'ID', type: 'PRIMARY' }],
  },
  rows: Object.entries(terms).map(([code, name]) => row(code, name)),
})

// Run as a program.
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const register = await startEgisz({ port: Number(process.env.EGISZ_PORT ?? 8195) })
  register.delay = 5_000
  register.dictionaries
    .set(
      '1.2.643.5.1.13.13.11.1002',
      smallDictionary('7.5', { '109': 'врач-терапевт', '110': 'врач-терапевт участковый', '37': 'врач-стоматолог' }),
    )
    .set(
      '1.2.643.5.1.13.13.11.1522',
      smallDictionary('7.24', {
        '5': 'Протокол консультации',
        '7': 'Протокол лабораторного исследования',
        '52': 'Справка об оплате медицинских услуг',
      }),
    )
    .set(
      '1.2.643.5.1.13.13.11.1520',
      smallDictionary('12.14', {
        '119': 'Протокол консультации (CDA) Редакция 4',
        '186': 'Протокол лабораторного исследования (CDA) Редакция 5',
        '193': 'Справка об оплате медицинских услуг (CDA) Редакция 2',
      }),
    )
  console.log(`Имитатор ЕГИСЗ: ${register.url}
В настройках ЕГИСЗ выберите режим «Имитатор» и задайте ключ ответов: ${register.token}`)
}
