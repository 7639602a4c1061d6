/** How much a server should hold back work that can wait: its own thread or the whole machine is busy. */
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'

const LOOK_MS = 250
/** Busy shares of time of the thread, and of all cores: PostgreSQL and further servers may share the machine. */
const BUSY_THREAD = 0.6
const BUSY_MACHINE = 0.85
const MAX_FACTOR = 8

/** Busy shares of time since the last look, 0 to 1. */
export interface Shares {
  thread: number
  machine: number
}

export interface Load {
  /** How many times longer to pause: 1 to 8. */
  factor(): number
  stop(): void
}

/** Looks four times a second: the factor doubles while something is busy, and halves while nothing is. */
export function watchLoad(look: () => Shares = looksAtBoth()): Load {
  let factor = 1
  const timer = setInterval(() => {
    const { thread, machine } = look()
    const isBusy = thread > BUSY_THREAD || machine > BUSY_MACHINE
    factor = isBusy ? Math.min(factor * 2, MAX_FACTOR) : Math.max(factor / 2, 1)
  }, LOOK_MS).unref()
  return { factor: () => factor, stop: () => clearInterval(timer) }
}

function looksAtBoth(): () => Shares {
  let before = { thread: performance.eventLoopUtilization(), ...coreTimes() }
  return () => {
    const now = { thread: performance.eventLoopUtilization(), ...coreTimes() }
    const { utilization } = performance.eventLoopUtilization(now.thread, before.thread)
    const [idle, all] = [now.idle - before.idle, now.all - before.all]
    before = now
    return { thread: utilization, machine: all > 0 ? 1 - idle / all : 0 }
  }
}

/** Milliseconds of all cores since the start of the machine. */
function coreTimes(): { idle: number; all: number } {
  const times = cpus().map(({ times }) => times)
  const sum = (of: (time: (typeof times)[number]) => number) => times.reduce((sum, time) => sum + of(time), 0)
  return {
    idle: sum(({ idle }) => idle),
    all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
  }
}
