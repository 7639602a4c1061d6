import { File as StoredFile, TaskFile } from '@ordinator/model/areas/tasks/file'
import type { Row } from '@ordinator/model/entity'
import type { QueryClient } from '@tanstack/react-query'
import { errorMessage } from '../../../app/apiError.ts'
import { session } from '../../../app/session.ts'
import { upload } from '../../../app/upload.ts'
import { notify } from '../../../kit/notify.tsx'
import { recordsWith } from '../../../records/client.ts'
import { invalidateRecords } from '../../../records/keys.ts'

/** Files on their way at once; the others wait. */
const PARALLEL = 3

/** A file on its way to a task. */
export interface TaskUpload {
  readonly id: number
  readonly idTask: number
  readonly file: File
  /** 'storing': all is sent, the server looks into it and attaches it. */
  readonly status: 'waiting' | 'sending' | 'storing' | 'failed'
  /** Of what is sent, 0 to 1. */
  readonly share: number
  readonly error?: string
}

interface Work {
  cache: QueryClient
  stop: AbortController
  /** Stored already: what is left is to attach it. */
  idFile?: number
}

/**
 * The files being sent to tasks. They outlive the card that they were put into: it may be closed, and opened again to
 * see how they fare.
 */
class TaskUploads {
  private list: readonly TaskUpload[] = []
  private readonly works = new Map<number, Work>()
  private readonly listeners = new Set<() => void>()
  private readonly shown = new Map<number, number>()
  private lastId = 0

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  all = (): readonly TaskUpload[] => this.list

  add(idTask: number, files: readonly File[], cache: QueryClient): void {
    const added = files.map((file): TaskUpload => {
      const id = ++this.lastId
      this.works.set(id, { cache, stop: new AbortController() })
      return { id, idTask, file, status: 'waiting', share: 0 }
    })
    this.become([...this.list, ...added])
    this.next()
  }

  retry(id: number): void {
    const work = this.works.get(id)
    if (!work) return
    work.stop = new AbortController()
    this.change(id, { status: 'waiting', share: 0, error: undefined })
    this.next()
  }

  cancel(id: number): void {
    const work = this.works.get(id)
    this.forget(id)
    work?.stop.abort()
    if (work?.idFile) void quiet.remove(StoredFile, work.idFile).catch(() => {})
    this.next()
  }

  clear(): void {
    for (const { id } of this.list) this.cancel(id)
  }

  /** While a card shows the task's files, their failures need no toast. */
  watch(idTask: number): () => void {
    this.shown.set(idTask, (this.shown.get(idTask) ?? 0) + 1)
    return () => this.shown.set(idTask, (this.shown.get(idTask) ?? 1) - 1)
  }

  private next(): void {
    const busy = this.list.filter(({ status }) => status === 'sending' || status === 'storing').length
    for (const one of this.list.filter(({ status }) => status === 'waiting').slice(0, Math.max(0, PARALLEL - busy))) {
      const work = this.works.get(one.id)
      if (work) void this.send(one, work)
    }
  }

  private async send({ id, idTask, file }: TaskUpload, work: Work): Promise<void> {
    this.change(id, { status: work.idFile ? 'storing' : 'sending' })
    const { signal } = work.stop
    try {
      work.idFile ??= (
        await upload<Row<typeof StoredFile>>(`/${StoredFile.path}`, file, {
          signal,
          forbidden: 'silent',
          onProgress: (share) => this.change(id, { share, status: share < 1 ? 'sending' : 'storing' }),
        })
      ).id
      if (signal.aborted) return this.cancel(id)
      await quiet.create(TaskFile, { idTask, idFile: work.idFile })
      // The row gives way to the attachment itself, without a moment of neither.
      await invalidateRecords(work.cache, TaskFile.path)
      this.forget(id)
    } catch (error) {
      if (!signal.aborted) this.fail(id, idTask, file, errorMessage(error))
    }
    this.next()
  }

  private fail(id: number, idTask: number, file: File, error: string): void {
    this.change(id, { status: 'failed', error })
    if (!this.shown.get(idTask))
      notify.error(`«${file.name}»: ${error}. Откройте задачу, чтобы повторить.`, { title: 'Файл не прикреплён' })
  }

  private change(id: number, values: Partial<TaskUpload>): void {
    if (this.works.has(id)) this.become(this.list.map((one) => (one.id === id ? { ...one, ...values } : one)))
  }

  private forget(id: number): void {
    this.works.delete(id)
    this.become(this.list.filter((one) => one.id !== id))
  }

  private become(list: readonly TaskUpload[]): void {
    this.list = list
    if (list.some(({ status }) => status !== 'failed')) window.addEventListener('beforeunload', hold)
    else window.removeEventListener('beforeunload', hold)
    for (const listener of this.listeners) listener()
  }
}

/** The browser asks before it leaves a page that is sending. */
const hold = (event: BeforeUnloadEvent) => event.preventDefault()

/** Refusals stand at the file itself. */
const quiet = recordsWith({ forbidden: 'silent' })

export const taskUploads = new TaskUploads()
session.onLeave(() => taskUploads.clear())
