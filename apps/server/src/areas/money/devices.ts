/** What the cash desk asks of the world outside: a register (KKT) and a bank's terminal. */
import type { KktMode, TerminalMode } from '@ordinator/model/areas/money/desk'
import type { FiscalKind } from '@ordinator/model/areas/money/fiscal'
import type { Receipt, Totals } from '@ordinator/model/areas/money/rules'

/** What of a desk says which devices it has: columns of `cash_desks`. */
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
/** A device refused, and nothing was done; or it gave no answer, and nobody knows. */
export class DeviceError extends Error {
  readonly isCertain: boolean
  /** It is the register's shift that has to be opened or closed first. */
  readonly isOfShift: boolean
  constructor(message: string, { isCertain, isOfShift = false }: { isCertain: boolean; isOfShift?: boolean }) {
    super(message)
    this.isCertain = isCertain
    this.isOfShift = isOfShift
  }
}

export interface PrintedDocument {
  fd: number
  fpd: string
  /** The fiscal drive, where it is known only from the document. */
  fn?: string
  /** Tag 1192, as we have sent it. */
  key: string
  /** Of a Z report. */
  zNumber?: number
  totals?: Totals
}

/** A document that is to be printed. */
export interface PrintTask {
  key: string
  /** Of this try alone: a register that knows numbers of ours is asked by it what became of the try. */
  request: string
  kind: FiscalKind
  receipt: Receipt | null
  /** The number that it must get. */
  expectedFd: number | null
  /** Tags 1021 and 1203. */
  operator: { name: string; inn: string | null } | null
  /** Of the settlement, by the clock of the branch. */
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
  /** @throws DeviceError */
  state(): Promise<KktState>
  /** What will soon stop it, in words with what to do; absent: it tells nothing of the kind. @throws DeviceError */
  signs?(): Promise<readonly string[]>
  /** @throws DeviceError */
  print(task: PrintTask): Promise<PrintedDocument>
  /** What has become of one that was sent: what stands under its number; undefined: it was not printed. @throws DeviceError */
  document(task: PrintTask): Promise<PrintedDocument | undefined>
}

export interface TerminalAnswer {
  isApproved: boolean
  rrn?: string
  authCode?: string
  card?: string
  message?: string
}

/** An operation of a terminal, as it was asked for. */
export interface TerminalOperation {
  kind: 'payment' | 'refund'
  kopecks: number
  /** Of a refund: what the payment was called by the bank. */
  rrn: string | undefined
}

export interface Terminal {
  /** It stands apart: a person carries an operation out, and says what came of it. */
  isManual?: true
  /** @throws DeviceError */
  pay(operation: string, kopecks: number): Promise<TerminalAnswer>
  /** @throws DeviceError */
  refund(operation: string, kopecks: number, paid?: { rrn: string | undefined }): Promise<TerminalAnswer>
  /**
   * What has become of an operation; undefined: it never came, and will not be carried out any more.
   * @throws DeviceError
   */
  ask(operation: string, of?: TerminalOperation): Promise<TerminalAnswer | undefined>
  /** Kopecks taken less those given back since a moment. */
  total(since: string): Promise<number>
}
