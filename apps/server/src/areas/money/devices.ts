/** Interfaces of the outside devices of a cash desk: a register (KKT) and a bank's terminal. */
import type { KktMode, TerminalMode } from '@ordinator/model/areas/money/desk'
import type { FiscalKind } from '@ordinator/model/areas/money/fiscal'
import type { Receipt, Totals } from '@ordinator/model/areas/money/rules'

/** Columns of `cash_desks` that describe the devices of a desk. */
export interface DeskDevices {
  id: number
  idOrganization: number
  idFilial: number
  kktMode: KktMode
  kktAddress: string | null
  idAgent: number | null
  onlineGroup: string | null
  onlineLogin: string | null
  onlineEmail: string | null
  onlineAddress: string | null
  terminalMode: TerminalMode
  terminalProgram: string | null
  terminalPay: string | null
  terminalRefund: string | null
  terminalFiles: string | null
  terminalEncoding: string
  terminalApproved: string | null
  terminalDeclined: string | null
  terminalRrn: string | null
  payShop: string | null
}
/** A device error: certain if this call did nothing, else the outcome is unknown. */
export class DeviceError extends Error {
  readonly isCertain: boolean
  /**
   * The device itself has refused the request and will never carry it out. A certain error without it means nothing for
   * an earlier attempt under the same request: it may have arrived.
   */
  readonly isRefused: boolean
  /** The register's shift must be opened or closed first. */
  readonly isOfShift: boolean
  constructor(
    message: string,
    {
      isCertain,
      isRefused = false,
      isOfShift = false,
    }: { isCertain: boolean; isRefused?: boolean; isOfShift?: boolean },
  ) {
    super(message)
    this.isCertain = isCertain
    this.isRefused = isRefused
    this.isOfShift = isOfShift
  }
}

export interface PrintedDocument {
  fd: number
  fpd: string
  /** The fiscal drive, where it is known only from the document. */
  fn?: string
  /** Tag 1192, as sent. */
  key: string
  /** For a Z report. */
  zNumber?: number
  totals?: Totals
}

/** A document to print. */
export interface PrintTask {
  key: string
  /** Id of this attempt alone: a register that supports our ids is queried by it. */
  request: string
  kind: FiscalKind
  receipt: Receipt | null
  /** The payment of the receipt; null for a document of the shift. */
  idPayment: number | null
  /** The number that the document must get. */
  expectedFd: number | null
  /** Tags 1021 and 1203. */
  operator: { name: string; inn: string | null } | null
  /** Day of the settlement in the branch's time zone. */
  day: string
}

/** The fiscal drive, the number of its last document, and its shift. */
export interface KktState {
  fn: string
  lastFd: number
  isShiftOpen: boolean
  /** The shift has lasted more than a day: the register only closes it. */
  isShiftLate: boolean
}

export interface Kkt {
  /** Signs in anew, for a person's check; absent: without a sign-in. @throws DeviceError */
  signIn?(): Promise<void>
  /** @throws DeviceError */
  state(): Promise<KktState>
  /**
   * Warnings about what will soon stop the register, each with an instruction; absent if it reports none.
   * @throws DeviceError
   */
  signs?(): Promise<readonly string[]>
  /** @throws DeviceError */
  print(task: PrintTask): Promise<PrintedDocument>
  /**
   * Queries a sent document by its number; undefined only if it is certain that it was not printed.
   * @throws DeviceError if that cannot be found out now
   */
  document(task: PrintTask): Promise<PrintedDocument | undefined>
}

/** `document` of a service that carries no request out twice: a repeat gives the receipt that it has. */
export const byRepeat =
  (print: Kkt['print']): Kkt['document'] =>
  async (task) => {
    try {
      return await print(task)
    } catch (error) {
      if (error instanceof DeviceError && error.isRefused) return undefined
      throw error
    }
  }

export interface TerminalAnswer {
  isApproved: boolean
  rrn?: string
  authCode?: string
  card?: string
  message?: string
}

/** A requested operation of a terminal. */
export interface TerminalOperation {
  kind: 'payment' | 'refund'
  kopecks: number
  /** For a refund: the bank's reference of the payment. */
  rrn: string | undefined
  /** For a refund: its receipt, where the terminal issues it and takes a settlement back. */
  receipt?: Receipt | undefined
}

export interface Terminal {
  /** A standalone terminal: a person carries operations out and enters the outcome. */
  isManual?: true
  /** @throws DeviceError */
  pay(operation: string, kopecks: number): Promise<TerminalAnswer>
  /** @throws DeviceError */
  refund(operation: string, kopecks: number, paid?: Pick<TerminalOperation, 'rrn' | 'receipt'>): Promise<TerminalAnswer>
  /**
   * Queries the outcome of an operation; undefined if it never arrived and will not be carried out any more.
   * @throws DeviceError
   */
  ask(operation: string, of?: TerminalOperation): Promise<TerminalAnswer | undefined>
  /** Kopecks taken less kopecks refunded since a time. */
  total(since: string): Promise<number>
}
