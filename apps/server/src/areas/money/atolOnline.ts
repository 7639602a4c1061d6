/**
 * АТОЛ Онлайн, version 5 (ФФД 1.2): a cloud register. A receipt carries our own id (`external_id`), under which it is
 * accepted once: on a repeat the service returns the existing receipt. It manages its shifts itself.
 */
import { taxationNames, vatName, vatShare } from '@ordinator/model/areas/money/receiptNames'
import { type Receipt, rubles } from '@ordinator/model/areas/money/rules'
import { type Remote, RemoteFault, type RemoteRequest } from '#platform/remote.ts'
import { SignInRefused, session } from '#platform/session.ts'
import { byRepeat, DeviceError, type Kkt, type PrintedDocument, type PrintTask } from './devices.ts'

export interface OnlineDesk {
  group: string
  login: string
  password: string
  email: string
  address: string
  inn: string
  taxSystem: keyof typeof taxationNames | null
}

const words = {
  sell: 'sell',
  sellReturn: 'sell_refund',
  sellCorrection: 'sell_correction',
  sellReturnCorrection: 'sell_refund_correction',
} as const
/** Tag 1214 by the service's names. */
const settlements = {
  fullPrepayment: 'full_prepayment',
  prepayment: 'prepayment',
  advance: 'advance',
  fullPayment: 'full_payment',
  partialPayment: 'partial_payment',
  credit: 'credit',
  creditPayment: 'credit_payment',
} as const
/** The service's numbers of the means of payment: tags 1031, 1081, 1215, 1216. */
const means = { cash: 0, electronically: 1, prepaid: 2, credit: 3 } as const
const TOKEN_S = 20 * 3600
/** Milliseconds to wait for a receipt in one call; later it is polled again. */
const WAIT_MS = 15_000
const POLL_MS = [100, 200, 400, 800, 1_500]
/** The token is missing, unknown or has expired. */
const TOKEN_CODES: ReadonlySet<number> = new Set([10, 11])
function isForgotten(bytes: Uint8Array): boolean {
  try {
    return TOKEN_CODES.has(parsed(bytes).error?.code ?? 0)
  } catch {
    return false
  }
}
/** A receipt with this id exists already. */
const EXISTS = 33

/** Refusals of the cloud register with an instruction. Others are shown as the service words them. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    /ресурс|накопител[^.]*(исчерпан|законч|заполнен|истек|истёк)|исчерпан[^.]*ФН/i,
    'Фискальный накопитель облачной кассы закончился: закажите замену в кабинете АТОЛ Онлайн',
  ],
  [
    /ОФД/i,
    'Облачная касса не отправляет чеки в ОФД: проверьте договор с ОФД в кабинете АТОЛ Онлайн, иначе она перестанет пробивать чеки',
  ],
  [/смен[^.]*24/i, 'Смена облачной кассы длится больше 24 часов: касса закроет её сама, чек повторится'],
  [/бумаг/i, 'В облачной кассе нет бумаги: сообщите в поддержку АТОЛ Онлайн'],
]
const advised = (text: string | undefined): string | undefined => advice.find(([words]) => words.test(text ?? ''))?.[1]

interface AtolAnswer {
  token?: string
  uuid?: string
  status?: 'wait' | 'done' | 'fail'
  error?: { code?: number; text?: string; type?: string } | null
  payload?: {
    fiscal_document_number?: number
    fiscal_document_attribute?: number
    fn_number?: string
    shift_number?: number
  } | null
}

/** The body of a receipt. Sums are in rubles. */
export function onlineReceipt(task: PrintTask, desk: OnlineDesk, at: Date): object {
  const { items, payments, total, contact, correction } = task.receipt as Receipt
  // The service takes no receipt without an address: that of a patient who has named none stays with the clinic.
  const client = contact && !contact.includes('@') ? { phone: contact } : { email: contact || desk.email }
  const vat = new Map<string, number>()
  const lines = items.map(({ name, price, quantity, amount, settlement, subject, tax, day = task.day }) => {
    const type = vatName(tax, settlement, day)
    const share = vatShare(type)
    const of = share ? Math.round((amount * share[0]) / share[1]) : 0
    vat.set(type, (vat.get(type) ?? 0) + of)
    return {
      name: name.slice(0, 128),
      price: rubles(price),
      quantity,
      measure: 0,
      sum: rubles(amount),
      payment_method: settlements[settlement],
      payment_object: subject,
      vat: { type, sum: rubles(of) },
    }
  })
  const body = {
    ...(correction ? {} : { client }),
    company: {
      email: desk.email,
      ...(desk.taxSystem && { sno: taxationNames[desk.taxSystem].online }),
      inn: desk.inn,
      payment_address: desk.address,
    },
    items: lines,
    payments: payments.map(({ type, sum }) => ({ type: means[type], sum: rubles(sum) })),
    vats: [...vat].map(([type, sum]) => ({ type, sum: rubles(sum) })),
    total: rubles(total),
    ...(task.operator && {
      cashier: task.operator.name.slice(0, 64),
      ...(task.operator.inn && { cashier_inn: task.operator.inn }),
    }),
    ...(correction && {
      correction_info: {
        type: correction.type,
        base_date: correction.date.split('-').toReversed().join('.'),
        base_number: correction.number,
      },
    }),
  }
  return {
    external_id: task.request,
    timestamp: timestampOf(at),
    ...(correction ? { correction: body } : { receipt: body }),
  }
}

/** `dd.mm.yyyy HH:MM:SS` in Moscow time. */
const timestampOf = (at: Date): string =>
  new Intl.DateTimeFormat('ru-RU', { timeZone: 'Europe/Moscow', dateStyle: 'short', timeStyle: 'medium' })
    .format(at)
    .replace(
      /^(\d\d\.\d\d\.)(\d\d|\d{4}),? /,
      (_all, day: string, year: string) => `${day}${year.length === 2 ? `20${year}` : year} `,
    )

const parsed = (bytes: Uint8Array): AtolAnswer => JSON.parse(Buffer.from(bytes).toString('utf8') || '{}') as AtolAnswer

/** @param service its address: desks of one login share their sign-in, so that none takes the token of another */
export function atolOnlineKkt(remote: Pick<Remote, 'quietly'>, desk: OnlineDesk, service: string): Kkt {
  const signed = session(remote, {
    key: [service, desk.login, desk.password],
    headers: (token) => ({ Token: token }),
    isStranger: ({ bytes }) => isForgotten(bytes),
    taken: 'логином кассы, видимо, пользуется ещё одна система: вход не принят. Чек повторится сам',
    async signIn() {
      const { bytes, status } = await remote.quietly({
        ...requestOf('POST', '/getToken', { login: desk.login, pass: desk.password }),
        isSignIn: true,
      })
      const answer = read(bytes, status)
      if (answer.token) return { token: answer.token, seconds: TOKEN_S }
      throw new SignInRefused(answer.error?.text ?? 'проверьте логин и пароль в настройках кассы')
    },
  })

  const requestOf = (method: 'GET' | 'POST', path: string, body?: object): RemoteRequest => ({
    method,
    path,
    ...(body && {
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
    }),
  })

  /** The answer of the service. A refused sign-in may come without a readable body. @throws SyntaxError */
  function read(bytes: Uint8Array, status: number): AtolAnswer {
    try {
      return parsed(bytes)
    } catch (error) {
      if (status === 401) return {}
      throw error
    }
  }

  /** @throws DeviceError */
  async function withDeviceErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof RemoteFault) {
        const head = error instanceof SignInRefused ? 'АТОЛ Онлайн не пустил' : 'АТОЛ Онлайн'
        throw new DeviceError(`${head}: ${error.message}`, { isCertain: !error.mayHaveArrived })
      }
      if (error instanceof SyntaxError) throw new DeviceError('АТОЛ Онлайн ответил непонятно', { isCertain: false })
      throw error
    }
  }

  const ask = (method: 'GET' | 'POST', path: string, body?: object): Promise<AtolAnswer> =>
    withDeviceErrors(async () => parsed((await signed.quietly(requestOf(method, path, body))).bytes))

  async function print(task: PrintTask): Promise<PrintedDocument> {
    if (task.kind === 'openShift' || task.kind === 'closeShift')
      throw new DeviceError('Смены облачной кассы открываются и закрываются сами', { isCertain: true })
    const made = await ask('POST', `/${desk.group}/${words[task.kind]}`, onlineReceipt(task, desk, new Date()))
    if (made.error && made.error.code !== EXISTS)
      throw new DeviceError(`АТОЛ Онлайн: ${made.error.text ?? 'отказ'}`.slice(0, 300), { isCertain: true })
    if (!made.uuid) throw new DeviceError('АТОЛ Онлайн не назвал номер чека', { isCertain: false })
    const until = Date.now() + WAIT_MS
    for (let turn = 0; ; turn++) {
      const report = await ask('GET', `/${desk.group}/report/${made.uuid}`).catch((error) => {
        // The receipt was accepted: after any later error it may still be printed.
        throw error instanceof DeviceError ? new DeviceError(error.message, { isCertain: false }) : error
      })
      if (report.status === 'done') {
        const { fiscal_document_number: fd, fiscal_document_attribute: fpd, fn_number: fn } = report.payload ?? {}
        if (!fd) throw new DeviceError('АТОЛ Онлайн не назвал номер документа', { isCertain: false })
        return { fd, fpd: String(fpd ?? ''), key: task.key, ...(fn && { fn: String(fn) }) }
      }
      if (report.status === 'fail')
        throw new DeviceError(
          advised(report.error?.text) ?? `АТОЛ Онлайн: ${report.error?.text ?? 'чек не пробит'}`.slice(0, 300),
          { isCertain: true, isRefused: true },
        )
      if (Date.now() > until) throw new DeviceError('АТОЛ Онлайн ещё готовит чек', { isCertain: false })
      await new Promise((next) => setTimeout(next, POLL_MS[Math.min(turn, POLL_MS.length - 1)]))
    }
  }

  return {
    signIn: () => withDeviceErrors(() => signed.renew()),
    async state() {
      await withDeviceErrors(() => signed.ready())
      return { fn: '', lastFd: 0, isShiftOpen: true, isShiftLate: false }
    },
    print,
    document: byRepeat(print),
  }
}
