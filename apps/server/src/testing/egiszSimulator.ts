/**
 * Simulator of ЕГИСЗ: the register of documents (SOAP, with later answers) and НСИ (REST with pages). `npm run simulate egisz` runs
 * it with a page to see and to break the traffic; tests start it with `startEgisz`.
 */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { pathToFileURL } from 'node:url'
import { play } from './simulatorPage.ts'

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

export interface EgiszSimulator {
  url: string
  /** Its mode; per document by localUid first. */
  mood: EgiszMood
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
  close(): Promise<void>
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
    simulator.traffic.unshift({ at: new Date().toISOString(), direction, what, status, body: body.slice(0, 4_000) })
    simulator.traffic.length = Math.min(simulator.traffic.length, MAX_TRAFFIC)
  }
  let callback = ''

  async function tell(to: string, body: string, shown = simulator.token): Promise<{ status: number; text: string }> {
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
    const mood = simulator.moodOf?.(localUid) ?? simulator.mood
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
    const known = simulator.documents.get(localUid)
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
      simulator.documents.set(localUid, made)
      return made
    }
    function queue({ emdrId }: { emdrId: string }) {
      const what = isCancel ? 'cancelDocumentResult' : 'registerDocumentResult'
      const result =
        mood === 'refuses'
          ? '<status>error</status><errors><item><code>STAFF_NOT_FOUND</code><message>Медицинский работник не найден в ФРМР</message></item><item><code>NSI_MISMATCH</code><message>Код отсутствует в справочнике НСИ</message></item></errors>'
          : `<status>success</status><emdrId>${emdrId}</emdrId><registrationDateTime>${new Date().toISOString()}</registrationDateTime>`
      const told = {
        to: callback,
        body: soapOf(
          `answer-${messageId}`,
          `<${what}><relatesToMessage>${messageId}</relatesToMessage><localUid>${localUid}</localUid>${result}</${what}>`,
        ),
      }
      for (let times = mood === 'twice' ? 2 : 1; times > 0; times--) waiting.push(told)
      if (simulator.delay > 0) setTimeout(() => void simulator.answer(), simulator.delay).unref()
    }
    const taken = take()
    if (mood !== 'mute') queue(taken)
    if (mood === 'silent') return void response.destroy()
    if (mood === 'early') await simulator.answer()
    answerOf(`<registerDocumentResponse><status>success</status></registerDocumentResponse>`)
  }

  function nsi(address: URL, response: ServerResponse): void {
    const say = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify(value))
    }
    const { searchParams: asked, pathname } = address
    const found = simulator.dictionaries.get(asked.get('identifier') ?? '')
    if (!found) return void say(200, { result: 'ERROR', resultText: 'Справочник не найден', resultCode: 'NOT_FOUND' })
    if (pathname.endsWith('/passport')) return void say(200, { result: 'OK', ...found.passport })
    const page = Number(asked.get('page') ?? 1)
    const size = Number(asked.get('size') ?? 100)
    if (simulator.failPage === page) return void say(503, { result: 'ERROR', resultText: 'Сервис недоступен' })
    say(200, {
      result: 'OK',
      resultText: null,
      resultCode: null,
      total: found.rows.length,
      list: found.rows.slice((page - 1) * size, page * size),
    })
  }

  const server = await play(port, async (request, response, body, address) => {
    if (address.pathname === '/emd' && request.method === 'POST') return void (await emd(body, response))
    if (address.pathname === '/emd') return void response.end('<definitions/>')
    if (address.pathname.startsWith('/nsi/')) return nsi(address, response)
    if (request.method === 'POST') {
      const asked = new URLSearchParams(body)
      const mood = asked.get('mood')
      if (mood && Object.hasOwn(egiszMoods, mood)) simulator.mood = mood as EgiszMood
      if (asked.has('delay')) simulator.delay = Math.max(0, Number(asked.get('delay')) * 1_000 || 0)
      if (asked.has('answer')) await simulator.answer()
      if (asked.has('file'))
        await simulator.knock(
          soapOf(
            randomUUID(),
            `<getDocumentFile><localUid>${asked.get('file')?.replace(/[^\w-]/g, '')}</localUid></getDocumentFile>`,
          ),
        )
      response.writeHead(303, { location: '/' })
      return void response.end()
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(pageOf(simulator, waiting.length))
  })

  const simulator: EgiszSimulator = {
    url: server.url,
    mood: 'takes',
    moodOf: undefined,
    delay: 0,
    token,
    documents: new Map(),
    traffic: [],
    dictionaries: new Map(),
    failPage: undefined,
    async answer() {
      const statuses: number[] = []
      for (const { to, body } of waiting.splice(0)) statuses.push((await tell(to, body)).status)
      return statuses
    },
    knock: (body, shown) => tell(callback, body, shown),
    close: server.close,
  }
  return simulator
}

const shown = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const pageOf = (
  { mood, delay, documents, traffic }: EgiszSimulator,
  waiting: number,
): string => `<!doctype html><html lang="ru"><meta charset="utf-8">
<title>Имитатор ЕГИСЗ</title><meta name="viewport" content="width=device-width"><style>body{font:15px/1.5 system-ui;max-width:960px;margin:24px auto;padding:0 16px;color-scheme:light dark}
fieldset{border:1px solid #8884;border-radius:8px;margin:0 0 16px;display:grid;gap:6px}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:4px 8px;border-bottom:1px solid #8883;vertical-align:top}
pre{white-space:pre-wrap;word-break:break-all;max-height:240px;overflow:auto;font-size:12px}</style>
<h1>Имитатор ЕГИСЗ</h1><p>Документов: ${documents.size}. Ответов ждёт отправки: ${waiting}. <a href="/">Обновить</a></p>
<form method="post"><fieldset><legend>Как отвечает РЭМД</legend>${Object.entries(egiszMoods)
  .map(
    ([key, words]) =>
      `<label><input type="radio" name="mood" value="${key}"${key === mood ? ' checked' : ''}> ${words}</label>`,
  )
  .join(
    '',
  )}<label>Через сколько секунд приходит ответ (0 — по кнопке): <input name="delay" type="number" min="0" max="600" value="${delay / 1_000}"></label><div><button>Так</button></div></fieldset></form>
<form method="post"><button name="answer" value="1">Прислать ответы сейчас</button></form>
<h2>Документы</h2><table><tr><th>localUid<th>Номер<th>Запросов<th></tr>${[...documents]
  .slice(-50)
  .reverse()
  .map(
    ([uid, { emdrId, asked, cancelled }]) =>
      `<tr><td>${shown(uid)}<td>${emdrId}${cancelled ? ' (отменён)' : ''}<td>${asked}<td><form method="post"><button name="file" value="${shown(uid)}">Запросить файл</button></form></tr>`,
  )
  .join('')}</table>
<h2>Обмен</h2>${traffic
  .slice(0, 50)
  .map(
    ({ at, direction, what, status, body }) =>
      `<details><summary>${at.slice(11, 19)} ${direction === 'in' ? '→' : '←'} ${shown(what)} ${status}</summary><pre>${shown(body)}</pre></details>`,
  )
  .join('')}</html>`

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
  const simulator = await startEgisz({ port: Number(process.env.EGISZ_PORT ?? 8195) })
  simulator.delay = 5_000
  simulator.dictionaries
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
  console.log(`Имитатор ЕГИСЗ: ${simulator.url}
В настройках ЕГИСЗ выберите режим «Имитатор» и задайте ключ ответов: ${simulator.token}`)
}
