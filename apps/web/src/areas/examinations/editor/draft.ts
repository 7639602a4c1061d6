import type { Examination } from '@ordinator/model/areas/examinations/examination'
import type { FormField, ReadyForm } from '@ordinator/model/areas/examinations/form'
import type { Reckoned } from '@ordinator/model/areas/examinations/formula'
import { type Derived, derive, isFilled } from '@ordinator/model/areas/examinations/formValues'
import {
  type ExaminationContents,
  isSamePart,
  keyOfPart,
  type Parts,
  partIn,
  partOf,
  withParts,
  wrongPart,
} from '@ordinator/model/areas/examinations/parts'
import type { Row } from '@ordinator/model/entity'
import { api } from '#base/api.ts'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { Draft } from '#base/draft.ts'
import { notify } from '#kit/notify.tsx'

export type ExaminationRow = Row<typeof Examination>
/** Fields of an examination used by a draft. */
export type DraftRow = Pick<
  ExaminationRow,
  'id' | '_version' | 'status' | 'date' | 'values' | 'diagnoses' | 'prescriptions' | 'recommendations'
> &
  Partial<Pick<ExaminationRow, 'assisted' | 'idCustomer'>>

/** Milliseconds until a save: after the last key, and at most while typing. */
const AFTER_MS = 1200
const MOST_MS = 8000

export interface SaveStatus {
  status: 'still' | 'typing' | 'saving' | 'saved' | 'failed'
  /** Error of the whole record. */
  message?: string
  /** Parts with conflicting values. */
  disputes: number
}

interface Kept {
  changes: Record<string, unknown>
  base: Record<string, unknown>
}

interface DraftHandlers {
  /** The record as saved. */
  onSaved: (row: DraftRow) => void
  /** Another user has changed it: reload. */
  onStale: () => void
}

type Send = (id: number, body: { changes: Parts; base: Parts }) => Promise<DraftRow>
const byServer: Send = (id, body) =>
  api('POST /examinations/:id/save', { params: { id }, body: { ...body } }, { forbidden: 'silent' })

/**
 * State of an open draft and its saving. Each field subscribes only to its own part, so that a keystroke costs the same
 * with five fields and with three hundred. Unsaved changes are kept in the browser; a conflicting change of another
 * user is shown beside them until one is chosen.
 */
export class ExaminationDraft {
  readonly ready: ReadyForm
  private row: DraftRow
  /** Unsaved changes, and the values before them. */
  private changes: Record<string, unknown> = {}
  private base: Record<string, unknown> = {}
  private errors: Record<string, string> = {}
  private state: SaveStatus = { status: 'still', disputes: 0 }
  private derived: Derived
  private sending: Promise<unknown> | undefined
  private closed = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private since: number | undefined
  private readonly listeners = new Map<string, Set<() => void>>()
  private readonly kept: Draft<Kept>
  private readonly handlers: DraftHandlers
  private readonly send: Send

  constructor(row: DraftRow, ready: ReadyForm, handlers: DraftHandlers, send = byServer) {
    this.row = row
    this.ready = ready
    this.handlers = handlers
    this.send = send
    this.kept = new Draft(row.id ? `examinations:${row.id}` : undefined)
    const left = this.kept.found?.value
    if (left && row.status === 'draft') {
      for (const [part, value] of Object.entries(left.changes ?? {}))
        if (!isSamePart(value, partIn(row, part))) {
          this.changes[part] = value
          this.base[part] = left.base?.[part] ?? null
        }
      if (Object.keys(this.changes).length) {
        this.state = { status: 'typing', disputes: this.disputed().length }
        this.timer = setTimeout(() => void this.flush(), AFTER_MS)
      } else this.kept.drop()
    }
    this.derived = derive(ready, this.contents().values)
  }

  /** Subscribes to a part by name, to `*` (overall state), or to `=рост` (derived state of a field). */
  subscribe = (name: string, listener: () => void): (() => void) => {
    const all = this.listeners.get(name) ?? new Set()
    this.listeners.set(name, all.add(listener))
    return () => all.delete(listener)
  }
  private notify(name: string): void {
    for (const listener of this.listeners.get(name) ?? []) listener()
  }

  status = (): SaveStatus => this.state
  id = (): number => this.row.id
  version = (): number => this.row._version
  /** undefined: a trial of a template, without a patient. */
  customer = (): number | undefined => this.row.idCustomer
  get = (part: string): unknown => (Object.hasOwn(this.changes, part) ? this.changes[part] : partIn(this.row, part))
  error = (part: string): string | undefined => this.errors[part]
  isHidden = (key: string): boolean => this.derived.hidden.has(key)
  calculated = (key: string): Reckoned | undefined => this.derived.calculated.get(key)
  contents = (): ExaminationContents => withParts(this.row, this.changes)
  hasChanges = (): boolean => Object.keys(this.changes).length > 0

  /** Another user's value of a part changed here; undefined: none. */
  dispute = (part: string): { theirs: unknown } | undefined =>
    this.isDisputed(part) ? { theirs: partIn(this.row, part) } : undefined
  private isDisputed(part: string): boolean {
    if (!Object.hasOwn(this.changes, part)) return false
    const now = partIn(this.row, part)
    return !isSamePart(now, this.base[part]) && !isSamePart(now, this.changes[part])
  }
  private disputed = (): string[] => Object.keys(this.changes).filter((part) => this.isDisputed(part))

  /** True when the content of a part was drafted by a model. */
  isAssisted = (part: string): boolean => this.row.assisted?.[part] !== undefined && isFilled(this.get(part))

  set(part: string, value: unknown): void {
    if (!Object.hasOwn(this.base, part)) this.base[part] = partIn(this.row, part)
    this.changes[part] = value
    delete this.errors[part]
    this.kept.keep({ changes: this.changes, base: this.base })
    this.notify(part)
    this.follows(part)
    if (this.state.status !== 'typing') this.setStatus({ status: 'typing', message: undefined })
    this.soon()
  }

  /**
   * Parts of another examination that could fill empty parts here: those that fit this form and are visible, and the
   * number of others.
   */
  offered(former: ExaminationContents): { parts: Parts; unfit: number } {
    const asked = partsOf(this.ready)
      .filter((part) => part !== 'date' && isFilled(partIn(former, part)) && !isFilled(this.get(part)))
      .filter((part) => this.ready.fields.get(keyOfPart(part) ?? '')?.type !== 'calc')
    const fit = asked.filter((part) => !wrongPart(part, partIn(former, part), this.ready.fields))
    const partsWith = (all: readonly string[]) => Object.fromEntries(all.map((part) => [part, partIn(former, part)]))
    // A copied value may make another field visible.
    const { hidden } = derive(this.ready, withParts(this.contents(), partsWith(fit)).values)
    const taken = fit.filter((part) => !hidden.has(keyOfPart(part) ?? ''))
    return { parts: partsWith(taken), unfit: asked.length - taken.length }
  }

  private soon(): void {
    clearTimeout(this.timer)
    this.since ??= Date.now()
    this.timer = setTimeout(() => void this.flush(), Math.max(0, Math.min(AFTER_MS, this.since + MOST_MS - Date.now())))
  }

  /** Notifies formulas and conditions that depend on a part. */
  private follows(part: string): void {
    const key = keyOfPart(part)
    if (key === undefined || !this.ready.leading.has(key)) return
    const before = this.derived
    this.derived = derive(this.ready, this.contents().values)
    for (const { field } of this.ready.following) {
      const was = before.calculated.get(field.key)
      const now = this.derived.calculated.get(field.key)
      if (
        was?.value !== now?.value ||
        was?.why !== now?.why ||
        before.hidden.has(field.key) !== this.derived.hidden.has(field.key)
      )
        this.notify(`=${field.key}`)
    }
  }

  private setStatus(next: Partial<SaveStatus>): void {
    this.state = { ...this.state, ...next, disputes: this.disputed().length }
    this.notify('*')
  }

  /** Takes over a newer record from the server. */
  follow(row: DraftRow): void {
    if (this.sending || row._version < this.row._version || row === this.row) return
    const before = this.row
    this.row = row
    for (const part of partsOf(this.ready))
      if (!isSamePart(partIn(before, part), partIn(row, part))) {
        this.notify(part)
        this.follows(part)
      }
    const isMarked = !isSamePart(before.assisted ?? {}, row.assisted ?? {})
    if (isMarked || this.disputed().length !== this.state.disputes) this.setStatus({})
  }

  /** Resolves a conflict: keeps the own value, or the other's. */
  resolve(part: string, keep: 'mine' | 'theirs'): void {
    if (keep === 'mine') this.base[part] = partIn(this.row, part)
    else this.drop([part])
    this.notify(part)
    this.follows(part)
    this.setStatus({ status: this.hasChanges() ? 'typing' : 'saved', message: undefined })
    if (this.hasChanges()) this.soon()
  }

  private drop(parts: readonly string[]): void {
    for (const part of parts) {
      delete this.changes[part]
      delete this.base[part]
    }
    if (this.hasChanges()) this.kept.keep({ changes: this.changes, base: this.base })
    else this.kept.drop()
  }

  /** Saves changes, except conflicting or invalid ones. @returns true if everything is saved */
  async flush(): Promise<boolean> {
    clearTimeout(this.timer)
    this.since = undefined
    // Changes typed during a save are saved after it.
    if (this.sending) await this.sending.catch(() => undefined)
    if (this.sending || this.row.status !== 'draft') return false
    const sent: Record<string, unknown> = {}
    const base: Record<string, unknown> = {}
    for (const [part, value] of Object.entries(this.changes)) {
      const wrong = wrongPart(part, value, this.ready.fields)
      if (wrong && this.isHidden(keyOfPart(part) ?? '')) {
        // Drop it: a hidden field cannot be corrected.
        delete this.errors[part]
        this.drop([part])
        this.notify(part)
      } else if (wrong) {
        this.errors[part] = wrong
        this.notify(part)
      } else if (!this.isDisputed(part)) {
        sent[part] = value
        base[part] = this.base[part] ?? null
      }
    }
    if (Object.keys(sent).length === 0) {
      if (this.hasChanges()) this.setStatus({ status: 'failed' })
      else if (this.state.status === 'typing') this.setStatus({ status: 'still' })
      return !this.hasChanges()
    }
    const sending = this.send(this.row.id, { changes: sent, base })
    this.sending = sending
    this.setStatus({ status: 'saving' })
    try {
      const row = await sending
      this.sending = undefined
      this.taken(sent, row)
      return !this.hasChanges()
    } catch (error) {
      this.sending = undefined
      this.refused(error)
      return false
    }
  }

  private taken(sent: Parts, row: DraftRow): void {
    const typedOn = Object.keys(sent).filter((part) => this.changes[part] !== sent[part])
    this.follow(row)
    this.drop(Object.keys(sent).filter((part) => !typedOn.includes(part)))
    // Text typed meanwhile is based on the saved value.
    for (const part of typedOn) this.base[part] = partIn(row, part)
    const wrong = Object.keys(this.errors).length > 0
    this.setStatus({ status: typedOn.length ? 'typing' : wrong ? 'failed' : 'saved', message: undefined })
    if (typedOn.length) this.soon()
    this.handlers.onSaved(row)
  }

  private refused(error: unknown): void {
    const api = error instanceof ApiError ? error : undefined
    for (const [part, message] of Object.entries(api?.byField ?? {})) {
      this.errors[part] = message
      this.notify(part)
    }
    this.setStatus({ status: 'failed', message: errorMessage(error) })
    if (api?.code === 'dispute' || api?.code === 'status') this.handlers.onStale()
    if (this.closed)
      notify.error(`${errorMessage(error)}. Введённое сохранено на этом компьютере.`, { title: 'Осмотр не сохранён' })
  }

  /** Unsaved changes of an examination that is no longer a draft, by part. */
  leftover(): Readonly<Record<string, unknown>> {
    if (this.row.status === 'draft') return {}
    const left = Object.entries(this.kept.found?.value.changes ?? {})
    return Object.fromEntries(left.filter(([part, value]) => !isSamePart(value, partIn(this.row, part))))
  }
  dropLeftover(): void {
    this.kept.drop()
    this.setStatus({})
  }

  /** Shows the server's errors of finishing at their fields. */
  showErrors(byField: Readonly<Record<string, string>>): void {
    for (const [part, message] of Object.entries(byField)) {
      this.errors[part] = message
      this.notify(part)
    }
  }

  close(): void {
    this.kept.flush()
    if (this.hasChanges()) void this.flush()
    this.closed = true
  }
}

const partsOf = ({ fields }: ReadyForm): string[] => [
  'date',
  'diagnoses',
  'prescriptions',
  'recommendations',
  ...[...fields.values()].map((field: FormField) => partOf(field.key)),
]
