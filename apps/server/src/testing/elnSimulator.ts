/**
 * Simulator of the Social Fund and ТФОМС on loopback: sick leaves (SOAP), the search for a СНИЛС and attachment. It stores
 * requests, answers like the real systems, and fails on request. `npm run simulate eln` runs it standalone; its page shows the
 * traffic, its modes, and buttons for actions of the other side.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TestKey } from '#platform/gost.ts'
import { encryptedReply, type Opened, opened } from './gostCipher.ts'
import { type Simulator, say as sayJson, simulator } from './simulator.ts'
import { faultOfSignatures, gost } from './xmlSignatures.ts'

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

export interface ElnSimulator extends Simulator<ElnMood> {
  /** Number of queries answered with «not yet» before the result. */
  delay: number
  sheets: Map<string, Sheet>
  /** Requests, the latest last, as they came; `opened`: decrypted. */
  traffic: { what: string; sent: string; opened?: string; answer: string }[]
  /** What it demands of each request for sheets. */
  demands: 'nothing' | 'signed' | 'sealed'
  /** Its certificate, PEM: messages for it are encrypted. Needs the ГОСТ engine. */
  certificate(): Promise<string>
  /** Numbers it has issued. */
  numbers: string[]
  /** Applications for attachment by their key. */
  packages: Map<string, { body: string; asks: number }>
  /** The employer fills in a sheet, and the benefit is paid. */
  pay(lnCode: string, state?: string): void
  /** Another clinic changes a sheet. */
  meddle(lnCode: string): void
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

  const server = await simulator({
    port,
    page: {
      title: 'Имитатор СФР и ТФОМС',
      moods: elnMoods,
      state: () =>
        `Листов: ${fund.sheets.size}, номеров выдано: ${fund.numbers.length}, заявлений: ${fund.packages.size}. СНИЛС и ТФОМС готовы после ${fund.delay} ответов «ещё не готово».`,
      actions: () => [
        ['delay', 'Ещё не готово (?delay=сколько раз)', (value) => (fund.delay = Math.max(0, Number(value) || 0))],
        ['pay', 'Пособие выплачено (?pay=номер)', (lnCode) => fund.pay(lnCode)],
        ['meddle', 'Изменить из другой клиники (?meddle=номер)', (lnCode) => fund.meddle(lnCode)],
      ],
      lines: () =>
        [
          ...fund.traffic.map(({ what, sent, opened: plain = sent, answer }) => `${what}\n${plain}\n${answer}`),
          [...fund.sheets.values()].map(({ lnCode, state }) => `${lnCode}: ${state}`).join('\n'),
        ].filter(Boolean),
    },
    routes: answer,
  })
  async function answer(request: IncomingMessage, reply: ServerResponse, sent: string, url: URL): Promise<unknown> {
    const say = (status: number, answer: string, type: string, more: { opened?: string } = {}) => {
      fund.traffic.push({ what: `${request.method} ${url.pathname}`, sent, answer, ...more })
      if (fund.traffic.length > 500) fund.traffic.shift()
      if (fund.mood === 'lost' && request.method === 'POST') return request.socket.destroy()
      if (fund.mood === 'silent' && request.method === 'POST') return
      reply.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(answer)
    }
    if (fund.mood === 'broken') return reply.writeHead(500).end()
    if (url.pathname.startsWith('/eln')) return sent ? soaped(sent, say) : say(200, 'СФР: больничные', 'text/plain')
    if (url.pathname.startsWith('/snils')) return snils(request, url, sent, say)
    if (url.pathname.startsWith('/tfoms')) return tfoms(request, url, sent, say)
    return sayJson(reply, 404, {})
  }

  let keys: Promise<TestKey> | undefined
  const own = () => (keys ??= gost.makeTestKey('СФР (имитатор)', 365))

  /** Decrypts a message, answers it, and encrypts the answer for its sender. */
  async function soaped(sent: string, say: Say): Promise<unknown> {
    let message: Opened | undefined
    try {
      message = sent.includes('EncryptedData') ? await opened(sent, await own()) : undefined
    } catch (error) {
      return say(200, bad(`ERR_ENCRYPTION: ${(error as Error).message}`), 'text/xml')
    }
    const plain = message?.plain ?? sent
    const isSealed = message !== undefined || fund.demands !== 'sealed'
    const answer = isSealed ? await sheets(plain) : bad('ERR_ENCRYPTION: Сообщение не зашифровано')
    if (!message) return say(200, answer, 'text/xml')
    return say(200, await encryptedReply(answer, message.sender), 'text/xml', { opened: plain })
  }

  async function sheets(sent: string): Promise<string> {
    const { mood } = fund
    const isPut = sent.includes('<prParseFilelnlpuRequest')
    if (!isPut && (fund.demands !== 'nothing' || sent.includes('<wsse:Security'))) {
      const fault = await faultOfSignatures(sent)
      if (fault) return bad(`ЭЦП неверна. INVALID_SIGNATURE ЭП недействительна: ${fault}`)
    }
    if (sent.includes('<getNewLNNumRangeRequest')) {
      const count = Number(textOf(sent, 'cntLnNumbers'))
      const given = Array.from({ length: count }, () => String(nextNumber++))
      fund.numbers.push(...given)
      return good(`<LNNumbers>${given.map((one) => `<lnCode>${one}</lnCode>`).join('')}</LNNumbers>`)
    }
    if (sent.includes('<getLNListBySnilsRequest')) {
      const own = [...fund.sheets.values()].filter((one) => one.snils === textOf(sent, 'snils'))
      return good(`<rows>${own.map(shown).join('')}</rows>`)
    }
    const lnCode = textOf(sent, 'lnCode')
    const known = fund.sheets.get(lnCode)
    if (sent.includes('<getLNDataRequest'))
      return known ? good(shown(known)) : bad('ERR_NOT_FOUND: Листок с таким номером не найден')
    if (sent.includes('<disableLnRequest')) {
      if (!known) return bad('ERR_NOT_FOUND: Листок с таким номером не найден')
      known.state = '090'
      return good('')
    }
    if (isPut) return write(sent, lnCode, mood)
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
    if (mood === 'hash') fund.meddle(lnCode)
    const known = fund.sheets.get(lnCode)
    if (known && textOf(row, 'lnHash') !== known.hash) return bad('ERR_HASH: Хэш листка не совпадает: листок изменён')
    const sheet: Sheet = {
      lnCode,
      snils: textOf(row, 'snils'),
      state: textOf(row, 'lnState'),
      hash: hashOf(row),
      row,
      lpu: textOf(row, 'lpuName'),
    }
    fund.sheets.set(lnCode, sheet)
    return good(
      `<responseRow><lnCode>${lnCode}</lnCode><lnHash>${sheet.hash}</lnHash><lnState>${sheet.state}</lnState></responseRow>`,
    )
  }

  const shown = ({ row, state, hash }: Sheet) =>
    row
      .replace(/<lnState>[^<]*<\/lnState>/, `<lnState>${state}</lnState>`)
      .replace(/<lnHash>[^<]*<\/lnHash>/, '')
      .replace('</row>', `<lnHash>${hash}</lnHash></row>`)

  type Say = (status: number, answer: string, type: string, more?: { opened?: string }) => unknown

  function snils(request: IncomingMessage, url: URL, sent: string, say: Say) {
    if (request.method === 'POST') {
      const body = JSON.parse(sent) as Record<string, string>
      if (!queries.has(body.key as string)) queries.set(body.key as string, { body, asks: 0 })
      return say(202, '{}', 'application/json')
    }
    const query = queries.get(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''))
    if (!query) return say(url.pathname === '/snils' ? 200 : 404, '{}', 'application/json')
    if (query.asks++ < fund.delay) return say(202, '{}', 'application/json')
    const { mood } = fund
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
      if (!fund.packages.has(key)) fund.packages.set(key, { body: sent, asks: 0 })
      return say(202, `<?xml version="1.0" encoding="UTF-8"?><ACCEPTED><ID>${escaped(key)}</ID></ACCEPTED>`, 'text/xml')
    }
    const found = fund.packages.get(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''))
    if (!found) return say(url.pathname === '/tfoms' ? 200 : 404, '', 'text/plain')
    if (found.asks++ < fund.delay) return say(202, '', 'text/plain')
    const { mood } = fund
    const errors =
      mood === 'norm'
        ? '<PR><CODE>NORM</CODE><COMMENT>Норма участка заполнена</COMMENT></PR>'
        : mood === 'flk'
          ? '<PR><CODE>FLK_1</CODE><COMMENT>Не указан документ</COMMENT></PR><PR><CODE>FLK_7</CODE><COMMENT>Неверный код участка</COMMENT></PR>'
          : ''
    const date = textOf(found.body, 'DATE_FROM')
    say(
      200,
      `<?xml version="1.0" encoding="UTF-8"?><FLK_P>${errors || `<RESULT>ATTACHED</RESULT><DATE_FROM>${date}</DATE_FROM><NUMBER>T-${fund.packages.size}</NUMBER>`}</FLK_P>`,
      'text/xml',
    )
  }

  const fund: ElnSimulator = Object.assign(server, {
    delay: 0,
    sheets: new Map(),
    traffic: [],
    demands: 'nothing',
    certificate: async () => (await own()).certificate,
    numbers: [],
    packages: new Map(),
    pay(lnCode, state = '080') {
      const sheet = fund.sheets.get(lnCode)
      if (sheet) Object.assign(sheet, { state, hash: hashOf(sheet.row) })
    },
    meddle(lnCode) {
      const sheet = fund.sheets.get(lnCode)
      if (!sheet) return
      sheet.row = sheet.row.replace(/<lpuEmployer>[^<]*/, '<lpuEmployer>АО «Другое место»')
      sheet.hash = hashOf(sheet.row)
    },
  } satisfies Partial<ElnSimulator>)
  return fund
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
