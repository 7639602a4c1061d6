/**
 * The laboratory by its rules, independent of the server: one order of cholesterol, HDL and LDL = CHOL − HDL, numbers
 * in tenths. It foretells what becomes of each message and what may be approved.
 */
export const codes = ['CHOL', 'HDL'] as const
export type Code = (typeof codes)[number]
type Sex = 'male' | 'female'
type State = 'raw' | 'technical' | 'published'

export interface Value {
  /** Tenths; null: no result. */
  tenths: number | null
  preliminary: boolean
  state: State
  /** Number of the message; undefined: by a person. */
  message: number | undefined
}

interface Cell {
  main: Value | undefined
  beside: Value[]
  /** Struck values of messages, which come again only after «измерить заново». */
  struck: { tenths: number | null; message: number; anew: boolean }[]
  /** A value of a device asks about the published one. */
  asked: Value | undefined
  /** Published of a tube that was rejected since: its line has no other tube. */
  bound: boolean
}

export interface Measured {
  code: Code
  /** As the device writes it. */
  text: string
  tenths: number | null
  /** */
  status: 'F' | 'P' | 'C' | 'X'
  unit: boolean
  /** 1: a replaced tube. */
  tube: 'now' | 'former'
}

export type Fate = 'line' | 'beside' | 'review' | 'late' | 'same' | `stray:${string}`

export class Reference {
  sex: Sex = 'male'
  /** Under eighteen: boys have a norm of their own. */
  isChild = false
  tube: 'planned' | 'taken' | 'rejected' = 'planned'
  hadFormer = false
  cancelled = false
  readonly cells: Record<Code, Cell> = {
    CHOL: { main: undefined, beside: [], struck: [], asked: undefined, bound: false },
    HDL: { main: undefined, beside: [], struck: [], asked: undefined, bound: false },
  }
  /** Whether what was put aside of a message waits for a person. */
  readonly aside = new Map<number, 'open' | 'done'>()
  /** The unit that the mapping of the device's code expects. */
  readonly units: Record<Code, string>
  /** Upper bound of normal for women, in tenths. */
  readonly norms: { femaleHigh: number }

  constructor(norms: { femaleHigh: number }, units: Record<Code, string>) {
    this.norms = norms
    this.units = units
  }

  get open(): number {
    return [...this.aside.values()].filter((state) => state === 'open').length
  }

  /** @param message number of the bytes: the same number is a repeat */
  device(measured: Measured, message: number): Fate {
    const why = this.#whyAside(measured)
    if (why) {
      if (this.aside.has(message)) return 'same'
      this.aside.set(message, 'open')
      return `stray:${why}`
    }
    if (this.aside.has(message)) this.aside.set(message, 'done')
    const value: Value = { tenths: measured.tenths, preliminary: measured.status === 'P', state: 'raw', message }
    return this.#place(this.cells[measured.code], value, measured.status === 'C')
  }

  /**
   * A person attaches what was put aside to the tube of now, by a number typed.
   * @returns whether that may be
   */
  attach({ code, tenths }: Pick<Measured, 'code' | 'tenths'>, message: number, preliminary: boolean): boolean {
    const cell = this.cells[code]
    if (this.cancelled || this.tube !== 'taken' || cell.bound) return false
    this.aside.set(message, 'done')
    // Attached again on purpose: what came with the same bytes is no reason against it.
    this.#place(cell, { tenths, preliminary, state: 'raw', message }, false, true)
    return true
  }

  #place(cell: Cell, value: Value, isCorrected: boolean, isAttached = false): Fate {
    const { main } = cell
    const { message } = value
    const stands = [main, ...cell.beside, cell.asked].some(
      (one) => one && one.tenths === value.tenths && (value.preliminary || !one.preliminary),
    )
    const came =
      !isAttached && cell.struck.some((one) => one.message === message && one.tenths === value.tenths && !one.anew)
    if (stands || came) return 'same'
    if (!main) {
      cell.main = value
      return 'line'
    }
    if (value.preliminary && !main.preliminary) {
      this.#strike(cell, value)
      return 'late'
    }
    if (main.state === 'published') {
      if (cell.asked) this.#strike(cell, cell.asked)
      cell.asked = value
      return 'review'
    }
    if (main.preliminary || (isCorrected && main.message !== undefined)) {
      this.#strike(cell, main)
      cell.main = value
      return 'line'
    }
    cell.beside.push(value)
    return 'beside'
  }

  #whyAside({ code, text, tenths, status, unit, tube }: Measured): string | undefined {
    if (this.cancelled) return 'cancelled'
    if (tube === 'former') return 'rejected'
    if (this.tube === 'planned') return 'notTaken'
    if (this.tube === 'rejected') return 'rejected'
    if (this.cells[code].bound) return 'wrongTube'
    if (status === 'X') return 'noResult'
    if (text === '') return 'empty'
    if (tenths === null) return 'form'
    return this.units[code] === (unit ? 'mmol/l' : 'mg/dl') ? undefined : 'unit'
  }

  #strike(cell: Cell, { tenths, message }: Value, anew = false): void {
    if (message !== undefined) cell.struck.push({ tenths, message, anew })
  }

  /** @returns whether a person may write it */
  hand(code: Code, tenths: number | null): boolean {
    const cell = this.cells[code]
    if (this.cancelled || this.tube !== 'taken' || cell.main?.state === 'published') return false
    for (const one of [cell.main, ...cell.beside]) if (one) this.#strike(cell, one)
    cell.main = { tenths, preliminary: false, state: 'raw', message: undefined }
    cell.beside = []
    return true
  }

  choose(code: Code, at: number): boolean {
    const cell = this.cells[code]
    const chosen = cell.beside[at]
    if (!chosen || cell.main?.state === 'published') return false
    for (const one of [cell.main, ...cell.beside]) if (one && one !== chosen) this.#strike(cell, one)
    cell.main = chosen
    cell.beside = []
    return true
  }

  anew(code: Code): boolean {
    const cell = this.cells[code]
    if (!cell.main || cell.main.state === 'published') return false
    for (const one of [cell.main, ...cell.beside]) this.#strike(cell, one, true)
    cell.main = undefined
    cell.beside = []
    return true
  }

  correct(code: Code, tenths: number): boolean {
    const { main } = this.cells[code]
    if (main?.state !== 'published' || main.tenths === tenths) return false
    this.publish(code, tenths)
    return true
  }

  /** A published value takes the place of the former one and of what asked about it. */
  publish(code: Code, tenths: number | null): void {
    const cell = this.cells[code]
    for (const one of [cell.main, cell.asked]) if (one) this.#strike(cell, one)
    cell.asked = undefined
    cell.main = { tenths, preliminary: false, state: 'published', message: undefined }
  }

  /** What asked about a published value is put aside. */
  leave(code: Code): void {
    const cell = this.cells[code]
    if (cell.asked) this.#strike(cell, cell.asked)
    cell.asked = undefined
  }

  /** @param hasNext another tube is to be drawn */
  reject(hasNext: boolean): void {
    for (const cell of Object.values(this.cells)) {
      if (cell.main?.state === 'published') cell.bound = true
      else cell.main = undefined
      cell.beside = []
      cell.asked = undefined
    }
    this.tube = hasNext ? 'planned' : 'rejected'
    if (hasNext) this.hadFormer = true
  }

  /** The flag of a value for the patient's current card. */
  flag(tenths: number | null): string | null {
    if (tenths === null) return null
    const male = this.isChild ? ([15, 70, 95] as const) : ([10, 50, 90] as const)
    const [low, high, critical] = this.sex === 'male' ? male : [20, this.norms.femaleHigh, 80]
    if (tenths > critical) return 'HH'
    return tenths < low ? 'L' : tenths > high ? 'H' : 'N'
  }

  /** LDL by the current values; undefined: there is none. */
  derived(): number | undefined {
    const [chol, hdl] = codes.map((code) => this.cells[code].main?.tenths ?? undefined)
    return chol === undefined || hdl === undefined ? undefined : chol - hdl
  }
}
