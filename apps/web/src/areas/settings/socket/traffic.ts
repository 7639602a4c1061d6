import type { Socket } from '#realtime/socket.ts'

/** Recent messages of the socket, for display. */

export const MAX_LINES = 500

export interface Line {
  n: number
  /** ms since 1970 */
  at: number
  direction: 'in' | 'out'
  text: string
  /** `system / pong` */
  subject: string
  isError: boolean
}

export class Traffic {
  paused = false
  /** Messages received while paused, not stored. */
  missed = 0
  #lines: readonly Line[] = []
  #count = 0
  readonly #listeners = new Set<() => void>()

  /** @returns a function to detach */
  attach(socket: Pick<Socket, 'on'>): () => void {
    return socket.on('traffic', (direction, text) => this.add(direction, text))
  }

  add(direction: Line['direction'], text: string): void {
    if (this.paused) this.missed++
    else {
      const line = { n: ++this.#count, at: Date.now(), direction, text, ...readSubject(text) }
      this.#lines = [line, ...this.#lines.slice(0, MAX_LINES - 1)]
    }
    this.#changed()
  }

  pause(paused: boolean): void {
    this.paused = paused
    this.missed = 0
    this.#changed()
  }

  clear(): void {
    this.#lines = []
    this.missed = 0
    this.#changed()
  }

  /** Newest first. */
  lines = (): readonly Line[] => this.#lines

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

export interface LineFilter {
  text: string
  direction: 'all' | Line['direction']
  /** Hides ping and pong. */
  quiet: boolean
}

export function filterLines(lines: readonly Line[], { text, direction, quiet }: LineFilter): Line[] {
  const wanted = text.trim().toLocaleLowerCase('ru')
  return lines.filter(
    (line) =>
      (direction === 'all' || line.direction === direction) &&
      !(quiet && /^system \/ (ping|pong)$/.test(line.subject)) &&
      line.text.toLocaleLowerCase('ru').includes(wanted),
  )
}

/** Text for the clipboard, the oldest first. */
export const linesText = (lines: readonly Line[]): string =>
  lines
    .toReversed()
    .map(({ at, direction, text }) => `${new Date(at).toISOString()} ${direction === 'in' ? '<-' : '->'} ${text}`)
    .join('\n')

function readSubject(text: string): Pick<Line, 'subject' | 'isError'> {
  try {
    const { controller, action, isError } = JSON.parse(text)
    return { subject: `${controller} / ${action}`, isError: isError === true }
  } catch {
    return { subject: '', isError: true }
  }
}

/** Parses typed JSON data; empty is undefined. */
export function readData(text: string): { ok: true; data: unknown } | { ok: false; message: string } {
  if (text.trim() === '') return { ok: true, data: undefined }
  try {
    const data: unknown = JSON.parse(text)
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return { ok: true, data }
    return { ok: false, message: 'Нужен объект JSON, например {"path": "users"}' }
  } catch {
    return { ok: false, message: 'Это не JSON: проверьте кавычки и запятые' }
  }
}
