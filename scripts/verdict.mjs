/** Results of the test runners: counts, tests that passed only when repeated, tests left out. */
import { relative } from 'node:path'
import { ROOT } from './prepare.mjs'

/** More failed files than this are no accident: they are not repeated. */
const REPEATED_MOST = 6
/** fast-check: a repeat would take other examples, and could miss the one that fails. */
const COUNTEREXAMPLE = 'Property failed after'

/**
 * Files to run once more, alone: a test may have failed because the machine was busy. Not those with a counterexample of
 * a property; none if an error belongs to no test.
 * @param results of vitest's JSON reporter
 * @param errors number of errors outside of tests
 */
export function filesToRepeat({ testResults }, errors) {
  const failed = testResults.filter(({ status }) => status === 'failed')
  if (errors > 0 || failed.length > REPEATED_MOST) return []
  return failed.filter((file) => !hasCounterexample(file)).map(({ name }) => name)
}

export const hasCounterexample = ({ message, assertionResults }) =>
  [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)].some((text) =>
    text?.includes(COUNTEREXAMPLE),
  )

/**
 * @param first results of all files, `again` those of the repeated ones; absent: nothing was repeated
 * @returns counts; `unsteady`: tests that failed first and passed when repeated; `broken`: those that failed at last; both
 *   as `{ file, name, why }`
 */
export function vitestVerdict(first, again) {
  const repeated = new Map(again?.testResults.map((file) => [file.name, file]))
  const counts = { passed: first.numPassedTests, failed: first.numFailedTests, unsteady: [], broken: [] }
  for (const file of first.testResults) {
    const second = repeated.get(file.name)
    counts.broken.push(...brokenIn(second ?? file))
    if (!second) continue
    for (const status of ['passed', 'failed']) counts[status] += number(second, status) - number(file, status)
    const bad = file.assertionResults.filter(({ status }) => status === 'failed')
    const ended = new Map(second.assertionResults.map(({ fullName, status }) => [fullName, status]))
    if (second.status !== 'passed') continue
    const better = bad.filter(({ fullName }) => ended.get(fullName) === 'passed')
    // A hook that failed has no test of its own, or the message of none.
    const named = better.length > 0 ? better : [{ fullName: 'beforeAll', failureMessages: [] }]
    for (const { fullName, failureMessages } of named)
      counts.unsteady.push({
        file: relative(ROOT, file.name),
        name: fullName,
        why: why(failureMessages[0]) || why(file.message),
      })
  }
  return counts
}

const WHY_LENGTH = 300
/** The first line of a message with content. */
const why = (message) =>
  (message ?? '')
    .replaceAll(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 2)
    .join(' ')
    .slice(0, WHY_LENGTH)

function brokenIn({ name, status, message, assertionResults }) {
  if (status !== 'failed') return []
  const bad = assertionResults.filter((one) => one.status === 'failed')
  const file = relative(ROOT, name)
  if (bad.length === 0) return [{ file, name: 'beforeAll', why: why(message) }]
  return bad.map(({ fullName, failureMessages }) => ({ file, name: fullName, why: why(failureMessages[0]) }))
}

const number = ({ assertionResults }, wanted) => assertionResults.filter(({ status }) => status === wanted).length

/** The same of Playwright's JSON report, which repeats by itself. */
export function browserVerdict({ stats, suites }) {
  const [unsteady, broken] = [[], []]
  const read = (suite, file) => {
    for (const { title, line, tests } of suite.specs ?? []) {
      const named = { file: `${file}:${line}`, name: title }
      for (const { status, results = [] } of tests) {
        if (status === 'flaky') unsteady.push({ ...named, why: why(results[0]?.error?.message) })
        if (status === 'unexpected') broken.push({ ...named, why: why(results.at(-1)?.error?.message) })
      }
    }
    for (const inner of suite.suites ?? []) read(inner, file)
  }
  for (const suite of suites) read(suite, `e2e/${suite.file}`)
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, unsteady, broken }
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
