import type { Entity } from '@ordinator/model/entity'
import { errorMessage } from '#base/apiError.ts'
import { uploadFile } from '#base/apiUpload.ts'
import { recordsWith } from '#base/client.ts'
import { session } from '#base/session.ts'
import type { FileRules } from '#kit/fileRules.ts'
import { notify } from '#kit/notify.tsx'
import type { AnyRow } from './fields/ui.ts'

/** Concurrent uploads; the others wait. */
const PARALLEL = 3

/** Target of an upload. */
export interface UploadTarget {
  /** Unique key of the target: 'task:15'. */
  key: string
  /** The entity of the stored files. */
  stored: Entity
  /** Attaches a stored file (a method: each target takes the rows of its `stored`); an exception is shown at the file, which can be retried. */
  take(file: AnyRow): Promise<unknown>
  /** Where to find a failed file: «Откройте задачу, чтобы повторить.» */
  whereToLook: string
  /** Texts for a failed file, at the file and in the toast; default: the server's message. */
  failure?: { title: string; text: (error: unknown) => string }
}

/** Upload rules of an entity of stored files. */
export const rulesOf = ({ upload }: Entity): FileRules => ({
  extensions: upload?.extensions,
  maxSize: upload?.maxSize,
  minSize: 1,
})

/** A file being uploaded. */
export interface Upload {
  readonly id: number
  /** Key of its target. */
  readonly key: string
  readonly file: File
  /** 'storing': everything is sent; the server checks and attaches it. */
  readonly status: 'waiting' | 'sending' | 'storing' | 'failed'
  /** Share sent, 0 to 1. */
  readonly share: number
  readonly error?: string
}

interface Work {
  target: UploadTarget
  stop: AbortController
  /** Already stored: only attaching is left. */
  stored?: AnyRow
}

/**
 * Uploads in progress. They outlive the screen that started them: it may be closed, and shows their progress when opened
 * again.
 */
class Uploads {
  private list: readonly Upload[] = []
  private readonly works = new Map<number, Work>()
  private readonly listeners = new Set<() => void>()
  private readonly shown = new Map<string, number>()
  private lastId = 0

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  all = (): readonly Upload[] => this.list

  add(target: UploadTarget, files: readonly File[]): void {
    const added = files.map((file): Upload => {
      const id = ++this.lastId
      this.works.set(id, { target, stop: new AbortController() })
      return { id, key: target.key, file, status: 'waiting', share: 0 }
    })
    this.setUploads([...this.list, ...added])
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
    if (work?.stored) void quiet.remove(work.target.stored, work.stored.id).catch(() => {})
    this.next()
  }

  clear(): void {
    for (const { id } of this.list) this.cancel(id)
  }

  /** While a screen shows the target's files, their failures need no toast. */
  watch(key: string): () => void {
    this.shown.set(key, (this.shown.get(key) ?? 0) + 1)
    return () => this.shown.set(key, (this.shown.get(key) ?? 1) - 1)
  }

  private next(): void {
    const busy = this.list.filter(({ status }) => status === 'sending' || status === 'storing').length
    for (const one of this.list.filter(({ status }) => status === 'waiting').slice(0, Math.max(0, PARALLEL - busy))) {
      const work = this.works.get(one.id)
      if (work) void this.send(one, work)
    }
  }

  private async send({ id, file }: Upload, work: Work): Promise<void> {
    this.change(id, { status: work.stored ? 'storing' : 'sending' })
    const { signal } = work.stop
    const { target } = work
    try {
      work.stored ??= await uploadFile(target.stored, file, {
        signal,
        forbidden: 'silent',
        onProgress: (share) => this.change(id, { share, status: share < 1 ? 'sending' : 'storing' }),
      })
      if (signal.aborted) return this.cancel(id)
      await target.take(work.stored)
      this.forget(id)
    } catch (error) {
      if (!signal.aborted) this.fail(id, target, file, (target.failure?.text ?? errorMessage)(error))
    }
    this.next()
  }

  private fail(id: number, { key, whereToLook, failure }: UploadTarget, file: File, error: string): void {
    this.change(id, { status: 'failed', error })
    if (!this.shown.get(key))
      notify.error(`«${file.name}»: ${error}. ${whereToLook}`, { title: failure?.title ?? 'Файл не прикреплён' })
  }

  private change(id: number, values: Partial<Upload>): void {
    if (this.works.has(id)) this.setUploads(this.list.map((one) => (one.id === id ? { ...one, ...values } : one)))
  }

  private forget(id: number): void {
    this.works.delete(id)
    this.setUploads(this.list.filter((one) => one.id !== id))
  }

  private setUploads(list: readonly Upload[]): void {
    this.list = list
    if (list.some(({ status }) => status !== 'failed')) window.addEventListener('beforeunload', hold)
    else window.removeEventListener('beforeunload', hold)
    for (const listener of this.listeners) listener()
  }
}

/** The browser asks before leaving a page with running uploads. */
const hold = (event: BeforeUnloadEvent) => event.preventDefault()

/** Refusals are shown at the file. */
const quiet = recordsWith({ forbidden: 'silent' })

export const uploads = new Uploads()
session.onLeave(() => uploads.clear())
