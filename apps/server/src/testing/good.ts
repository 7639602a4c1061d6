import type { Answer } from './harness.ts'

/** The body of an answer; any other status fails the test with the answer's text. */
export function good<A>(answer: Answer<A>, status = 200): A {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`)
  return answer.body
}
