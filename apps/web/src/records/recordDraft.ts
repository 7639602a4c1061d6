import { checkBody } from '@ordinator/model/check'
import type { Entity, Row, Update } from '@ordinator/model/entity'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { Draft } from '#base/draft.ts'
import { notify } from '#kit/notify.tsx'
import { type Choices, type Conflict, changesOf, chosenBody, compareVersions } from './conflict.ts'

const TYPING_MS = 700

export interface DraftState<E extends Entity> {
  /** Changes of the user that the server has not accepted yet. */
  changes: Changes<E>
  status: 'still' | 'typing' | 'saving' | 'saved' | 'failed'
  /** Message by field. */
  errors: Record<string, string>
  /** Changes restored from an earlier session, awaiting a decision. */
  restored: boolean
  conflict?: { conflict: Conflict; changes: Changes<E>; saved: Row<E> }
}

/** Edited fields: a part of the record. */
type Changes<E extends Entity> = Partial<Row<E>>

interface Kept<E extends Entity> {
  changes: Changes<E>
  base: Row<E>
}

/**
 * Autosave of one open record. Each change is kept in the browser until the server has accepted it, so that neither
 * Escape, a lost connection nor a closed window loses input. A stale text never overwrites another user's.
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
  private readonly notSaved: string
  private readonly kept: Draft<Kept<E>>

  /** @param notSaved toast when saving fails after the card was closed: «Задача не сохранена» */
  constructor(entity: E, record: Row<E>, onSaved: (record: Row<E>) => void, notSaved: string) {
    this.entity = entity
    this.base = record
    this.onSaved = onSaved
    this.notSaved = notSaved
    this.kept = new Draft(`${entity.path}:${record.id}:card`)
    const kept = this.kept.found?.value
    const changes = kept && changesOf(record, kept.changes)
    if (kept && changes && Object.keys(changes).length) {
      this.base = kept.base
      this.state = { ...this.state, changes: changes as Changes<E>, restored: true }
    } else this.kept.drop()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  get = (): DraftState<E> => this.state

  private setState(next: Partial<DraftState<E>>): void {
    this.state = { ...this.state, ...next }
    for (const listener of this.listeners) listener()
  }

  /** Applies the record from the server, unless it is being edited here. */
  follow(record: Row<E>): void {
    if (!Object.keys(this.state.changes).length && !this.sending && record._version >= this.base._version)
      this.base = record
  }

  /** `soon`: debounced while typing; else at once. */
  change(changes: Changes<E>, soon = false): void {
    const errors = { ...this.state.errors }
    for (const name of Object.keys(changes)) delete errors[name]
    this.setState({ changes: { ...this.state.changes, ...changes }, errors, status: 'typing', restored: false })
    this.keep()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.flush(), soon ? TYPING_MS : 0)
  }

  /** Discards the restored changes. */
  discard(): void {
    this.kept.drop()
    this.setState({ changes: {}, errors: {}, restored: false, status: 'still' })
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
      return this.setState({ errors: Object.fromEntries(wrong.map((e) => [e.field, e.message])), status: 'failed' })
    this.sending = true
    this.setState({ status: 'saving', restored: false, conflict: undefined })
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
    this.setState({ changes: left, status: more ? 'typing' : 'saved', errors: {} })
    if (more) {
      this.keep()
      this.timer = setTimeout(() => void this.flush(), TYPING_MS)
    } else this.kept.drop()
    this.onSaved(row)
  }

  private refused(error: unknown, sent: Changes<E>): void {
    const saved = error instanceof ApiError && error.status === 409 ? (error.current as Row<E> | undefined) : undefined
    if (saved) {
      const conflict = compareVersions(this.entity, this.base, sent, saved)
      if (conflict.both.length === 0) {
        // The other has changed other fields: no question is needed.
        this.base = saved
        this.onSaved(saved)
        return void this.flush()
      }
      this.setState({ status: 'failed', conflict: { conflict, changes: sent, saved } })
    } else {
      this.setState({ status: 'failed', errors: error instanceof ApiError ? error.byField : {} })
    }
    if (this.closed)
      notify.error(`${errorMessage(error)}. Ваш текст сохранён в карточке как черновик.`, {
        title: this.notSaved,
      })
  }

  /** Saves the user's choice between two versions. */
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
    this.setState({ conflict: undefined, changes: left, status: 'saved' })
    if (Object.keys(left).length) void this.flush(chosenBody(conflict, changes, choices) as Update<E>)
    else this.kept.drop()
  }

  private keep(): void {
    this.kept.keep({ changes: this.state.changes, base: this.base })
    // Write the draft at once, since the window may be closing.
    this.kept.flush()
  }
}

/** The draft of an open record while it is open; closing the window too early asks first. */
export function useRecordDraft<E extends Entity>(
  entity: E,
  record: Row<E>,
  onSaved: (record: Row<E>) => void,
  notSaved: string,
): { draft: RecordDraft<E>; state: DraftState<E> } {
  const [draft] = useState(() => new RecordDraft(entity, record, onSaved, notSaved))
  draft.follow(record)
  const state = useSyncExternalStore(draft.subscribe, draft.get)
  useEffect(() => () => draft.close(), [draft])
  useEffect(() => {
    const leave = (event: BeforeUnloadEvent) => {
      if (['typing', 'saving'].includes(draft.get().status)) event.preventDefault()
    }
    window.addEventListener('beforeunload', leave)
    return () => window.removeEventListener('beforeunload', leave)
  }, [draft])
  return { draft, state }
}
