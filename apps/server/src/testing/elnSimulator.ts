/**
 * Simulator of the Social Fund and ТФОМС on loopback: sick leaves (SOAP), the search for a СНИЛС and attachment. It stores
 * requests, answers like the real systems, and fails on request. `npm run simulate eln` runs it standalone; its page shows the
 * traffic, its modes, and buttons for actions of the other side.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { play } from './simulatorPage.ts'
import { faultOfSignatures } from './xmlSignatures.ts'

/** Modes for the next requests, as shown on its page. */
export const elnMoods = {
  works: 'Работает',
  silent: 'Принимает и не отвечает',
  lost: 'Принимает и обрывает связь',
  broken: 'Ответ 500, ничего не принято',
  hash: 'Лист меняют за миг до записи: хэш не сходится',
  overlap: 'Отказ: пересечение с другим листом (HTTP 200)',
  snils: 'Отказ: СНИЛС не найден (HTTP 200)',
  signature: 'Отказ: лист изменён после подписи (HTTP 200)',
  several: 'СНИЛС: нашлось несколько',
  none: 'СНИЛС: не найден',
  another: 'СНИЛС: у человека другой',
  norm: 'ТФОМС: норма участка заполнена',
  flk: 'ТФОМС: ошибки ФЛК',
} as const
export type ElnMood = keyof typeof elnMoods

export interface Sheet {
  lnCode: string
  snils: string
  state: string
  hash: string
  row: string
  lpu: string
}

export interface ElnSimulator {
  url: string
  mood: ElnMood
  /** Number of queries answered with «not yet» before the result. */
  delay: number
  sheets: Map<string, Sheet>
  /** Requests, the latest last. */
  traffic: { what: string; sent: string; answer: string }[]
  /** Numbers it has issued. */
  numbers: string[]
  /** Applications for attachment by their key. */
  packages: Map<string, { body: string; asks: number }>
  /** The employer fills in a sheet, and the benefit is paid. */
  pay(lnCode: string, state?: string): void
  /** Another clinic changes a sheet. */
  meddle(lnCode: string): void
  close(): Promise<void>
}

/** Elements of a row that occur exactly once (inputs/eln/facts.md), nil without a value. */
const MUST = [
  ...['unconditional', 'lnCode', 'primaryFlag', 'duplicateFlag', 'lnDate', 'lpuName', 'lpuAddress', 'lpuOgrn'],
  ...['birthday', 'gender', 'date1', 'date2', 'mseDt1', 'mseDt2', 'mseDt3', 'mseInvalidGroup', 'treatPeriods'],
  ...['lnState', 'writtenAgreementFlag'],
]
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const soap = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${body}</soap:Body></soap:Envelope>`
const good = (data: string) =>
  soap(`<result><requestId>${Date.now()}</requestId><status>1</status><mess/><data>${data}</data></result>`)
const bad = (words: string) => soap(`<result><status>0</status><mess>${escaped(words)}</mess><data/></result>`)
const textOf = (xml: string, name: string) => new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
const hashOf = (row: string) =>
  createHash('sha256').update(row).update(String(Math.random())).digest('hex').slice(0, 32)

/** @param port 0: any free port */
export async function startElnSimulator(port = 0): Promise<ElnSimulator> {
  const queries = new Map<string, { body: Record<string, string>; asks: number }>()
  let nextNumber = 910_000_000_001

  const server = await play(port, async (request, reply, sent, url) => {
    if (url.pathname === '/') {
      if (request.method === 'POST') {
        pressed(new URLSearchParams(sent))
        return reply.writeHead(303, { location: '/' }).end()
      }
      return reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageNow())
    }
    const say = (status: number, answer: string, type: string) => {
      simulator.traffic.push({ what: `${request.method} ${url.pathname}`, sent, answer })
      if (simulator.traffic.length > 500) simulator.traffic.shift()
      if (simulator.mood === 'lost' && request.method === 'POST') return request.socket.destroy()
      if (simulator.mood === 'silent' && request.method === 'POST') return
      reply.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(answer)
    }
    if (simulator.mood === 'broken') return reply.writeHead(500).end()
    if (url.pathname.startsWith('/eln'))
      return say(200, sent ? await sheets(sent) : 'СФР: больничные', sent ? 'text/xml' : 'text/plain')
    if (url.pathname.startsWith('/snils')) return snils(request, url, sent, say)
    if (url.pathname.startsWith('/tfoms')) return tfoms(request, url, sent, say)
    reply.writeHead(404).end()
  })

  async function sheets(sent: string): Promise<string> {
    const { mood } = simulator
    if (sent.includes('<getNewLNNumRangeRequest')) {
      const count = Number(textOf(sent, 'cntLnNumbers'))
      const given = Array.from({ length: count }, () => String(nextNumber++))
      simulator.numbers.push(...given)
      return good(`<LNNumbers>${given.map((one) => `<lnCode>${one}</lnCode>`).join('')}</LNNumbers>`)
    }
    if (sent.includes('<getLNListBySnilsRequest')) {
      const own = [...simulator.sheets.values()].filter((one) => one.snils === textOf(sent, 'snils'))
      return good(`<rows>${own.map(shown).join('')}</rows>`)
    }
    const lnCode = textOf(sent, 'lnCode')
    const known = simulator.sheets.get(lnCode)
    if (sent.includes('<getLNDataRequest'))
      return known ? good(shown(known)) : bad('ERR_NOT_FOUND: Листок с таким номером не найден')
    if (sent.includes('<disableLnRequest')) {
      if (!known) return bad('ERR_NOT_FOUND: Листок с таким номером не найден')
      known.state = '090'
      return good('')
    }
    if (sent.includes('<prParseFilelnlpuRequest')) return write(sent, lnCode, mood)
    return bad('ERR_OPERATION: Неизвестная операция')
  }

  async function write(sent: string, lnCode: string, mood: ElnMood): Promise<string> {
    const row = /<row [\s\S]*<\/row>/.exec(sent)?.[0] ?? ''
    const missing = MUST.find((name) => row.split(new RegExp(`<${name}[\\s/>]`)).length !== 2)
    if (missing) return bad(`ERR_SCHEMA: Элемент ${missing} встречается не один раз`)
    const fault = await faultOfSignatures(mood === 'signature' ? sent.replace('<lnDate>20', '<lnDate>19') : sent)
    if (fault)
      return bad(
        `ЭЦП неверна. INVALID_SIGNATURE ЭП недействительна: ${fault}. Обратитесь к разработчику программного обеспечения, на котором осуществлялось подписание данных.`,
      )
    if (mood === 'overlap') return bad('ERR_OVERLAP: Период пересекается с периодом листка 910999999999')
    if (mood === 'snils') return bad('ERR_SNILS: Застрахованное лицо с таким СНИЛС не найдено')
    if (mood === 'hash') simulator.meddle(lnCode)
    const known = simulator.sheets.get(lnCode)
    if (known && textOf(row, 'lnHash') !== known.hash) return bad('ERR_HASH: Хэш листка не совпадает: листок изменён')
    const sheet: Sheet = {
      lnCode,
      snils: textOf(row, 'snils'),
      state: textOf(row, 'lnState'),
      hash: hashOf(row),
      row,
      lpu: textOf(row, 'lpuName'),
    }
    simulator.sheets.set(lnCode, sheet)
    return good(
      `<responseRow><lnCode>${lnCode}</lnCode><lnHash>${sheet.hash}</lnHash><lnState>${sheet.state}</lnState></responseRow>`,
    )
  }

  const shown = ({ row, state, hash }: Sheet) =>
    row
      .replace(/<lnState>[^<]*<\/lnState>/, `<lnState>${state}</lnState>`)
      .replace(/<lnHash>[^<]*<\/lnHash>/, '')
      .replace('</row>', `<lnHash>${hash}</lnHash></row>`)

  type Say = (status: number, answer: string, type: string) => unknown

  function snils(request: IncomingMessage, url: URL, sent: string, say: Say) {
    if (request.method === 'POST') {
      const body = JSON.parse(sent) as Record<string, string>
      if (!queries.has(body.key as string)) queries.set(body.key as string, { body, asks: 0 })
      return say(202, '{}', 'application/json')
    }
    const query = queries.get(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''))
    if (!query) return say(url.pathname === '/snils' ? 200 : 404, '{}', 'application/json')
    if (query.asks++ < simulator.delay) return say(202, '{}', 'application/json')
    const { mood } = simulator
    const one = (number: number, note: string) => ({ snils: snilsOf(number), note })
    const base = [...(query.body.surname ?? '')].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0) % 500_000
    const found =
      mood === 'none'
        ? []
        : mood === 'several'
          ? [one(112_000_000 + base, 'Самара'), one(112_500_000 + base, 'Тольятти')]
          : mood === 'another'
            ? [one(113_000_000 + base, 'Самара')]
            : [one(112_000_000 + base, 'Самара')]
    say(200, JSON.stringify({ found }), 'application/json')
  }

  function tfoms(request: IncomingMessage, url: URL, sent: string, say: Say) {
    if (request.method === 'POST') {
      const key = textOf(sent, 'FILENAME')
      if (!simulator.packages.has(key)) simulator.packages.set(key, { body: sent, asks: 0 })
      return say(202, `<?xml version="1.0" encoding="UTF-8"?><ACCEPTED><ID>${escaped(key)}</ID></ACCEPTED>`, 'text/xml')
    }
    const found = simulator.packages.get(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''))
    if (!found) return say(url.pathname === '/tfoms' ? 200 : 404, '', 'text/plain')
    if (found.asks++ < simulator.delay) return say(202, '', 'text/plain')
    const { mood } = simulator
    const errors =
      mood === 'norm'
        ? '<PR><CODE>NORM</CODE><COMMENT>Норма участка заполнена</COMMENT></PR>'
        : mood === 'flk'
          ? '<PR><CODE>FLK_1</CODE><COMMENT>Не указан документ</COMMENT></PR><PR><CODE>FLK_7</CODE><COMMENT>Неверный код участка</COMMENT></PR>'
          : ''
    const date = textOf(found.body, 'DATE_FROM')
    say(
      200,
      `<?xml version="1.0" encoding="UTF-8"?><FLK_P>${errors || `<RESULT>ATTACHED</RESULT><DATE_FROM>${date}</DATE_FROM><NUMBER>T-${simulator.packages.size}</NUMBER>`}</FLK_P>`,
      'text/xml',
    )
  }

  /** A button of the page was pressed. */
  function pressed(form: URLSearchParams) {
    const mood = form.get('mood')
    if (mood && Object.hasOwn(elnMoods, mood)) simulator.mood = mood as ElnMood
    if (form.has('delay')) simulator.delay = Math.min(100, Math.max(0, Number(form.get('delay')) || 0))
    const pay = form.get('pay')
    if (pay) simulator.pay(pay)
    const meddle = form.get('meddle')
    if (meddle) simulator.meddle(meddle)
  }

  const pageNow = () => `<!doctype html><html lang="ru"><meta charset="utf-8"><title>Имитатор СФР и ТФОМС</title>
<meta name="viewport" content="width=device-width"><style>body{font:15px/1.5 system-ui;max-width:960px;margin:24px auto;padding:0 16px;color-scheme:light dark}
fieldset{border:1px solid #8884;border-radius:8px;margin:0 0 16px;display:grid;gap:6px}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:4px 8px;border-bottom:1px solid #8883}
td form{display:inline}pre{white-space:pre-wrap;word-break:break-all;max-height:240px;overflow:auto;font-size:12px}</style>
<h1>Имитатор СФР и ТФОМС</h1><p>Листов: ${simulator.sheets.size}, номеров выдано: ${simulator.numbers.length}, заявлений: ${simulator.packages.size}. <a href="/">Обновить</a></p>
<form method="post"><fieldset><legend>Как отвечают</legend>${Object.entries(elnMoods)
    .map(
      ([key, words]) =>
        `<label><input type="radio" name="mood" value="${key}"${key === simulator.mood ? ' checked' : ''}> ${words}</label>`,
    )
    .join(
      '',
    )}<label>Сколько раз ответить «ещё не готово» (СНИЛС, ТФОМС): <input name="delay" type="number" min="0" max="100" value="${simulator.delay}"></label><div><button>Так</button></div></fieldset></form>
<h2>Листы</h2><table><tr><th>Номер<th>Состояние<th></tr>${[...simulator.sheets.values()]
    .map(
      ({ lnCode, state }) =>
        `<tr><td>${escaped(lnCode)}<td>${escaped(state)}<td><form method="post"><button name="pay" value="${escaped(lnCode)}">Пособие выплачено</button> <button name="meddle" value="${escaped(lnCode)}">Изменить из другой клиники</button></form></tr>`,
    )
    .join('')}</table><h2>Обмен</h2>${simulator.traffic
    .slice(-30)
    .reverse()
    .map(
      ({ what, sent, answer }) =>
        `<details><summary>${escaped(what)}</summary><pre>${escaped(sent)}</pre><pre>${escaped(answer)}</pre></details>`,
    )
    .join('')}</html>`

  const simulator: ElnSimulator = {
    url: server.url,
    mood: 'works',
    delay: 0,
    sheets: new Map(),
    traffic: [],
    numbers: [],
    packages: new Map(),
    pay(lnCode, state = '080') {
      const sheet = simulator.sheets.get(lnCode)
      if (sheet) Object.assign(sheet, { state, hash: hashOf(sheet.row) })
    },
    meddle(lnCode) {
      const sheet = simulator.sheets.get(lnCode)
      if (!sheet) return
      sheet.row = sheet.row.replace(/<lpuEmployer>[^<]*/, '<lpuEmployer>АО «Другое место»')
      sheet.hash = hashOf(sheet.row)
    },
    close: server.close,
  }
  return simulator
}

/** A СНИЛС with its check digits. */
export function snilsOf(number: number): string {
  const nine = String(number).padStart(9, '0')
  const rest = [...nine].reduce((sum, digit, at) => sum + Number(digit) * (9 - at), 0) % 101
  return nine + String(rest === 100 ? 0 : rest).padStart(2, '0')
}

/** Port of `npm run simulate eln`. */
const PORT = 8094
if (import.meta.main) {
  const { url } = await startElnSimulator(PORT)
  console.log(`СФР и ТФОМС играют здесь: ${url}
Запустите сервер с ELN_URL=${url}/eln SNILS_URL=${url}/snils TFOMS_URL=${url}/tfoms`)
}
