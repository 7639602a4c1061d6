import type { Answer } from './harness.ts'

/** The answer's body; an answer of another status fails the test with what it said. */
export function good<A>(answer: Answer<A>, status = 200): A {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`)
  return answer.body
}
