/** Starts, kills, pauses and cuts off the parts of a network, and starts again what ends by itself, as systemd would. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Part } from './parts.ts'
import { HOST } from './ports.ts'
import { cutOff, FIRST_GROUP, hasNftables, processesOf, signalAll } from './processes.ts'
import { fill, variables } from './settings.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Like `RestartSec=1` of a unit of systemd. */
export const RESTART_MS = 1_000
const STOP_MS = 15_000
const LOOK_MS = 50

/** `waiting`: not started yet. `running`: it is meant to run and its process is there. */
export type State = 'waiting' | 'running' | 'killed' | 'paused' | 'cut' | 'restarting'

export interface Account {
  uid: number
  gid: number
}

interface Held {
  part: Part
  group: number
  state: State
  child?: ChildProcess
}

export class Network {
  readonly #held = new Map<string, Held>()
  readonly root: string
  readonly #account: Account | undefined
  #ending = false

  /** @param account runs what is not ours; undefined: the network is not root's, every part runs as the current user */
  constructor(root: string, parts: readonly Part[], account: Account | undefined) {
    this.root = root
    this.#account = account
    parts.forEach((part, index) => {
      this.#held.set(part.name, { part, group: FIRST_GROUP + index, state: 'waiting' })
    })
  }

  /** True where a part can be cut off: Linux, root and nftables. */
  get canCut(): boolean {
    return this.#account !== undefined && hasNftables()
  }

  get parts(): { part: Part; state: State }[] {
    return [...this.#held.values()].map(({ part, state }) => ({ part, state }))
  }

  /** Makes an empty folder, after the end of what a killed run has left. */
  async clear(): Promise<void> {
    await this.#killLeft()
    cutOff([])
    rmSync(this.root, { recursive: true, force: true })
    this.#folder(this.root)
  }

  /** Writes the settings of a part. Sentinel changes its own: they are written once. */
  write(name: string): void {
    const { part } = this.#of(name)
    this.#folder(this.folder(name))
    for (const [file, content] of Object.entries(part.files)) {
      const path = join(this.folder(name), file)
      writeFileSync(path, typeof content === 'string' ? content : fill(content), { mode: 0o600 })
      if (this.#account) chownSync(path, this.#account.uid, this.#account.gid)
    }
  }

  folder = (name: string): string => join(this.root, name)

  /** Starts a part; one that ends by itself is started again. */
  start(name: string): void {
    const held = this.#of(name)
    const { part, group } = held
    const log = openSync(join(this.root, `${name}.log`), 'a', 0o600)
    const [file, ...args] = part.command
    const settings = part.environment && part.files[part.environment]
    const child = spawn(file, args, {
      cwd: part.isOurs ? ROOT : this.folder(name),
      // A group of its own: Ctrl+C in the terminal reaches this command alone.
      detached: true,
      stdio: ['ignore', log, log],
      ...(this.#account && { ...(part.isOurs ? {} : { uid: this.#account.uid }), gid: group }),
      env: {
        PATH: process.env.PATH,
        LC_ALL: 'C.UTF-8',
        HOME: this.folder(name),
        ...(part.isOurs && { NODE_ENV: 'production', NODE_COMPILE_CACHE: join(ROOT, '.cache/node') }),
        ...(settings && variables(typeof settings === 'string' ? settings : fill(settings))),
      },
    })
    closeSync(log)
    held.child = child
    held.state = 'running'
    child.once('error', (error) => console.error(`${name}: ${error.message}`))
    child.once('exit', async () => {
      if (held.child !== child || held.state === 'killed' || this.#ending) return
      held.state = 'restarting'
      await sleep(RESTART_MS)
      if (held.child === child && held.state === 'restarting' && !this.#ending) this.start(name)
    })
  }

  /** Ends all processes of a part at once, as a lost machine does; it stays down until `raise`. */
  kill(name: string): void {
    const held = this.#of(name)
    held.state = 'killed'
    signalAll(this.#processes(held), 'SIGKILL')
    this.#cut()
  }

  /** Stops all processes of a part without ending them: their connections stay open and silent. */
  pause(name: string): void {
    const held = this.#of(name)
    if (held.state !== 'running') return
    held.state = 'paused'
    signalAll(this.#processes(held), 'SIGSTOP')
  }

  /** Drops all that a part sends. @returns false where the machine cannot */
  cut(name: string): boolean {
    const held = this.#of(name)
    if (held.state !== 'running' || !this.#account) return false
    held.state = 'cut'
    if (this.#cut()) return true
    held.state = 'running'
    return false
  }

  /** Brings a part back, whatever was done to it. */
  raise(name: string): void {
    const held = this.#of(name)
    if (held.state === 'killed') this.start(name)
    if (held.state === 'paused') signalAll(this.#processes(held), 'SIGCONT')
    if (held.state === 'paused' || held.state === 'cut') held.state = 'running'
    this.#cut()
  }

  /** Ends everything, each part before those that it needs; what has not ended in time is killed. */
  async end(): Promise<void> {
    this.#ending = true
    cutOff([])
    const late = Date.now() + STOP_MS
    signalAll(this.#left(), 'SIGCONT')
    for (const kind of [...new Set(this.parts.map(({ part }) => part.kind))].reverse()) {
      const held = [...this.#held.values()].filter(({ part }) => part.kind === kind)
      for (const { child } of held) if (child?.pid !== undefined) signalAll([child.pid], 'SIGTERM')
      while (this.#left(held).length > 0 && Date.now() < late) await sleep(LOOK_MS)
    }
    await this.#killLeft()
  }

  async #killLeft(): Promise<void> {
    for (let left = this.#left(); left.length > 0; left = this.#left()) {
      signalAll(left, 'SIGKILL')
      await sleep(LOOK_MS)
    }
  }

  #left = (held: Iterable<Held> = this.#held.values()): number[] => [...held].flatMap((one) => this.#processes(one))

  #cut(): boolean {
    if (!this.#account) return false
    return cutOff([...this.#held.values()].filter(({ state }) => state === 'cut').map(({ group }) => group))
  }

  #processes({ group, child }: Held): number[] {
    if (this.#account) return processesOf(group)
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null ? [child.pid] : []
  }

  #folder(path: string): void {
    mkdirSync(path, { recursive: true, mode: 0o755 })
    if (this.#account) chownSync(path, this.#account.uid, this.#account.gid)
  }

  #of(name: string): Held {
    const held = this.#held.get(name)
    if (!held) throw new Error(`no such part: ${name}`)
    return held
  }
}

/** Waits until something holds. @throws Error with `what` after `limit` milliseconds */
export async function until(what: string, holds: () => Promise<unknown>, limit: number): Promise<void> {
  const end = Date.now() + limit
  while (!(await holds().catch(() => false))) {
    if (Date.now() > end) throw new Error(`${what}: ${limit / 1000} s have passed`)
    await sleep(LOOK_MS)
  }
}

/** True when something takes connections at a port of loopback. */
export const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, HOST)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
