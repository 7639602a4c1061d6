import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './prepare.mjs'
import { browserVerdict, filesToRepeat, leftOut, vitestVerdict } from './verdict.mjs'

const file = (name: string, tests: Record<string, string>, message = '') => ({
  name: join(ROOT, name),
  status: message || Object.values(tests).some((text) => text !== '') ? 'failed' : 'passed',
  message,
  assertionResults: Object.entries(tests).map(([fullName, text]) => ({
    fullName,
    status: text ? 'failed' : 'passed',
    failureMessages: text ? [text] : [],
  })),
})
type File = ReturnType<typeof file>
const run = (...testResults: File[]) => {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  const count = (wanted: string) => all.filter((status) => status === wanted).length
  return { testResults, numPassedTests: count('passed'), numFailedTests: count('failed') }
}
const steady = file('a.test.ts', { one: '', two: '' })

it('a failed file is run once more, and its tests that pass then are named as unsteady', () => {
  const first = run(steady, file('b.test.ts', { three: 'timed out', four: '' }))
  const broken = [{ file: 'b.test.ts', name: 'three', why: 'timed out' }]
  expect(filesToRepeat(first, 0)).toEqual([join(ROOT, 'b.test.ts')])
  expect(vitestVerdict(first, null)).toEqual({ passed: 3, failed: 1, unsteady: [], broken })
  expect(vitestVerdict(first, run(file('b.test.ts', { three: '', four: '' })))).toEqual({
    passed: 4,
    failed: 0,
    broken: [],
    unsteady: [{ file: 'b.test.ts', name: 'three', why: 'timed out' }],
  })
  const again = run(file('b.test.ts', { three: 'timed out', four: '' }))
  expect(vitestVerdict(first, again)).toEqual({ passed: 3, failed: 1, unsteady: [], broken })
})

it('tests of a file whose hook failed are counted when they have run', () => {
  const first = run(steady, file('b.test.ts', {}, 'Hook timed out'))
  expect(vitestVerdict(first, run(file('b.test.ts', { three: '' })))).toEqual({
    passed: 3,
    failed: 0,
    broken: [],
    unsteady: [{ file: 'b.test.ts', name: 'beforeAll', why: 'Hook timed out' }],
  })
})

it('a counterexample, an error outside of tests and a run with many failures are not repeated', () => {
  const bad = file('b.test.ts', { three: 'timed out' })
  const sure = file('c.test.ts', { five: 'Error: Property failed after 3 tests\n{ seed: 1 }' })
  expect(filesToRepeat(run(sure, bad), 0)).toEqual([join(ROOT, 'b.test.ts')])
  expect(vitestVerdict(run(sure, bad), run(file('b.test.ts', { three: '' })))).toMatchObject({
    failed: 1,
    broken: [{ file: 'c.test.ts', name: 'five', why: 'Error: Property failed after 3 tests { seed: 1 }' }],
  })
  expect(filesToRepeat(run(bad), 1)).toEqual([])
  expect(filesToRepeat(run(...Array.from({ length: 7 }, () => bad)), 0)).toEqual([])
})

it('a browser test that passed at its second try is named with its place', () => {
  const results = [{ error: { message: '\u001b[31mError: gone\u001b[39m\n\n  at 7' } }]
  const spec = (title: string, status: string) => ({ title, line: 7, tests: [{ status, results }] })
  const stats = { expected: 1, flaky: 1, unexpected: 1 }
  const inner = { specs: [spec('b', 'flaky'), spec('c', 'unexpected')] }
  const suites = [{ file: 'board.e2e.ts', specs: [spec('a', 'expected')], suites: [inner] }]
  expect(browserVerdict({ stats, suites })).toEqual({
    passed: 2,
    failed: 1,
    unsteady: [{ file: 'e2e/board.e2e.ts:7', name: 'b', why: 'Error: gone at 7' }],
    broken: [{ file: 'e2e/board.e2e.ts:7', name: 'c', why: 'Error: gone at 7' }],
  })
})

it('tests left out are listed by what they need', () => {
  const left = ['b', 'a', 'a'].map((name) => ({ file: `${name}.test.ts`, needs: 'ClamAV' }))
  expect(leftOut([...left, { file: 'c.test.ts', needs: 'nginx' }])).toEqual([
    'ClamAV: тестов 3 (a.test.ts, b.test.ts)',
    'nginx: тестов 1 (c.test.ts)',
  ])
})
