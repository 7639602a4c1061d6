import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** Each import is another tab of one browser: storage and locks are shared. */
const tab = async () => {
  vi.resetModules()
  return import('./alerts.ts')
}

let tones = 0
const store = new Map<string, string>()
const ramp = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} }
const node = () => ({
  connect: (to: unknown) => to,
  gain: ramp,
  frequency: { value: 0 },
  start: () => tones++,
  stop() {},
})

beforeEach(() => {
  tones = 0
  store.clear()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  vi.stubGlobal('document', { hasFocus: () => true })
  vi.stubGlobal('localStorage', { getItem: (key: string) => store.get(key) ?? null, setItem: store.set.bind(store) })
  vi.stubGlobal(
    'AudioContext',
    class {
      currentTime = 0
      destination = {}
      resume = async () => {}
      createOscillator = node
      createGain = node
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const TONES = 2
/** Waits until so many tabs hold the lock and wait for it. */
const locks = async (held: number, pending: number) => {
  const now = () => navigator.locks.query().then((all) => [all.held?.length, all.pending?.length])
  await expect.poll(now, { interval: 5 }).toEqual([held, pending])
}

it('a notice sounds in one tab, however many receive it', async () => {
  const tabs = await Promise.all([tab(), tab(), tab()])
  await Promise.all(tabs.map(({ alertOnce, chime }) => alertOnce(7, chime)))
  expect(tones).toBe(TONES)
  await tabs[1]?.alertOnce(8, () => tabs[1]?.chime())
  expect(tones).toBe(2 * TONES)
})

it('a reminder sounds in one tab each half minute, and in the next when that one is gone', async () => {
  const [first, second] = [await tab(), await tab()]
  const ends = [first.remind(() => true), second.remind(() => true)]
  await locks(1, 1)
  vi.advanceTimersByTime(90_000)
  expect(tones).toBe(3 * TONES)
  ends[0]?.()
  await locks(1, 0)
  vi.advanceTimersByTime(30_000)
  expect(tones).toBe(4 * TONES)
  ends[1]?.()
  await locks(0, 0)
  vi.advanceTimersByTime(90_000)
  expect(tones).toBe(4 * TONES)
})

it('no reminder follows at the heels of a sound, and none where it may not', async () => {
  const one = await tab()
  const end = one.remind(() => true)
  await locks(1, 0)
  vi.advanceTimersByTime(20_000)
  one.chime()
  vi.advanceTimersByTime(10_000)
  expect(tones).toBe(TONES)
  vi.advanceTimersByTime(30_000)
  expect(tones).toBe(2 * TONES)
  end()
  await locks(0, 0)
  const silent = one.remind(() => false)
  await locks(1, 0)
  vi.advanceTimersByTime(90_000)
  expect(tones).toBe(2 * TONES)
  silent()
})
