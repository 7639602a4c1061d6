/**
 * The agent of a desk: one file without dependencies, run by Node (22 or newer) on the computer with the register and
 * the terminal. It opens a websocket to the server, receives tasks, performs them and replies.
 *
 * - A task has a key and is performed once per key: the start is written to a file before, and the result after.
 * - An undelivered result stays in the file until the server has confirmed it.
 * - Only addresses and programs allowed by its own settings are used, whatever the server requests.
 *
 * Settings are in `agent.json` beside the file (or in the file itself, when it was downloaded from the product):
 * `{ "server": "https://crm.clinic.ru", "token": "…", "addresses": ["http://127.0.0.1:16732"], "programs": [] }`.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

export interface AgentSettings {
  /** URL of the product, without a trailing slash. */
  server: string
  token: string
  /**
   * Prefixes of allowed addresses besides those of this computer: `http://192.168.1.50:16732`,
   * `tcp://192.168.1.60:9100`.
   */
  addresses?: readonly string[]
  /** Allowed programs, by the name in tasks. */
  programs?: readonly string[]
}

export type AgentTask =
  | {
      kind: 'http'
      method: 'GET' | 'POST'
      url: string
      body?: string
      /** Repeats a GET until the response contains none of these texts. */
      poll?: { url: string; pending: readonly string[] }
      /** Total timeout in milliseconds. */
      timeout: number
    }
  | {
      kind: 'command'
      program: string
      args: readonly string[]
      /** Output files of the program, read after it and deleted before. */
      files: readonly string[]
      encoding: string
      timeout: number
    }
  /** Bytes to a printer, in base64. */
  | { kind: 'tcp'; host: string; port: number; bytes: string; timeout: number }
  | { kind: 'ping'; timeout: number }

/** `isCertain` of a failure: the action was certainly not performed. */
export type AgentAnswer =
  | { ok: true; status: number; text: string; files?: readonly string[] }
  | { ok: false; error: string; isCertain: boolean }

/** Messages of both sides, as JSON. */
export type AgentWord =
  | { type: 'hello'; version: string; computer: string; node: string }
  | { type: 'answer'; key: string; answer: AgentAnswer }
  | { type: 'fate'; key: string; fate: 'never' | 'running' }
export type ServerWord =
  | { type: 'welcome'; name: string; version: string }
  | { type: 'beat' }
  | { type: 'task'; key: string; once: boolean; task: AgentTask }
  /** Queries the outcome of a task. One that has not arrived yet will never be performed. */
  | { type: 'ask'; key: string }
  | { type: 'taken'; key: string }

/** Incremented with each change of this file. */
export const AGENT_VERSION = '1'
/** Maximum number of characters kept of a result. */
const MAX_TEXT = 500_000
const POLL_MS = [20, 30, 50, 80, 120, 200]
/** Milliseconds of silence after which the connection counts as lost. */
const SILENCE_MS = 60_000
const LONGEST_PAUSE_MS = 30_000
/** Milliseconds for which keys are remembered: 14 days. */
const KEPT_MS = 14 * 86_400_000
/** Maximum number of concurrent tasks. */
const AT_ONCE = 8

const refused = (error: string): AgentAnswer => ({ ok: false, error, isCertain: true })
const lost = (error: string): AgentAnswer => ({ ok: false, error, isCertain: false })

const OWN = /^(?:http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?\/|tcp:\/\/(?:127\.0\.0\.1|localhost):)/
const mayAsk = (url: string, { addresses = [] }: Pick<AgentSettings, 'addresses'>): boolean =>
  OWN.test(url) || addresses.some((one) => url === one || url.startsWith(`${one.replace(/\/+$/, '')}/`))

/** Performs a task. Never throws. */
export async function perform(
  task: AgentTask,
  settings: Pick<AgentSettings, 'addresses' | 'programs'>,
): Promise<AgentAnswer> {
  switch (task.kind) {
    case 'ping':
      return { ok: true, status: 200, text: AGENT_VERSION }
    case 'http':
      return asked(task, settings)
    case 'command':
      return commanded(task, settings)
    case 'tcp':
      return handed(task, settings)
    default:
      return refused('Агент не знает такого задания: обновите его')
  }
}

async function asked(
  task: Extract<AgentTask, { kind: 'http' }>,
  settings: AgentSettings | Pick<AgentSettings, 'addresses'>,
): Promise<AgentAnswer> {
  if (!mayAsk(task.url, settings) || (task.poll && !mayAsk(task.poll.url, settings)))
    return refused(`Адрес не разрешён в настройках агента: ${URL.parse(task.url)?.origin ?? '?'}`)
  const signal = AbortSignal.timeout(task.timeout)
  const say = async (method: string, url: string, body?: string) => {
    const answer = await fetch(url, {
      method,
      signal,
      redirect: 'error',
      ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
    })
    return { status: answer.status, text: (await answer.text()).slice(0, MAX_TEXT) }
  }
  let isSent = false
  try {
    let answer = await say(task.method, task.url, task.body)
    isSent = true
    const { poll } = task
    if (poll && answer.status < 300)
      for (let turn = 0; ; turn++) {
        answer = await say('GET', poll.url)
        if (answer.status >= 300 || !poll.pending.some((word) => answer.text.includes(word))) break
        await new Promise((next) => setTimeout(next, POLL_MS[Math.min(turn, POLL_MS.length - 1)]))
      }
    return { ok: true, ...answer }
  } catch (error) {
    const code = (error as { cause?: { code?: string } }).cause?.code
    const isCertain =
      task.method === 'GET' || (!isSent && (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EHOSTUNREACH'))
    return {
      ok: false,
      isCertain,
      error: isCertain
        ? 'Устройство не отвечает: проверьте, включено ли оно и запущен ли драйвер'
        : 'Ответ устройства не пришёл',
    }
  }
}

async function commanded(
  task: Extract<AgentTask, { kind: 'command' }>,
  { programs = [] }: Pick<AgentSettings, 'programs'>,
): Promise<AgentAnswer> {
  if (!programs.includes(task.program))
    return refused(`Программа не разрешена на этом компьютере: впишите её в agent.json (${basename(task.program)})`)
  const folder = dirname(resolve(task.program))
  const places = task.files.map((file) => resolve(folder, file))
  if (places.some((place) => dirname(place) !== folder))
    return refused('Файлы ответа читаются только рядом с программой')
  for (const place of places) rmSync(place, { force: true })
  return new Promise((done) => {
    const chunks: Buffer[] = []
    const child = spawn(task.program, [...task.args], {
      cwd: folder,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const read = (bytes: Buffer) => {
      try {
        return new TextDecoder(task.encoding).decode(bytes).slice(0, MAX_TEXT)
      } catch {
        return bytes.toString('latin1').slice(0, MAX_TEXT)
      }
    }
    const timer = setTimeout(() => {
      child.kill()
      done(lost('Программа банка не ответила вовремя'))
    }, task.timeout)
    child.stdout.on('data', (piece: Buffer) => chunks.push(piece))
    child.stderr.on('data', (piece: Buffer) => chunks.push(piece))
    child.once('error', (error) => {
      clearTimeout(timer)
      done(refused(`Программа не запустилась: ${(error as NodeJS.ErrnoException).code ?? 'ошибка'}`))
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      const files = places.map((place) => (existsSync(place) ? read(readFileSync(place)) : ''))
      done({ ok: true, status: code ?? -1, text: read(Buffer.concat(chunks)), files })
    })
  })
}

function handed(
  { host, port, bytes, timeout }: Extract<AgentTask, { kind: 'tcp' }>,
  settings: Pick<AgentSettings, 'addresses'>,
): Promise<AgentAnswer> {
  const url = `tcp://${host}:${port}`
  if (!mayAsk(url, settings)) return Promise.resolve(refused(`Адрес не разрешён в настройках агента: ${url}`))
  return new Promise((done) => {
    const socket = connect({ host, port })
    let isOpen = false
    socket.setTimeout(timeout, () => socket.destroy(new Error('late')))
    socket.once('connect', () => {
      isOpen = true
      socket.end(Buffer.from(bytes, 'base64'))
    })
    socket.once('error', () => done(isOpen ? lost('Принтер не принял всё до конца') : refused('Принтер не отвечает')))
    socket.once('close', (isFailed) => !isFailed && done({ ok: true, status: 200, text: '' }))
  })
}

interface Remembered {
  at: number
  /** Absent: it was started, and its outcome is unknown. */
  answer?: AgentAnswer
  /** The server has the result. */
  isTaken?: boolean
  /** It was queried before it arrived, so it is never performed. */
  isRefused?: boolean
}

/** Keys and results in a file of lines, each flushed to disk before it counts. */
export function openJournal(file: string) {
  const all = new Map<string, Remembered>()
  const note = (key: string, more: Partial<Remembered>) => {
    const now = { ...(all.get(key) ?? { at: Date.now() }), ...more }
    all.set(key, now)
    return `${JSON.stringify({ key, ...now })}\n`
  }
  if (existsSync(file))
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      try {
        const { key, ...kept } = JSON.parse(line) as Remembered & { key: string }
        if (kept.at > Date.now() - KEPT_MS) all.set(key, kept)
      } catch {
        // The last line of a file whose writer was killed.
      }
    }
  for (const [key, one] of all)
    if (!one.answer && !one.isRefused)
      all.set(key, { ...one, answer: lost('Агент был остановлен во время операции: проверьте устройство') })
  const fresh = `${file}.new`
  writeFileSync(fresh, [...all].map(([key, one]) => `${JSON.stringify({ key, ...one })}\n`).join(''), { mode: 0o600 })
  renameSync(fresh, file)
  const handle = openSync(file, 'a', 0o600)
  const write = (line: string) => {
    writeSync(handle, line)
    fsyncSync(handle)
  }
  return {
    of: (key: string): Remembered | undefined => all.get(key),
    begin: (key: string) => write(note(key, {})),
    end: (key: string, answer: AgentAnswer) => write(note(key, { answer })),
    taken: (key: string) =>
      all.has(key) &&
      write(
        note(key, {
          isTaken: true,
          ...(all.get(key)?.answer && { answer: { ok: true, status: 0, text: '' } as AgentAnswer }),
        }),
      ),
    refuse: (key: string) => write(note(key, { isRefused: true })),
    /** Results that the server has not confirmed. */
    waiting: (): [string, AgentAnswer][] =>
      [...all].flatMap(([key, { answer, isTaken }]) =>
        answer && !isTaken ? [[key, answer] as [string, AgentAnswer]] : [],
      ),
    close: () => closeSync(handle),
  }
}

export interface RunningAgent {
  stop(): void
}

/**
 * Runs the agent until it is stopped: reconnects whenever the connection breaks.
 * @param journal file of keys and results
 */
export function runAgent(
  settings: AgentSettings,
  journal: string,
  log: (words: string) => void = console.log,
): RunningAgent {
  const kept = openJournal(journal)
  const running = new Set<string>()
  const queue: Extract<ServerWord, { type: 'task' }>[] = []
  let line: WebSocket | undefined
  let pause = 500
  let isStopped = false
  let lastReceived = Date.now()
  let again: NodeJS.Timeout | undefined

  const say = (word: AgentWord) => {
    if (line?.readyState === WebSocket.OPEN) line.send(JSON.stringify(word))
  }
  async function work(): Promise<void> {
    while (running.size < AT_ONCE) {
      const next = queue.shift()
      if (!next) return
      const { key, once, task } = next
      running.add(key)
      if (once) kept.begin(key)
      void perform(task, settings).then((answer) => {
        if (once) kept.end(key, answer)
        running.delete(key)
        say({ type: 'answer', key, answer })
        void work()
      })
    }
  }
  function onMessage(word: ServerWord): unknown {
    lastReceived = Date.now()
    switch (word.type) {
      case 'welcome':
        pause = 500
        log(`На связи: ${word.name}`)
        if (word.version !== AGENT_VERSION)
          log(`Есть новая версия агента (${word.version}): скачайте её в программе, раздел «Агенты касс»`)
        for (const [key, answer] of kept.waiting()) say({ type: 'answer', key, answer })
        return
      case 'taken':
        kept.taken(word.key)
        return
      case 'ask': {
        const known = kept.of(word.key)
        if (running.has(word.key) || queue.some(({ key }) => key === word.key))
          return say({ type: 'fate', key: word.key, fate: 'running' })
        if (known?.answer) return say({ type: 'answer', key: word.key, answer: known.answer })
        if (!known?.isRefused) kept.refuse(word.key)
        return say({ type: 'fate', key: word.key, fate: 'never' })
      }
      case 'task': {
        const known = kept.of(word.key)
        if (running.has(word.key) || queue.some(({ key }) => key === word.key)) return
        if (known?.answer) return say({ type: 'answer', key: word.key, answer: known.answer })
        if (known?.isRefused) return say({ type: 'fate', key: word.key, fate: 'never' })
        queue.push(word)
        void work()
        return
      }
      default:
    }
  }
  function open(): void {
    if (isStopped) return
    const socket = new WebSocket(`${settings.server.replace(/^http/, 'ws').replace(/\/+$/, '')}/agent/ws`, {
      headers: { authorization: `Bearer ${settings.token}` },
    } as unknown as string[])
    line = socket
    lastReceived = Date.now()
    let isOver = false
    const over = () => {
      if (isOver) return
      isOver = true
      if (line === socket) line = undefined
      if (isStopped) return
      again = setTimeout(open, pause * (0.5 + Math.random()))
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
    socket.onopen = () => say({ type: 'hello', version: AGENT_VERSION, computer: hostname(), node: process.version })
    socket.onmessage = ({ data }) => {
      try {
        onMessage(JSON.parse(String(data)) as ServerWord)
      } catch (error) {
        log(`Не удалось разобрать сообщение сервера: ${String(error)}`)
      }
    }
    socket.onclose = ({ code, reason }) => {
      if (!isOver)
        log(
          code === 4001
            ? 'Агент отозван или заменён: скачайте его заново'
            : `Связь прервана${reason ? `: ${reason}` : ''}`,
        )
      if (code === 4001) pause = LONGEST_PAUSE_MS
      over()
    }
    socket.onerror = () => {
      if (!isOver) log('Нет связи с сервером: пробую снова')
      over()
    }
  }
  const watch = setInterval(() => {
    if (line && Date.now() - lastReceived > SILENCE_MS) line.close()
  }, 10_000)
  open()
  return {
    stop() {
      isStopped = true
      clearInterval(watch)
      clearTimeout(again)
      line?.close()
      kept.close()
    },
  }
}

/** Replaced when the file is downloaded. */
const EMBEDDED: AgentSettings | null = null

const own = process.argv[1]
if (own && basename(own) === basename(import.meta.filename ?? '') && resolve(own) === import.meta.filename) {
  const folder = dirname(own)
  const file = join(folder, 'agent.json')
  const written = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<AgentSettings>) : {}
  const option = (name: string) => {
    const at = process.argv.indexOf(`--${name}`)
    return at > 0 ? process.argv[at + 1] : undefined
  }
  const settings = {
    ...(EMBEDDED as AgentSettings | null),
    ...written,
    ...(option('server') && { server: option('server') }),
    ...(option('token') && { token: option('token') }),
  } as Partial<AgentSettings>
  if (!settings.server || !settings.token) {
    console.error('Нужны адрес сервера и ключ: скачайте агента в программе или впишите server и token в agent.json')
    process.exit(1)
  }
  const mark = createHash('sha256').update(settings.token).digest('hex').slice(0, 8)
  const running = runAgent(settings as AgentSettings, option('journal') ?? join(folder, `agent-${mark}.journal`))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      running.stop()
      process.exit(0)
    })
}
