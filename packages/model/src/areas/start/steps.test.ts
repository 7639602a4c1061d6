import { describe, expect, it } from 'vitest'
import { pageByKey } from '../../pages.ts'
import { clinicWorks, minutesLeft, nextStep, type StartKey, type StartStep, startKeys, startSteps } from './steps.ts'

const steps = (done: readonly StartKey[], skipped: readonly StartKey[] = []) =>
  startKeys.map((key) => ({
    key,
    done: done.includes(key),
    state: skipped.includes(key) ? ('skipped' as const) : null,
  }))
const needed = (startSteps as readonly StartStep[]).filter((one) => one.needed).map(({ key }) => key as StartKey)
const other = startKeys.filter((key) => !needed.includes(key))

describe('the way to an open clinic', () => {
  it('leads to pages whose people may take the step', () => {
    for (const { page, any } of startSteps) {
      const opens: readonly string[] = pageByKey(page).any ?? any
      expect(opens.some((right) => right === any[0] || right.startsWith('view'))).toBe(true)
    }
  })

  it('is over when what is needed is done and the rest is done or put off', () => {
    expect(clinicWorks(steps(needed, other), false)).toBe(true)
    expect(clinicWorks(steps(needed, other.slice(1)), false)).toBe(false)
  })

  it('is over after the first visit, but never without what is needed', () => {
    expect(clinicWorks(steps(needed), true)).toBe(true)
    expect(clinicWorks(steps(needed.slice(1), [needed[0] as StartKey]), true)).toBe(false)
  })

  it('goes on with the first step that is neither done nor put off, and counts the minutes of the rest', () => {
    expect(nextStep(steps(['organization'], ['branch']))?.key).toBe('staff')
    expect(nextStep(steps(startKeys))).toBeUndefined()
    expect(minutesLeft(steps(startKeys.slice(1)))).toBe(startSteps[0].minutes)
  })
})
