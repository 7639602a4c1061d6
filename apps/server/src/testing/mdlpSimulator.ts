/**
 * Simulator of МДЛП on loopback: sign-in by a code, expiring tokens, documents with receipts, shipment notices, and modes.
 * `npm run simulate mdlp` runs it standalone (MDLP_URL=http://127.0.0.1:8091); its page shows the traffic and sends notices.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Simulator, simulator } from './simulator.ts'

/**
 * Behaviour for the next documents. `processing` never ends; `partial` refuses the first pack; `withdrawn` refuses all as
 * withdrawn already; `owner` as another's; `lost` accepts a document without answering; `broken` answers 500; `refuses` the
 * sign-in; `taken` forgets each token at once.
 */
const moods = ['accepts', 'partial', 'withdrawn', 'owner', 'processing', 'lost', 'broken', 'refuses', 'taken'] as const
export type MdlpMood = (typeof moods)[number]

interface Kept {
  id: string
  requestId: string
  xml: string
  mood: MdlpMood
}

export interface MdlpSimulator extends Simulator<MdlpMood> {
  /** Received documents, each request once. */
  documents: Kept[]
  /** Number of sign-ins, and of attempts. */
  tokens: number
  asked: number
  /** Packs of a shipment notice; codes known to `boxes` are shipped as boxes. @returns the document's id */
  ship(codes: readonly string[], number?: string): string
  /** Packs in boxes, by SSCC. */
  boxes: Map<string, string[]>
  /** A registrar of disposal reports packs (10531). */
  dispose(sgtins: readonly string[], number?: string): string
  /** Ends all tokens at once. */
  expire(): void
  /** States of packs; others are in circulation. */
  states: Map<string, string>
}

/** Signs in without a signature. */
const PASSWORD = 'demo'
const SENDER = '00000000200931'
const RECEIVER = '00000000100931'
/** A detached signature of these bytes: a CMS, or the output of the signature simulator if there is no ГОСТ engine. */
function isSigned(content: Buffer, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64')
  if (bytes[0] === 0x30) return bytes.length > 64
  return bytes.toString().endsWith(createHash('sha256').update(content).digest('hex'))
}

/** @param port 0: any free port */
export async function startMdlpSimulator(port = 0): Promise<MdlpSimulator> {
  const live = new Set<string>()
  const codes = new Set<string>()
  const shipped: { id: string; which: string; schema: string; xml: string }[] = []
  const server = await simulator({
    port,
    page: {
      title: 'МДЛП',
      moods,
      actions: () => [
        ['ship', 'прислать уведомление', () => register.ship(demoPacks(shipped.length))],
        [
          'box',
          'короб',
          () => {
            register.boxes.set(DEMO_BOX, demoPacks(shipped.length))
            register.ship([DEMO_BOX])
          },
        ],
        ['dispose', 'вывести упаковки (?dispose=код,код)', (codes) => codes && register.dispose(codes.split(','))],
      ],
      state: () => `Отгружено: ${shipped.length}`,
      lines: () => register.documents.map(({ id, mood, xml }) => `${id} · ${mood}\n${xml}`),
    },
    routes: answer,
  })
  function answer(request: IncomingMessage, reply: ServerResponse, text: string): unknown {
    const say = (status: number, body: object) =>
      void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const xml = (text: string) => void reply.writeHead(200, { 'content-type': 'application/xml' }).end(text)
    const path = (request.url ?? '').split('?')[0] ?? ''
    const body = text ? (JSON.parse(text) as Record<string, never>) : {}
    if (path === '/auth') {
      const { client_id, user_id } = body as { client_id?: string; user_id?: string }
      if (!client_id || !user_id) return say(400, { error_description: 'Нет client_id или user_id' })
      const code = `code-${codes.size + 1}`
      codes.add(code)
      return say(200, { code })
    }
    if (path === '/token') {
      const { code, signature = '', password } = body as unknown as Record<'code' | 'signature' | 'password', string>
      register.asked++
      if (
        register.mood === 'refuses' ||
        !codes.delete(code) ||
        !(password === PASSWORD || isSigned(Buffer.from(code), signature))
      )
        return say(401, { error_description: 'Подпись не сходится' })
      register.tokens++
      const token = `token-${register.tokens}`
      live.add(token)
      return say(200, { token, life_time: 30 })
    }
    if (register.mood === 'taken') live.clear()
    if (!live.has((request.headers.authorization ?? '').replace(/^token /, '')))
      return say(401, { error_description: 'Токен истёк' })
    if (register.mood === 'broken') return say(500, { message: 'Ошибка' })
    if (path === '/documents/send') {
      const { document, sign, request_id } = body as unknown as { document: string; sign: string; request_id: string }
      const content = Buffer.from(document, 'base64')
      if (!isSigned(content, sign)) return say(400, { error_description: 'Подпись документа не сходится' })
      let kept = register.documents.find(({ requestId }) => requestId === request_id)
      if (!kept) {
        kept = {
          id: `doc-${register.documents.length + 1}`,
          requestId: request_id,
          xml: content.toString(),
          mood: register.mood,
        }
        register.documents.push(kept)
      }
      if (register.mood === 'lost') return void request.socket.destroy()
      return say(200, { document_id: kept.id })
    }
    const which = /^\/documents\/(income|outcome)$/.exec(path)?.[1]
    if (which) {
      const { filter, start_from, count } = body as unknown as {
        filter: { doc_type: string }
        start_from: number
        count: number
      }
      const found = shipped.filter((one) => one.which === which && one.schema === filter.doc_type)
      return say(200, {
        total: found.length,
        documents: found.slice(start_from, start_from + count).map(({ id, schema }) => ({
          document_id: id,
          doc_type: Number(schema),
          sender: SENDER,
          doc_status: 'PROCESSED_DOCUMENT',
        })),
      })
    }
    const box = /^\/reestr\/sscc\/([^/]+)\/hierarchy$/.exec(path)?.[1]
    if (box) {
      const packs = register.boxes.get(box)
      return packs
        ? say(200, { sscc: box, childs: packs.map((sgtin) => ({ sgtin })) })
        : say(404, { error_description: 'Нет такого короба' })
    }
    if (path === '/reestr/sgtin/sgtins-by-list') {
      const { filter } = body as unknown as { filter: { sgtins: string[] } }
      if (filter.sgtins.length > 500) return say(400, { error_description: 'Не больше 500 кодов' })
      return say(200, {
        entries: filter.sgtins.flatMap((sgtin) => {
          const status = register.states.get(sgtin) ?? 'in_circulation'
          return status === 'unknown' ? [] : [{ sgtin, status }]
        }),
      })
    }
    const byRequest = /^\/documents\/request\/([^/]+)$/.exec(path)?.[1]
    if (byRequest) {
      const documents = register.documents.filter(({ requestId }) => requestId === byRequest)
      return say(200, { documents: documents.map(({ id }) => ({ document_id: id })) })
    }
    const download = /^\/documents\/download\/([^/]+)$/.exec(path)?.[1]
    if (download) {
      const found = shipped.find(({ id }) => id === download)
      return found ? xml(found.xml) : say(404, { error_description: 'Нет такого документа' })
    }
    const [, id, ticket] = /^\/documents\/([^/]+)(\/ticket)?$/.exec(path) ?? []
    const kept = register.documents.find((one) => one.id === id)
    if (!kept) return say(404, { error_description: 'Нет такого документа' })
    return ticket
      ? xml(ticketOf(kept))
      : say(200, { doc_status: kept.mood === 'processing' ? 'PROCESSING_DOCUMENT' : 'PROCESSED_DOCUMENT' })
  }

  const register: MdlpSimulator = Object.assign(server, {
    documents: [],
    tokens: 0,
    asked: 0,
    states: new Map(),
    boxes: new Map(),
    ship(packs, number = `УПД-${shipped.length + 1}`) {
      const id = `in-${shipped.length + 1}`
      const rows = packs.map(
        (code) =>
          `<union>${register.boxes.has(code) ? `<sscc_detail><sscc>${code}</sscc></sscc_detail>` : `<sgtin>${code}</sgtin>`}<cost>110.00</cost><vat_value>10.00</vat_value></union>`,
      )
      const xml = `<?xml version="1.0" encoding="UTF-8"?><documents version="1.37"><move_order_notification action_id="601"><subject_id>${SENDER}</subject_id><receiver_id>${RECEIVER}</receiver_id><operation_date>2026-11-20T10:00:00+03:00</operation_date><doc_num>${number}</doc_num><doc_date>20.11.2026</doc_date><turnover_type>1</turnover_type><source>1</source><contract_type>1</contract_type><order_details>${rows.join('')}</order_details></move_order_notification></documents>`
      shipped.push({ id, which: 'income', schema: '601', xml })
      return id
    },
    dispose(sgtins, number = `РВ-${shipped.length + 1}`) {
      const id = `out-${shipped.length + 1}`
      const rows = sgtins.map((sgtin) => `<union><sgtin>${sgtin}</sgtin></union>`)
      const xml = `<?xml version="1.0" encoding="UTF-8"?><documents version="1.37"><skzkm_health_care action_id="10531"><subject_id>${RECEIVER}</subject_id><operation_date>2026-11-20T10:00:00+03:00</operation_date><doc_date>20.11.2026</doc_date><doc_num>${number}</doc_num><order_details>${rows.join('')}</order_details><device_info><device_id>0000000000000001</device_id><skzkm_origin_msg_id>${randomUUID()}</skzkm_origin_msg_id></device_info></skzkm_health_care></documents>`
      shipped.push({ id, which: 'outcome', schema: '10531', xml })
      return id
    },
    expire: () => live.clear(),
  } satisfies Partial<MdlpSimulator>)
  return register
}

function ticketOf({ id, xml, mood }: Kept): string {
  const packs = [...xml.matchAll(/<sgtin>([^<]+)</g)].map(([, sgtin = '']) => sgtin)
  const bad = mood === 'partial' ? packs.slice(0, 1) : mood === 'withdrawn' || mood === 'owner' ? packs : []
  const words = mood === 'owner' ? 'КИЗ принадлежит другому участнику' : 'КИЗ уже выведен из оборота'
  const result = bad.length === 0 ? 'Accepted' : bad.length < packs.length ? 'Partial' : 'Rejected'
  const errors = bad.map(
    (sgtin) =>
      `<errors><error_code>11</error_code><error_desc>${words}</error_desc><object_id>${sgtin}</object_id></errors>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><documents version="1.37"><result action_id="200" accept_time="2026-11-20T10:00:00Z"><operation>0</operation><operation_id>${id}</operation_id><operation_result>${result}</operation_result>${errors.join('')}</result></documents>`
}

/** A box for the page. */
const DEMO_BOX = '146070200100000014'
/** Packs shipped by the page: goods of the demo clinic. */
const demoPacks = (n: number) =>
  Array.from({ length: 5 }, (_, at) => `04607020010222Sim${String(n * 10 + at).padStart(4, '0')}AbCdEf`.slice(0, 27))

if (process.argv[1] === import.meta.filename) {
  const register = await startMdlpSimulator(Number(process.env.PORT ?? 8091))
  console.info(`МДЛП: ${register.url} — MDLP_URL=${register.url} npm start`)
  console.info(
    `${register.url}/?ship присылает уведомление, /?box — короб, /?dispose=SGTIN,… — отчёт регистратора (10531), /?${moods.join(', /?')} меняют ответы`,
  )
}
