import { describe, expect, it } from 'vitest'
import { type RunStepState, refusalOfMark, type StepMark, type StepTerms, violationOf } from './run.ts'

describe('violationOf', () => {
  const plain: StepTerms = { status: 'active', importance: 'normal', timeEstimate: 5 }
  const mark: StepMark = { state: 'done', note: null, seconds: 60 }
  const table: [what: string, step: Partial<StepTerms>, mark: Partial<StepMark>, level: string | undefined][] = [
    ['waits', {}, { state: 'waiting', seconds: 9999 }, undefined],
    ['done in time', {}, {}, undefined],
    ['done at the very end of its time', {}, { seconds: 300 }, undefined],
    ['done late', {}, { seconds: 301 }, 'medium'],
    ['done late, though critical', { status: 'critical', importance: 'high' }, { seconds: 301 }, 'medium'],
    ['done at any time, when it has no estimate', { timeEstimate: 0 }, { seconds: 99999 }, undefined],
    ['skipped', {}, { state: 'skipped' }, 'high'],
    ['skipped, critical', { status: 'critical' }, { state: 'skipped' }, 'high'],
    ['skipped, optional', { status: 'optional' }, { state: 'skipped' }, undefined],
    ['skipped, optional and late', { status: 'optional' }, { state: 'skipped', seconds: 999 }, undefined],
    ['failed', {}, { state: 'failed' }, 'high'],
    ['failed, critical', { status: 'critical' }, { state: 'failed' }, 'critical'],
    ['failed, important', { importance: 'high' }, { state: 'failed' }, 'critical'],
    ['failed, optional', { status: 'optional' }, { state: 'failed' }, 'high'],
  ]
  it.each(table)('%s', (_, step, given, level) => {
    expect(violationOf({ ...plain, ...step }, { ...mark, ...given })?.level).toBe(level)
  })

  it('describes what happened, with the note', () => {
    const words = (given: Partial<StepMark>) => violationOf(plain, { ...mark, ...given })?.description
    expect(words({ state: 'failed', note: ' нет реагента ' })).toBe('Шаг не выполнен: нет реагента')
    expect(words({ state: 'skipped', note: '  ' })).toBe('Шаг пропущен')
    expect(words({ seconds: 720 })).toBe('Шаг занял 12:00 вместо 5:00')
  })
})

describe('refusalOfMark', () => {
  const states: RunStepState[] = ['done', 'skipped', 'waiting', 'waiting']
  it.each<[at: number, to: RunStepState, refusal: string | undefined]>([
    [2, 'done', undefined],
    [3, 'done', 'Сначала отметьте шаг 3'],
    [3, 'waiting', undefined],
    [1, 'waiting', undefined],
    [1, 'failed', undefined],
    [0, 'done', undefined],
    [0, 'waiting', 'Изменить можно только последнюю отметку: шаг 2'],
    [0, 'failed', 'Изменить можно только последнюю отметку: шаг 2'],
  ])('step %i to %s', (at, to, refusal) => expect(refusalOfMark(states, at, to)).toBe(refusal))

  it('lets the last step of a whole run be taken back', () => {
    expect(refusalOfMark(['done', 'done'], 1, 'waiting')).toBeUndefined()
    expect(refusalOfMark(['done', 'done'], 0, 'waiting')).toBe('Изменить можно только последнюю отметку: шаг 2')
  })
})
