import type { Entity } from '@ordinator/model/entity'
import { errorMessage } from '../base/apiError.ts'
import { uploadFile } from '../base/apiUpload.ts'
import { recordsWith } from '../base/client.ts'
import { session } from '../base/session.ts'
import type { FileRules } from '../kit/fileRules.ts'
import { notify } from '../kit/notify.tsx'
import type { AnyRow } from './fields/ui.ts'

/** Files on their way at once; the others wait. */
const PARALLEL = 3

/** Where files go. */
export interface UploadTarget {
  /** Names the target among all: 'task:15'. */
  key: string
  /** The entity of the stored files. */
  stored: Entity
  /** Puts a stored file to its place (a method: each target takes what its `stored` answers); what it throws stands at the file, which may be tried again. */
  take(file: AnyRow): Promise<unknown>
  /** Where to look for a file that was not taken: «Откройте задачу, чтобы повторить.» */
  whereToLook: string
  /** What stands at a file that was not taken, and over its toast; the server's own words unless told. */
  failure?: { title: string; text: (error: unknown) => string }
}

/** What an entity of stored files takes. */
export const rulesOf = ({ upload }: Entity): FileRules => ({
  extensions: upload?.extensions,
  maxSize: upload?.maxSize,
  minSize: 1,
})

/** A file on its way. */
export interface Upload {
  readonly id: number
  /** Of its target. */
  readonly key: string
  readonly file: File
  /** 'storing': all is sent, the server looks into it and it is put to its place. */
  readonly status: 'waiting' | 'sending' | 'storing' | 'failed'
  /** Of what is sent, 0 to 1. */
  readonly share: number
  readonly error?: string
}

interface Work {
  target: UploadTarget
  stop: AbortController
  /** Stored already: what is left is to put it to its place. */
  stored?: AnyRow
}

/**
 * The files being sent. They outlive the screen that they were put into: it may be closed, and opened again to see how
 * they fare.
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
    if (this.works.has(id)) this.become(this.list.map((one) => (one.id === id ? { ...one, ...values } : one)))
  }

  private forget(id: number): void {
    this.works.delete(id)
    this.become(this.list.filter((one) => one.id !== id))
  }

  private become(list: readonly Upload[]): void {
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

export const uploads = new Uploads()
session.onLeave(() => uploads.clear())
