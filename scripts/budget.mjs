/**
 * The budget of the suite: how long a file of tests may take, hooks counted. The shares are in docs/tests.md, as seconds
 * of the machine they were measured on. Every run prints what is over; only `npm test -- budget` fails by it, and takes
 * the pace of the machine into account.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './prepare.mjs'

const TABLE = join(ROOT, 'docs/tests.md')
const SAMPLE_EVERY = 10_000
/** Turns of the loop below, and how long they take beside a full run on the machine of the table. */
const TURNS = 240_000_000
const TURNS_MS = 300
const SLOWEST = 8

/** `| `files` | seconds |`, the first line that fits a file is its share. */
export function readBudget(text = readFileSync(TABLE, 'utf8')) {
  return [...text.matchAll(/^\| `([^`]+)` \| (\d+) \|/gm)].map(([, files, seconds]) => ({
    files,
    fits: new RegExp(
      `^${files.replaceAll('.', '\\.').replaceAll('**', '\u0000').replaceAll('*', '[^/]*').replaceAll('\u0000', '.*')}$`,
    ),
    seconds: Number(seconds),
  }))
}

/**
 * @param pace how many times slower than the machine of the table this one was from one moment to another (ms)
 * @returns the files that took more than their share, each in words; none: the budget is held
 */
export function overBudget(files, budget, pace) {
  return files.flatMap(({ file, seconds, from, to }) => {
    const share = budget.find(({ fits }) => fits.test(file))
    if (!share) return [`${file}: нет доли в docs/tests.md`]
    const may = share.seconds * pace(from, to)
    return seconds <= may ? [] : [`${file}: ${seconds.toFixed(1)} с, доля ${may.toFixed(1)} с (${share.files})`]
  })
}

export const slowest = (files) => files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)

/** Seconds of each area, the dearest first: its folder on the server or in the model, or the first folder of others. */
export function byArea(files) {
  const areas = new Map()
  for (const { file, seconds } of files) {
    const inside = file.match(/^(?:apps\/server|packages\/model)\/src\/(?:areas\/)?([^/]+)\//)
    const area = inside?.[1] ?? file.split('/')[0]
    areas.set(area, (areas.get(area) ?? 0) + seconds)
  }
  return [...areas].map(([area, seconds]) => ({ area, seconds })).toSorted((a, b) => b.seconds - a.seconds)
}

export function playwrightFiles({ suites }) {
  const seconds = new Map()
  const count = (suite, file) => {
    for (const { tests } of suite.specs ?? [])
      for (const { duration } of tests.flatMap(({ results }) => results))
        seconds.set(file, (seconds.get(file) ?? 0) + duration / 1000)
    for (const inner of suite.suites ?? []) count(inner, file)
  }
  for (const suite of suites) count(suite, `e2e/${suite.file}`)
  return [...seconds].map(([file, taken]) => ({ file, seconds: taken }))
}

/**
 * Takes the machine's pulse while a step runs: a fixed piece of work, again and again.
 * @returns ends it and answers the pace: how many times slower than the machine of the table this one was, all the
 *   while or between two moments (the slowest of them: somebody else's work there is not the file's); never below 1
 */
export function takePulse() {
  const taken = [beat()]
  const timer = setInterval(() => taken.push(beat()), SAMPLE_EVERY)
  return () => {
    clearInterval(timer)
    const slow = taken.map(({ ms }) => ms).toSorted((a, b) => a - b)
    const usual = Math.max(1, slow[Math.floor(slow.length / 2)] / TURNS_MS)
    return (from, to) =>
      Math.max(usual, ...taken.flatMap(({ at, ms }) => (at >= from && at <= to ? [ms / TURNS_MS] : [])))
  }
}

function beat() {
  const at = Date.now()
  const began = performance.now()
  let sum = 0
  for (let i = 0; i < TURNS; i++) sum = (sum + i * 31) | 0
  return { at, ms: performance.now() - began + (sum === 1 ? 1 : 0) }
}
