/**
 * Time budgets of test files, including hooks. The table in docs/tests.md has seconds of the reference machine. Every run
 * prints files above their budget; only `npm test -- budget` fails on them, scaled by the speed of the machine.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './prepare.mjs'

const TABLE = join(ROOT, 'docs/tests.md')
const SAMPLE_EVERY = 10_000
/** Iterations of the loop below, and its time during a full run on the reference machine. */
const TURNS = 240_000_000
const TURNS_MS = 300
const SLOWEST = 8

/** `| `files` | seconds |`; the first line that matches a file is its budget. */
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
 * @param pace how many times slower than the reference machine this one was between two moments (ms)
 * @returns a message for each file above its budget; empty: none
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

/** Seconds per area, largest first: its folder on the server or in the model, or the first folder of others. */
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
 * Measures the speed of the machine during a step: a fixed workload, repeated.
 * @returns ends it and returns the pace: how many times slower than the reference machine this one was, overall or
 * between two moments (the slowest value, since other load is not the file's fault); never below 1
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
