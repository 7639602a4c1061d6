/** A desk at ЮKassa: receipts that the shop prints, and refunds of payments by links. */

import type { Receipt } from '@ordinator/model/areas/money/rules'
import { RemoteFault } from '#platform/remote.ts'
import {
  DeviceError,
  type Kkt,
  type PrintedDocument,
  type PrintTask,
  type Terminal,
  type TerminalAnswer,
  type TerminalOperation,
} from './devices.ts'
import {
  AnswerFault,
  contentOf,
  type RemoteReceipt,
  type RemoteRefund,
  settlementOf,
  type Yookassa,
  yookassaReceipt,
} from './yookassa.ts'

/** Milliseconds to wait for a receipt, and between queries; later it is asked for again under the same key. */
const RECEIPT_MS = 10_000
const POLL_MS = 500

/**
 * Receipts of settlement, which ЮKassa does not issue by itself. The return of a settlement without a refund does not
 * exist there: a person settles it.
 * @param paidBy the number of a payment at ЮKassa, undefined if it took another way; and of its receipts those known here
 */
export function yookassaKkt(
  shop: Yookassa,
  paidBy: (idPayment: number) => Promise<{ id: string | undefined; printed: readonly number[] }>,
): Kkt {
  async function asked({ kind, receipt, idPayment, day }: PrintTask) {
    const { id, printed = [] } = idPayment === null ? {} : await paidBy(idPayment)
    if (kind !== 'sell' || !receipt || !id) throw new DeviceError(NOT_BY_SHOP, { isCertain: true })
    return { idRemote: id, printed, total: receipt.total, body: yookassaReceipt(receipt, day) }
  }

  /** Waits until an accepted receipt is registered. */
  async function registered(key: string, accepted: RemoteReceipt): Promise<PrintedDocument> {
    let made = accepted
    const until = Date.now() + RECEIPT_MS
    while (made.status === 'pending' && Date.now() < until) {
      await new Promise((next) => setTimeout(next, POLL_MS))
      // It is accepted: after any later error it may still be registered.
      made = await shop.receipt(made.id).catch(leaveUnknown)
    }
    if (made.status === 'canceled')
      throw new DeviceError('ЮKassa не зарегистрировала чек зачёта: проверьте кассу в её кабинете', {
        isCertain: true,
        isRefused: true,
      })
    if (made.status === 'pending' || !made.fd)
      throw new DeviceError('ЮKassa ещё регистрирует чек', { isCertain: false })
    return { fd: made.fd, fpd: made.fpd ?? '', key, ...(made.fn && { fn: made.fn }) }
  }

  async function print(task: PrintTask): Promise<PrintedDocument> {
    const { idRemote, total, body } = await asked(task)
    try {
      return await registered(task.key, await shop.settle(task.request, idRemote, body, total))
    } catch (error) {
      if (error instanceof AnswerFault)
        throw new DeviceError(error.message, { isCertain: true, isRefused: !error.isOfKey })
      if (error instanceof RemoteFault)
        throw new DeviceError(`ЮKassa: ${error.message}`, { isCertain: !error.mayHaveArrived })
      throw error
    }
  }
  return {
    state: async () => ({ fn: '', lastFd: 0, isShiftOpen: true, isShiftLate: false }),
    print,
    /** Receipts carry no name of ours: one of the payment with this content that no other document has is ours. */
    async document(task) {
      const { idRemote, total, body, printed } = await asked(task)
      const content = contentOf(settlementOf(body, total))
      const found = (await shop.receipts(idRemote).catch(leaveUnknown)).filter(
        (one) => one.content === content && one.status !== 'canceled' && !(one.fd && printed.includes(one.fd)),
      )
      const own = found.find(({ status }) => status === 'succeeded') ?? found[0]
      return own && registered(task.key, own)
    },
  }
}

/** An answer to a query does not decide about what was sent before. */
function leaveUnknown(error: unknown): never {
  if (error instanceof AnswerFault) throw new DeviceError(error.message, { isCertain: false })
  if (error instanceof RemoteFault) throw new DeviceError(`ЮKassa: ${error.message}`, { isCertain: false })
  throw error
}

const NO_PAYMENT = 'Неизвестно, каким платежом ЮKassa платили: верните в её кабинете'
export const NOT_BY_SHOP = 'ЮKassa такой чек не пробьёт: пробейте его на кассе клиники и снимите отсюда'

/**
 * Refunds money at a desk of links; it takes no payments. A refund of unknown outcome is looked for among
 * those of its payment, and only one that is not there is sent again.
 * @param knownOf ids of the refunds of a payment that are posted here
 * @param receiptFor the receipt of a refund of so many kopecks, by the number of its payment, and the settlement that
 * it reverses
 */
export function yookassaTerminal(
  shop: Yookassa,
  receiptFor: (idPayment: string, kopecks: number, settled?: Receipt) => Promise<object | undefined>,
  knownOf: (idPayment: string) => Promise<readonly string[]>,
): Terminal {
  function answerOf({ id, status, sum, reason }: RemoteRefund, kopecks: number): TerminalAnswer {
    if (status === 'succeeded' && sum === kopecks) return { isApproved: true, rrn: id }
    if (status === 'canceled') return { isApproved: false, message: reason ?? 'ЮKassa отклонила возврат' }
    throw new DeviceError('ЮKassa ещё не вернула деньги: спросим её снова', { isCertain: false })
  }

  async function giveBack(
    operation: string,
    kopecks: number,
    rrn: string | undefined,
    settled: Receipt | undefined,
  ): Promise<TerminalAnswer> {
    if (!rrn) throw new DeviceError(NO_PAYMENT, { isCertain: true })
    try {
      return answerOf(await shop.refund(operation, rrn, kopecks, await receiptFor(rrn, kopecks, settled)), kopecks)
    } catch (error) {
      if (error instanceof AnswerFault && !error.isOfKey) return { isApproved: false, message: error.message }
      if (error instanceof AnswerFault) throw new DeviceError(error.message, { isCertain: true })
      if (error instanceof RemoteFault)
        throw new DeviceError(`ЮKassa: ${error.message}`, { isCertain: !error.mayHaveArrived })
      throw error
    }
  }
  async function find(operation: string, { kopecks, rrn, receipt }: TerminalOperation): Promise<TerminalAnswer> {
    if (!rrn) throw new DeviceError(NO_PAYMENT, { isCertain: true })
    const all = await shop.refunds(rrn).catch(leaveUnknown)
    const own = all.find((one) => one.operation === operation)
    if (own) return answerOf(own, kopecks)
    const nameless = all.filter(
      (one) => one.operation === undefined && one.status !== 'canceled' && one.sum === kopecks,
    )
    const known = nameless.length ? await knownOf(rrn) : []
    if (nameless.some(({ id }) => !known.includes(id)))
      throw new DeviceError(
        'В ЮKassa есть возврат на эту же сумму, сделанный не отсюда: сверьте в её кабинете и скажите, чем кончилось',
        { isCertain: false },
      )
    return giveBack(operation, kopecks, rrn, receipt)
  }
  return {
    async pay() {
      return { isApproved: false, message: 'Эта касса принимает деньги по ссылке: создайте ссылку или QR' }
    },
    refund: (operation, kopecks, paid) => giveBack(operation, kopecks, paid?.rrn, paid?.receipt),
    ask: async (operation, of) => (of?.kind === 'refund' ? find(operation, of) : undefined),
    async total() {
      throw new DeviceError('ЮKassa итогов смены не говорит', { isCertain: true })
    },
  }
}
