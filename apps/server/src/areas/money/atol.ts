/**
 * АТОЛ's driver (version 10) by its web server. A task in JSON is posted under our own id and queried by it.
 * The driver refuses a repeated id, so after a lost reply the task is queried and never posted again.
 * Names that differ in other versions of the driver are in `words` and `trouble`.
 */
import { createHash, randomUUID } from 'node:crypto'
import { MAX_ATTRIBUTE, subjectNames, taxationNames, vatName } from '@ordinator/model/areas/money/receiptNames'
import { noTotals, type Receipt, rubles } from '@ordinator/model/areas/money/rules'
import { DeviceError, type Kkt, type PrintedDocument, type PrintTask } from './devices.ts'

/**
 * Sends a request to the driver: POST with a body, else GET. Repeats the GET of `poll` while its response contains one
 * of `pending`.
 */
export type DriverWire = (request: {
  body?: string
  path: string
  poll?: { path: string; pending: readonly string[] }
}) => Promise<{ status: number; text: string }>

/** The organization data that receipts need. */
export interface DeskOfReceipts {
  taxSystem: keyof typeof taxationNames | null
}

const words = {
  requests: '/api/v2/requests',
  pending: ['"wait"', '"inProgress"'],
  /** Kinds of documents by the driver's names. */
  kinds: {
    openShift: 'openShift',
    closeShift: 'closeShift',
    sell: 'sell',
    sellReturn: 'sellReturn',
    sellCorrection: 'sellCorrection',
    sellReturnCorrection: 'sellReturnCorrection',
  },
  totals: 'getShiftTotals',
  signs: ['getFnInfo', 'getFnStatus', 'getShiftStatus', 'getDeviceStatus', 'ofdExchangeStatus'],
} as const

/** Statuses of the driver: an id that it has already received; an id that it does not know. */
const [REPEATED, NOT_FOUND] = [409, 404]

/** Driver errors with an instruction for the cashier. Other errors are shown as the driver words them. */
const trouble: Readonly<Record<number, { say: string; isOfShift?: true }>> = {
  2: { say: 'Драйвер не видит кассу: проверьте, включена ли она и подключён ли кабель' },
  3: { say: 'Касса занята другой программой: закройте её' },
  4: { say: 'Порт кассы недоступен: переподключите кабель и перезапустите драйвер' },
  44: { say: 'Нет бумаги: вставьте ленту и повторите' },
  45: { say: 'Открыта крышка кассы: закройте её и повторите' },
  68: { say: 'Смена длится больше 24 часов: закройте её и откройте новую', isOfShift: true },
  73: { say: 'Смена на кассе закрыта: откройте её', isOfShift: true },
  235: { say: 'Ресурс фискального накопителя исчерпан: замените его, без этого чеки не пробить' },
  82: { say: 'Смена на кассе уже открыта', isOfShift: true },
}

interface DriverResult {
  status?: string
  errorCode?: number
  errorDescription?: string
  result?: Record<string, unknown>
}

/** Tag 1192: the document's key as stored in the register; hashed when longer than the field. */
export const attributeOf = (key: string): string =>
  key.length <= MAX_ATTRIBUTE ? key : createHash('sha256').update(key).digest('hex').slice(0, MAX_ATTRIBUTE)

const say = (code: number | undefined, description: string | undefined): string =>
  (trouble[code ?? -1]?.say ?? (description || 'Касса отказала')).slice(0, 300)

/**
 * @param wire to the driver's web server: through the agent of the desk, or direct
 * @param whose returns the data of the desk's organization
 */
export function atolKkt(wire: DriverWire, whose: () => Promise<DeskOfReceipts>): Kkt {
  /** Posts tasks under an id and waits until all are finished. */
  async function run(uuid: string, tasks: readonly object[]): Promise<DriverResult[]> {
    const poll = { path: `${words.requests}/${uuid}`, pending: words.pending }
    const answer = await wire({ path: words.requests, body: JSON.stringify({ uuid, request: tasks }), poll })
    // A repeat of an id that arrived before: its results are those of the first.
    if (answer.status === REPEATED) return resultsOf(await wire({ path: poll.path, poll }))
    return resultsOf(answer)
  }

  const ask = async (...tasks: string[]): Promise<Record<string, unknown>[]> => {
    const results = await run(
      randomUUID(),
      tasks.map((type) => ({ type })),
    )
    return results.map((one) => {
      if (one.status !== 'ready') throw new DeviceError(say(one.errorCode, one.errorDescription), { isCertain: true })
      return one.result ?? {}
    })
  }

  const lastNumber = async (): Promise<{ fn: string; lastFd: number }> => {
    const [info, status] = await ask('getFnInfo', 'getFnStatus')
    const fn = (info?.fnInfo as { serial?: unknown } | undefined)?.serial
    const fd = (status?.fnStatus as { fiscalDocumentNumber?: unknown } | undefined)?.fiscalDocumentNumber
    if (typeof fn !== 'string' || typeof fd !== 'number')
      throw new DeviceError('Касса ответила непонятно: проверьте версию драйвера', { isCertain: true })
    return { fn, lastFd: fd }
  }

  /**
   * The document that the drive holds under a number that it has given out.
   * @throws DeviceError if it cannot be read: whether it is ours is unknown
   */
  async function kept(fd: number, { key, kind }: Pick<PrintTask, 'key' | 'kind'>): Promise<PrintedDocument> {
    const [one] = await run(randomUUID(), [{ type: 'getFnDocument', fiscalDocumentNumber: fd, withRawData: false }])
    if (one?.status !== 'ready')
      throw new DeviceError(`Документ № ${fd} закрыт в кассе, но его не прочесть: проверьте ленту`, {
        isCertain: false,
      })
    const tags = (one.result?.documentTLV ?? {}) as Record<string, unknown>
    const isOurs = kind === 'openShift' || kind === 'closeShift' ? true : tags['1192'] === attributeOf(key)
    return {
      fd,
      fpd: String(tags['1077'] ?? ''),
      key: isOurs ? key : `ФД ${fd}`,
      ...(kind === 'closeShift' && { zNumber: Number(tags['1038'] ?? 0) }),
    }
  }

  function printedBy(task: PrintTask, result: DriverResult, totals?: PrintedDocument['totals']): PrintedDocument {
    const params = (result.result?.fiscalParams ?? {}) as Record<string, unknown>
    const fd = Number(params.fiscalDocumentNumber)
    if (!Number.isSafeInteger(fd) || fd <= 0)
      throw new DeviceError('Касса не назвала номер документа', { isCertain: false })
    return {
      fd,
      fpd: String(params.fiscalDocumentSign ?? ''),
      key: task.key,
      ...(task.kind === 'closeShift' && { zNumber: Number(params.shiftNumber ?? 0), ...(totals && { totals }) }),
    }
  }

  /**
   * Handles an error at a document: the drive may have closed it anyway, for example when the paper ends at its last
   * line.
   */
  async function afterError(task: PrintTask, result: DriverResult): Promise<PrintedDocument> {
    const { lastFd } = await lastNumber().catch(() => ({ lastFd: undefined }))
    if (lastFd === undefined)
      throw new DeviceError(say(result.errorCode, result.errorDescription), { isCertain: false })
    if (task.expectedFd !== null && lastFd >= task.expectedFd)
      return kept(task.expectedFd, task).catch((error) => {
        throw error instanceof DeviceError ? new DeviceError(error.message, { isCertain: false }) : error
      })
    throw new DeviceError(say(result.errorCode, result.errorDescription), {
      isCertain: true,
      isRefused: true,
      isOfShift: trouble[result.errorCode ?? -1]?.isOfShift ?? false,
    })
  }

  const judged = async (
    task: PrintTask,
    [first]: readonly DriverResult[],
    totals?: PrintedDocument['totals'],
  ): Promise<PrintedDocument> => {
    if (first?.status === 'ready') return printedBy(task, first, totals)
    if (!first || words.pending.some((word) => word === `"${first.status}"`))
      throw new DeviceError('Касса ещё печатает', { isCertain: false })
    return afterError(task, first)
  }

  return {
    async state() {
      const [info, status, shift] = await ask('getFnInfo', 'getFnStatus', 'getShiftStatus')
      const fn = (info?.fnInfo as { serial?: unknown } | undefined)?.serial
      const { fiscalDocumentNumber: fd } = (status?.fnStatus ?? {}) as { fiscalDocumentNumber?: unknown }
      const { state } = (shift?.shiftStatus ?? {}) as { state?: string }
      if (typeof fn !== 'string' || typeof fd !== 'number' || !state)
        throw new DeviceError('Касса ответила непонятно: проверьте версию драйвера', { isCertain: true })
      return {
        fn,
        lastFd: fd,
        isShiftOpen: state !== 'closed',
        isShiftLate: state === 'expired',
      }
    },
    async signs() {
      // An older driver returns an error for a task that it does not know; the other tasks still return results.
      const results = await run(
        randomUUID(),
        words.signs.map((type) => ({ type, ignoreError: true })),
      )
      return signsOf(Object.assign({}, ...results.map(({ result }) => result ?? {})), Date.now())
    },
    async print(task) {
      // Read the sums of the shift before closing it: they are the register's own counts.
      const totals = task.kind === 'closeShift' ? totalsOf((await ask(words.totals).catch(orNothing))?.[0]) : undefined
      return judged(task, await run(task.request, tasksOf(task, (await whose()).taxSystem)), totals)
    },
    async document(task) {
      const answer = await wire({
        path: `${words.requests}/${task.request}`,
        poll: { path: `${words.requests}/${task.request}`, pending: words.pending },
      })
      if (answer.status !== NOT_FOUND) return await judged(task, resultsOf(answer)).catch(absentIfRefused)
      // The driver does not know the id. After its memory was cleared, another of our tasks may be under that number.
      if (task.expectedFd === null) return undefined
      const { lastFd } = await lastNumber()
      return lastFd >= task.expectedFd ? kept(task.expectedFd, task) : undefined
    },
  }
}

function orNothing(error: unknown): undefined {
  if (!(error instanceof DeviceError)) throw error
}

/** A task that the register has refused does not exist. */
function absentIfRefused(error: unknown): undefined {
  if (error instanceof DeviceError && error.isRefused) return undefined
  throw error
}

function resultsOf({ status, text }: { status: number; text: string }): DriverResult[] {
  let parsed: { results?: DriverResult[]; error?: { code?: number; description?: string } }
  try {
    parsed = JSON.parse(text || '{}')
  } catch {
    throw new DeviceError('Драйвер кассы ответил непонятно', { isCertain: false })
  }
  if (status >= 500) throw new DeviceError(`Драйвер кассы не работает: ответ ${status}`, { isCertain: false })
  // Rejected before any work began, except a reused id whose results are gone.
  if (status === REPEATED || status === NOT_FOUND)
    throw new DeviceError('Это задание касса уже получила', { isCertain: false })
  if (status >= 400) throw new DeviceError(say(parsed.error?.code, parsed.error?.description), { isCertain: true })
  return Array.isArray(parsed.results) ? parsed.results : []
}

/** Warnings of the fiscal drive. */
const flags: Readonly<Record<string, string>> = {
  criticalError: 'Ошибка фискального накопителя: вызовите сервисный центр, чеки могут не пробиться',
  needReplacement: 'Фискальный накопитель скоро закончится: закажите новый и вызовите сервисный центр',
  resourceExhausted: 'Ресурс фискального накопителя почти исчерпан: замените его в ближайшие дни',
  memoryOverflow: 'Память фискального накопителя почти заполнена: проверьте, уходят ли чеки в ОФД',
  ofdTimeout: 'Чеки не уходят в ОФД: проверьте интернет кассы и договор с ОФД, иначе она перестанет работать',
}
const DAY_MS = 86_400_000
/** Number of days before the end of a drive from which its replacement is requested. */
const DRIVE_DAYS = 30
/** Number of days that receipts may stay unsent to the ОФД; after 30 the drive blocks the register (54-ФЗ, ст. 4.1). */
const OFD_DAYS = 3
const OFD_BLOCK_DAYS = 30

interface KktStatus {
  fnInfo?: { validityDate?: unknown }
  fnStatus?: { warnings?: Record<string, unknown> }
  shiftStatus?: { state?: unknown }
  deviceStatus?: { paperPresent?: unknown; coverOpened?: unknown; blocked?: unknown }
  /** State of the exchange with the ОФД. */
  status?: { notSentCount?: unknown; notSentFirstDocDateTime?: unknown }
}

/**
 * Warnings about what will soon stop the register, each with an instruction.
 * @param now milliseconds of the epoch
 */
export function signsOf({ fnInfo, fnStatus, shiftStatus, deviceStatus, status }: KktStatus, now: number): string[] {
  const warnings = Object.entries(flags).flatMap(([name, words]) =>
    fnStatus?.warnings?.[name] === true ? [words] : [],
  )
  const end = Date.parse(String(fnInfo?.validityDate ?? ''))
  if (end < now) warnings.unshift('Срок фискального накопителя истёк: чеки пробивать нельзя, замените его')
  else if (end - now < DRIVE_DAYS * DAY_MS && fnStatus?.warnings?.needReplacement !== true)
    warnings.unshift(
      `Срок фискального накопителя кончается через ${Math.ceil((end - now) / DAY_MS)} дн.: закажите новый и вызовите сервисный центр`,
    )
  if (deviceStatus?.paperPresent === false) warnings.push('Нет бумаги: вставьте ленту')
  if (deviceStatus?.coverOpened === true) warnings.push('Открыта крышка кассы: закройте её')
  if (deviceStatus?.blocked === true) warnings.push('Касса заблокирована: вызовите сервисный центр')
  if (shiftStatus?.state === 'expired') warnings.push('Смена длится больше 24 часов: закройте её и откройте новую')
  const unsent = Number(status?.notSentCount ?? 0)
  const since = Date.parse(String(status?.notSentFirstDocDateTime ?? ''))
  if (unsent > 0 && now - since > OFD_DAYS * DAY_MS) {
    const left = Math.max(0, OFD_BLOCK_DAYS - Math.floor((now - since) / DAY_MS))
    warnings.push(
      `В ОФД не ушло документов: ${unsent}. Проверьте интернет кассы: через ${left} дн. она перестанет пробивать чеки`,
    )
  }
  return warnings
}

function totalsOf(status: unknown) {
  const totals = noTotals()
  const read = (
    status as { shiftTotals?: { receipts?: Record<string, { payments?: Record<string, unknown> }> } } | undefined
  )?.shiftTotals?.receipts
  if (!read) return undefined
  for (const kind of ['sell', 'sellReturn'] as const)
    for (const means of ['cash', 'electronically'] as const)
      totals[kind][means] = Math.round(Number(read[kind]?.payments?.[means] ?? 0) * 100)
  return totals
}

/** The driver tasks of a document. Sums are in rubles. */
export function tasksOf(
  { key, kind, receipt, operator, day }: PrintTask,
  taxSystem: DeskOfReceipts['taxSystem'],
): object[] {
  const who = operator ? { operator: { name: operator.name, ...(operator.inn && { vatin: operator.inn }) } } : {}
  if (kind === 'openShift') return [{ type: words.kinds.openShift, ...who }]
  if (kind === 'closeShift') return [{ type: words.kinds.closeShift, ...who }]
  const { items, payments, total, contact, correction } = receipt as Receipt
  return [
    {
      type: words.kinds[kind],
      ...(taxSystem && { taxationType: taxationNames[taxSystem].driver }),
      ...who,
      ...(contact && { clientInfo: { emailOrPhone: contact } }),
      additionalAttribute: attributeOf(key),
      ...(correction && {
        correctionType: correction.type,
        correctionBaseDate: correction.date.replaceAll('-', '.'),
        correctionBaseNumber: correction.number,
        correctionBaseName: correction.reason,
      }),
      items: items.map(({ name, price, quantity, amount, settlement, subject, tax, day: sold }) => ({
        type: 'position',
        name: name.slice(0, 128),
        price: rubles(price),
        quantity,
        amount: rubles(amount),
        measurementUnit: 'piece',
        paymentMethod: settlement,
        paymentObject: subjectNames[subject] ?? 'service',
        tax: { type: vatName(tax, settlement, sold ?? day) },
      })),
      payments: payments.map(({ type, sum }) => ({ type, sum: rubles(sum) })),
      total: rubles(total),
    },
  ]
}
