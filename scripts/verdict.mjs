/** What the results of the test runners say: counts, tests that passed only when repeated, tests left out. */
import { relative } from 'node:path'
import { ROOT } from './prepare.mjs'

/** More failed files than this are no accident: they are not repeated. */
const REPEATED_MOST = 6
/** fast-check: a repeat would take other examples, and could miss the one that fails. */
const COUNTEREXAMPLE = 'Property failed after'

/**
 * Files to run once more, alone: a test may have failed because the machine was busy. None if an example of a property
 * failed, or an error belongs to no test.
 * @param results of vitest's JSON reporter
 * @param errors number of errors outside of tests
 */
export function filesToRepeat({ testResults }, errors) {
  const failed = testResults.filter(({ status }) => status === 'failed')
  const messages = failed.flatMap(({ message, assertionResults }) => [
    message,
    ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
  ])
  const isSure = errors > 0 || messages.some((text) => text?.includes(COUNTEREXAMPLE))
  return isSure || failed.length > REPEATED_MOST ? [] : failed.map(({ name }) => name)
}

/**
 * @param first results of all files, `again` those of the repeated ones; absent: nothing was repeated
 * @returns counts, and `unsteady`: tests that failed first and passed when repeated, as `{ file, name }`
 */
export function vitestVerdict(first, again) {
  const { numPassedTests: passed, numFailedTests: failed, testResults } = first
  if (!again) return { passed, failed, unsteady: [] }
  const repeated = new Map(again.testResults.map((file) => [file.name, file]))
  const unsteady = []
  const counts = { passed, failed }
  for (const file of testResults) {
    const second = repeated.get(file.name)
    if (!second) continue
    for (const status of ['passed', 'failed']) counts[status] += number(second, status) - number(file, status)
    const bad = file.assertionResults.filter(({ status }) => status === 'failed')
    const ended = new Map(second.assertionResults.map(({ fullName, status }) => [fullName, status]))
    if (second.status !== 'passed') continue
    const names = bad.filter(({ fullName }) => ended.get(fullName) === 'passed').map(({ fullName }) => fullName)
    // A hook that failed has no test of its own.
    for (const name of names.length > 0 ? names : ['beforeAll'])
      unsteady.push({ file: relative(ROOT, file.name), name })
  }
  return { ...counts, unsteady }
}

const number = ({ assertionResults }, wanted) => assertionResults.filter(({ status }) => status === wanted).length

/** The same of Playwright's JSON report, which repeats by itself. */
export function browserVerdict({ stats, suites }) {
  const unsteady = []
  const read = (suite, file) => {
    for (const { title, line, tests } of suite.specs ?? [])
      if (tests.some(({ status }) => status === 'flaky')) unsteady.push({ file: `${file}:${line}`, name: title })
    for (const inner of suite.suites ?? []) read(inner, file)
  }
  for (const suite of suites) read(suite, `e2e/${suite.file}`)
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, unsteady }
}

/**
 * One line for each need that was missing, with the tests left out.
 * @param left `[{ file, needs }]`, one entry a test
 */
export function leftOut(left) {
  const byNeed = new Map()
  for (const one of left) byNeed.set(one.needs, [...(byNeed.get(one.needs) ?? []), one])
  return [...byNeed].map(([needs, tests]) => {
    const files = [...new Set(tests.map(({ file }) => file))].sort()
    return `${needs}: тестов ${tests.length} (${files.join(', ')})`
  })
}
