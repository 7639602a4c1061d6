import { Task } from '@ordinator/model/areas/tasks/task'
import { checkBody } from '@ordinator/model/check'
import type { Row, Update } from '@ordinator/model/entity'
import { ApiError, errorMessage } from '../../../app/apiError.ts'
import { notify } from '../../../kit/notify.tsx'
import { records } from '../../../records/client.ts'
import { type Choices, type Conflict, changesOf, chosenBody, compareVersions } from '../../../records/conflict.ts'

const TYPING_MS = 700

export type TaskRow = Row<typeof Task>
export type TaskChanges = Partial<Pick<TaskRow, 'name' | 'description' | 'importance' | 'dateStart' | 'dateEnd'>>

export interface DraftState {
  /** What the person has changed and the server has not taken yet. */
  changes: TaskChanges
  status: 'still' | 'typing' | 'saving' | 'saved' | 'failed'
  /** Message by field. */
  errors: Record<string, string>
  /** Changes found from an earlier time; they wait for a word. */
  restored: boolean
  conflict?: { conflict: Conflict; changes: TaskChanges; saved: TaskRow }
}

interface Kept {
  changes: TaskChanges
  base: TaskRow
}

/**
 * The changes of one open task on their way to the server. Each is kept in the browser until the server has taken it,
 * so neither Escape, nor a lost connection, nor a closed window loses a word. A stale text is never written over another's.
 */
export class TaskDraft {
  private state: DraftState = { changes: {}, status: 'still', errors: {}, restored: false }
  private base: TaskRow
  private timer: ReturnType<typeof setTimeout> | undefined
  private sending = false
  private closed = false
  private readonly listeners = new Set<() => void>()
  private readonly onSaved: (task: TaskRow) => void

  constructor(task: TaskRow, onSaved: (task: TaskRow) => void) {
    this.base = task
    this.onSaved = onSaved
    const kept = readKept(task.id)
    const changes = kept && changesOf(task as never, kept.changes as never)
    if (kept && changes && Object.keys(changes).length) {
      this.base = kept.base
      this.state = { ...this.state, changes: changes as TaskChanges, restored: true }
    } else this.forget()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  get = (): DraftState => this.state

  private become(next: Partial<DraftState>): void {
    this.state = { ...this.state, ...next }
    for (const listener of this.listeners) listener()
  }

  /** The task as the server has it now: what is not being changed here follows it. */
  follow(task: TaskRow): void {
    if (!Object.keys(this.state.changes).length && !this.sending && task._version >= this.base._version)
      this.base = task
  }

  /** `soon`: while typing; else at once. */
  change(changes: TaskChanges, soon = false): void {
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

  async flush(over?: Update<typeof Task>): Promise<void> {
    clearTimeout(this.timer)
    if (this.sending || (this.state.conflict && !over)) return
    const sent = this.state.changes
    if (!Object.keys(sent).length) return
    const wrong = checkBody(Task, sent, 'update').errors
    if (wrong)
      return this.become({ errors: Object.fromEntries(wrong.map((e) => [e.field, e.message])), status: 'failed' })
    this.sending = true
    this.become({ status: 'saving', restored: false, conflict: undefined })
    try {
      const row = await records.update(Task, this.base.id, over ?? { ...sent, _version: this.base._version })
      this.sending = false
      this.taken(sent, row)
    } catch (error) {
      this.sending = false
      this.refused(error, sent)
    }
  }

  private taken(sent: TaskChanges, row: TaskRow): void {
    this.base = row
    const left = Object.fromEntries(
      Object.entries(this.state.changes).filter(([name, value]) => value !== sent[name as keyof TaskChanges]),
    ) as TaskChanges
    const more = Object.keys(left).length > 0
    this.become({ changes: left, status: more ? 'typing' : 'saved', errors: {} })
    if (more) {
      this.keep()
      this.timer = setTimeout(() => void this.flush(), TYPING_MS)
    } else this.forget()
    this.onSaved(row)
  }

  private refused(error: unknown, sent: TaskChanges): void {
    const saved = error instanceof ApiError && error.status === 409 ? (error.current as TaskRow | undefined) : undefined
    if (saved) {
      const conflict = compareVersions(Task, this.base as never, sent as never, saved as never)
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
        title: 'Задача не сохранена',
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
    ) as TaskChanges
    this.become({ conflict: undefined, changes: left, status: 'saved' })
    if (Object.keys(left).length)
      void this.flush(chosenBody(conflict, changes as never, choices) as Update<typeof Task>)
    else this.forget()
  }

  private keep(): void {
    try {
      localStorage.setItem(
        keyOf(this.base.id),
        JSON.stringify({ changes: this.state.changes, base: this.base } satisfies Kept),
      )
    } catch {
      // A full storage: the text is still on the screen and on its way.
    }
  }

  private forget(): void {
    localStorage.removeItem(keyOf(this.base.id))
  }
}

const keyOf = (id: number) => `ordinator:draft:task:${id}`

function readKept(id: number): Kept | undefined {
  try {
    const text = localStorage.getItem(keyOf(id))
    return text ? (JSON.parse(text) as Kept) : undefined
  } catch {
    return undefined
  }
}
