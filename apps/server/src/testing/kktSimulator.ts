/**
 * Simulator of the web server of АТОЛ's driver, with a cash register behind it: numbered JSON tasks, a fiscal drive, a
 * shift, paper. It fails on request. `npm run simulate kkt` runs it on the port of the real driver; its page shows the documents and
 * breaks the traffic.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Simulator, simulator } from './simulator.ts'

/**
 * Faults. The first ones last until they are cleared (`ofd`: receipts of 12 days were not sent to the ОФД, `driveEnding`
 * and `driveOver`: the fiscal drive is valid for ten more days, or expired); the others
 * happen once: `silentBefore` does nothing and does not answer, `silentAfter` prints and does not answer, `lost` drops the
 * connection after the action, `tornPaper` closes the document in the drive and fails to print it, `otherSum` prints another sum.
 */
const lasting = [
  'noPaper',
  'cover',
  'ofd',
  'driveEnding',
  'driveOver',
  'offline',
  'broken',
  'nonsense',
  'slow',
] as const
const once = ['silentBefore', 'silentAfter', 'lost', 'tornPaper', 'repeat'] as const
export type KktMood = 'works' | (typeof lasting)[number] | (typeof once)[number]

interface Result {
  status: 'wait' | 'inProgress' | 'ready' | 'error'
  errorCode: number
  errorDescription: string
  result: Record<string, unknown> | null
}

export interface DrivenDocument {
  fd: number
  kind: string
  key: string | undefined
  task: Record<string, any>
  /** It was also printed on paper. */
  isPrinted: boolean
}

export interface KktSimulator extends Simulator<KktMood> {
  documents: DrivenDocument[]
  shift: number | null
  /** Time of opening; tests move it back. */
  shiftOpened: number
  /** Number of requests of any kind. */
  asked: number
  /** Milliseconds to print a document. */
  printMs: number
  /** Clears the driver's memory of tasks. */
  forget(): void
}

const DAY_MS = 24 * 3_600_000
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
const driveEnd = (mood: KktMood) => ago(mood === 'driveEnding' ? -10 : mood === 'driveOver' ? 1 : -300)
const receipts = ['sell', 'sellReturn', 'sellCorrection', 'sellReturnCorrection']

/** @param port 0: any free port */
export async function startKktSimulator(port = 0): Promise<KktSimulator> {
  const tasks = new Map<string, { results: Result[]; readyAt: number }>()
  let shifts = 0
  const ready = (result: Record<string, unknown>): Result => ({
    status: 'ready',
    errorCode: 0,
    errorDescription: '',
    result,
  })
  const error = (errorCode: number, errorDescription: string): Result => ({
    status: 'error',
    errorCode,
    errorDescription,
    result: null,
  })
  const isLate = () => kkt.shift !== null && kkt.shiftOpened < Date.now() - DAY_MS

  function document(task: Record<string, any>, isPrinted: boolean): Result {
    const fd = kkt.documents.length + 1
    kkt.documents.push({ fd, kind: String(task.type), key: task.additionalAttribute, task, isPrinted })
    if (!isPrinted) return error(44, 'Нет бумаги')
    return ready({
      fiscalParams: {
        fiscalDocumentNumber: fd,
        fiscalDocumentSign: String(2_000_000_000 + fd),
        fiscalDocumentDateTime: new Date().toISOString(),
        fnNumber: '9999078902001234',
        registrationNumber: '0000000001234567',
        shiftNumber: shifts,
        total: task.total ?? 0,
      },
    })
  }

  function carryOut(task: Record<string, any>, mood: KktMood): Result {
    if (mood === 'offline') return error(2, 'Нет связи')
    switch (task.type) {
      case 'getDeviceInfo':
        return ready({ deviceInfo: { serial: '00106900000001', modelName: 'АТОЛ 27Ф (имитатор)', ffdVersion: '1.2' } })
      case 'getFnInfo':
        return ready({ fnInfo: { serial: '9999078902001234', validityDate: driveEnd(mood) } })
      case 'getFnStatus':
        return ready({
          fnStatus: {
            fiscalDocumentNumber: kkt.documents.length,
            fiscalReceiptNumber: 1,
            warnings: { ofdTimeout: mood === 'ofd' },
          },
        })
      case 'getDeviceStatus':
        return ready({
          deviceStatus: {
            paperPresent: mood !== 'noPaper',
            coverOpened: mood === 'cover',
            blocked: mood === 'driveOver',
          },
        })
      case 'ofdExchangeStatus':
        return ready({
          status:
            mood === 'ofd'
              ? { notSentCount: 7, notSentFirstDocNumber: 1, notSentFirstDocDateTime: ago(12) }
              : { notSentCount: 0, notSentFirstDocNumber: 0, notSentFirstDocDateTime: ago(0) },
        })
      case 'getShiftStatus':
        return ready({
          shiftStatus: { state: kkt.shift === null ? 'closed' : isLate() ? 'expired' : 'opened', number: shifts },
        })
      case 'getShiftTotals': {
        const sums = (kind: string) => {
          const of = { cash: 0, electronically: 0, prepaid: 0, credit: 0 } as Record<string, number>
          for (const { kind: own, task: receipt } of kkt.documents.slice(
            kkt.documents.findLastIndex((one) => one.kind === 'openShift') + 1,
          ))
            if (own === kind)
              for (const { type, sum } of receipt.payments ?? [])
                of[type] = Math.round(((of[type] ?? 0) + sum) * 100) / 100
          return { payments: of }
        }
        return ready({
          shiftTotals: { shiftNumber: shifts, receipts: { sell: sums('sell'), sellReturn: sums('sellReturn') } },
        })
      }
      case 'getFnDocument': {
        const one = kkt.documents[Number(task.fiscalDocumentNumber) - 1]
        if (!one) return error(148, 'Документ не найден')
        return ready({
          documentTLV: {
            '1040': one.fd,
            '1077': String(2_000_000_000 + one.fd),
            '1038': shifts,
            ...(one.key && { '1192': one.key }),
          },
        })
      }
      default:
    }
    if (mood === 'noPaper') return error(44, 'Нет бумаги')
    if (mood === 'driveOver') return error(235, 'Исчерпан ресурс хранения ФН')
    if (mood === 'cover') return error(45, 'Открыта крышка')
    if (task.type === 'openShift') {
      if (kkt.shift !== null) return error(82, 'Операция невозможна при открытой смене')
      kkt.shift = ++shifts
      kkt.shiftOpened = Date.now()
      return document(task, true)
    }
    if (kkt.shift === null) return error(73, 'Операция невозможна при закрытой смене')
    if (task.type === 'closeShift') {
      kkt.shift = null
      return document(task, true)
    }
    if (isLate()) return error(68, 'Смена превысила 24 часа')
    if (!receipts.includes(task.type)) return error(195, 'Неизвестное задание')
    const paid = (task.payments as { sum: number }[]).reduce((all, { sum }) => all + Math.round(sum * 100), 0)
    const items = (task.items as { amount: number }[]).reduce((all, { amount }) => all + Math.round(amount * 100), 0)
    if (paid !== items) return error(112, 'Сумма оплат не равна сумме чека')
    return document(task, mood !== 'tornPaper')
  }

  const server = await simulator<KktMood>({
    port,
    page: {
      title: 'Касса АТОЛ',
      moods: ['works', ...lasting, ...once],
      actions: () => [['late', 'смена длиннее суток', () => (kkt.shiftOpened = Date.now() - DAY_MS - 1)]],
      state: () => `Смена: ${kkt.shift ?? 'закрыта'}`,
      lines: () =>
        kkt.documents.map(
          ({ fd, kind, task, isPrinted }) =>
            `ФД ${fd} · ${kind} · ${task.total ?? ''}${isPrinted ? '' : ' · не на ленте'}\n${JSON.stringify(task, null, 1)}`,
        ),
    },
    routes: driven,
  })
  function driven(request: IncomingMessage, reply: ServerResponse, sent: string, url: URL): unknown {
    const say = (status: number, body: object) =>
      reply.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
    if (!url.pathname.startsWith('/api/v2/requests')) return say(404, {})
    kkt.asked++
    if (kkt.mood === 'broken') return say(500, { error: { code: 500, description: 'Внутренняя ошибка' } })
    if (kkt.mood === 'nonsense') return void reply.writeHead(200).end('<html>404</html>')
    if (request.method === 'GET') {
      const found = tasks.get(url.pathname.split('/').at(-1) ?? '')
      if (!found) return say(404, { error: { code: 1, description: 'Задание не найдено' } })
      const isReady = Date.now() >= found.readyAt
      return say(200, {
        results: found.results.map((one) =>
          isReady ? one : { status: 'inProgress', errorCode: 0, errorDescription: '', result: null },
        ),
      })
    }
    const { uuid, request: asked } = JSON.parse(sent) as {
      uuid: string
      request: Record<string, any>[]
    }
    const isDocument = asked.some(({ type }) => !String(type).startsWith('get'))
    const mood = kkt.mood
    const happensNow = isDocument && (once as readonly string[]).includes(mood)
    if (happensNow) kkt.mood = 'works'
    if (tasks.has(uuid)) return say(409, { error: { code: 409, description: 'Задание с таким uuid уже есть' } })
    if (happensNow && mood === 'silentBefore') return
    const results: Result[] = []
    for (const task of asked)
      results.push(
        results.some(({ status }) => status === 'error')
          ? { status: 'error', errorCode: 0, errorDescription: 'Прервано', result: null }
          : carryOut(task, mood),
      )
    tasks.set(uuid, { results, readyAt: Date.now() + (isDocument ? kkt.printMs : 0) + (mood === 'slow' ? 3_000 : 0) })
    if (happensNow && mood === 'silentAfter') return
    if (happensNow && mood === 'lost') return void request.socket.destroy()
    return say(201, { uuid })
  }
  const kkt: KktSimulator = Object.assign(server, {
    documents: [],
    shift: null,
    shiftOpened: 0,
    asked: 0,
    printMs: 0,
    forget: () => tasks.clear(),
  } satisfies Partial<KktSimulator>)
  return kkt
}

/** `npm run simulate kkt` uses the port of the real driver. */
const PORT = 16732
if (import.meta.main) console.log(`Касса АТОЛ играется здесь: ${(await startKktSimulator(PORT)).url}`)
