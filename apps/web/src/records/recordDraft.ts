import { checkBody } from '@ordinator/model/check'
import type { Entity, Row, Update } from '@ordinator/model/entity'
import { ApiError, errorMessage } from '../base/apiError.ts'
import { records } from '../base/client.ts'
import { notify } from '../kit/notify.tsx'
import { type Choices, type Conflict, changesOf, chosenBody, compareVersions } from './conflict.ts'

const TYPING_MS = 700

export interface DraftState<E extends Entity> {
  /** What the person has changed and the server has not taken yet. */
  changes: Changes<E>
  status: 'still' | 'typing' | 'saving' | 'saved' | 'failed'
  /** Message by field. */
  errors: Record<string, string>
  /** Changes found from an earlier time; they wait for a word. */
  restored: boolean
  conflict?: { conflict: Conflict; changes: Changes<E>; saved: Row<E> }
}

/** What is changed by hand: a part of the record. */
type Changes<E extends Entity> = Partial<Row<E>>

interface Kept<E extends Entity> {
  changes: Changes<E>
  base: Row<E>
}

interface DraftWords {
  /** Names the drafts in the browser's storage: 'task'. */
  key: string
  /** Said when it fails after the card was closed: «Задача не сохранена». */
  notSaved: string
}

/**
 * The changes of one open record on their way to the server. Each is kept in the browser until the server has taken it,
 * so neither Escape, nor a lost connection, nor a closed window loses a word. A stale text is never written over another's.
 */
export class RecordDraft<E extends Entity> {
  private state: DraftState<E> = { changes: {}, status: 'still', errors: {}, restored: false }
  private base: Row<E>
  private timer: ReturnType<typeof setTimeout> | undefined
  private sending = false
  private closed = false
  private readonly listeners = new Set<() => void>()
  private readonly entity: E
  private readonly onSaved: (record: Row<E>) => void
  private readonly words: DraftWords

  constructor(entity: E, record: Row<E>, onSaved: (record: Row<E>) => void, words: DraftWords) {
    this.entity = entity
    this.base = record
    this.onSaved = onSaved
    this.words = words
    const kept = this.readKept(record.id)
    const changes = kept && changesOf(record as never, kept.changes as never)
    if (kept && changes && Object.keys(changes).length) {
      this.base = kept.base
      this.state = { ...this.state, changes: changes as Changes<E>, restored: true }
    } else this.forget()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  get = (): DraftState<E> => this.state

  private become(next: Partial<DraftState<E>>): void {
    this.state = { ...this.state, ...next }
    for (const listener of this.listeners) listener()
  }

  /** The record as the server has it now: what is not being changed here follows it. */
  follow(record: Row<E>): void {
    if (!Object.keys(this.state.changes).length && !this.sending && record._version >= this.base._version)
      this.base = record
  }

  /** `soon`: while typing; else at once. */
  change(changes: Changes<E>, soon = false): void {
    const errors = { ...this.state.errors }
    for (const name of Object.keys(changes)) delete errors[name]
    this.become({ changes: { ...this.state.changes, ...changes }, errors, status: 'typing', restored: false })
    this.keep()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.flush(), soon ? TYPING_MS : 0)
  }

  /** Drops what was restored. */
  discard(): void {
    this.forget()
    this.become({ changes: {}, errors: {}, restored: false, status: 'still' })
  }

  close(): void {
    if (!this.state.restored) void this.flush()
    this.closed = true
  }

  async flush(over?: Update<E>): Promise<void> {
    clearTimeout(this.timer)
    if (this.sending || (this.state.conflict && !over)) return
    const sent = this.state.changes
    if (!Object.keys(sent).length) return
    const wrong = checkBody(this.entity, sent, 'update').errors
    if (wrong)
      return this.become({ errors: Object.fromEntries(wrong.map((e) => [e.field, e.message])), status: 'failed' })
    this.sending = true
    this.become({ status: 'saving', restored: false, conflict: undefined })
    try {
      const row = await records.update(this.entity, this.base.id, over ?? { ...sent, _version: this.base._version })
      this.sending = false
      this.taken(sent, row)
    } catch (error) {
      this.sending = false
      this.refused(error, sent)
    }
  }

  private taken(sent: Changes<E>, row: Row<E>): void {
    this.base = row
    const left = Object.fromEntries(
      Object.entries(this.state.changes).filter(([name, value]) => value !== sent[name as keyof Changes<E>]),
    ) as Changes<E>
    const more = Object.keys(left).length > 0
    this.become({ changes: left, status: more ? 'typing' : 'saved', errors: {} })
    if (more) {
      this.keep()
      this.timer = setTimeout(() => void this.flush(), TYPING_MS)
    } else this.forget()
    this.onSaved(row)
  }

  private refused(error: unknown, sent: Changes<E>): void {
    const saved = error instanceof ApiError && error.status === 409 ? (error.current as Row<E> | undefined) : undefined
    if (saved) {
      const conflict = compareVersions(this.entity, this.base as never, sent as never, saved as never)
      if (conflict.both.length === 0) {
        // The other has changed other fields: nothing to ask about.
        this.base = saved
        this.onSaved(saved)
        return void this.flush()
      }
      this.become({ status: 'failed', conflict: { conflict, changes: sent, saved } })
    } else {
      this.become({ status: 'failed', errors: error instanceof ApiError ? error.byField : {} })
    }
    if (this.closed)
      notify.error(`${errorMessage(error)}. Ваш текст сохранён в карточке как черновик.`, {
        title: this.words.notSaved,
      })
  }

  /** What the person chose of the two versions. */
  resolve(choices: Choices): void {
    const found = this.state.conflict
    if (!found) return
    const { conflict, changes, saved } = found
    this.base = saved
    this.onSaved(saved)
    const theirs = conflict.both.filter(({ field }) => choices[field] === 'saved').map(({ field }) => field)
    const left = Object.fromEntries(
      Object.entries(this.state.changes).filter(([name]) => !theirs.includes(name)),
    ) as Changes<E>
    this.become({ conflict: undefined, changes: left, status: 'saved' })
    if (Object.keys(left).length) void this.flush(chosenBody(conflict, changes as never, choices) as Update<E>)
    else this.forget()
  }

  private keep(): void {
    try {
      localStorage.setItem(
        this.keyOf(this.base.id),
        JSON.stringify({ changes: this.state.changes, base: this.base } satisfies Kept<E>),
      )
    } catch {
      // A full storage: the text is still on the screen and on its way.
    }
  }

  private forget(): void {
    localStorage.removeItem(this.keyOf(this.base.id))
  }

  private keyOf(id: number): string {
    return `ordinator:draft:${this.words.key}:${id}`
  }

  private readKept(id: number): Kept<E> | undefined {
    try {
      const text = localStorage.getItem(this.keyOf(id))
      return text ? (JSON.parse(text) as Kept<E>) : undefined
    } catch {
      return undefined
    }
  }
}
