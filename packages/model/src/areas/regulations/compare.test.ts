import { describe, expect, it } from 'vitest'
import { compareVersions } from './compare.ts'
import type { RegulationView, Stage } from './wire.ts'

const stage = (id: number, title: string, more: Partial<Stage> = {}): Stage => ({
  id,
  title,
  description: null,
  timeEstimate: 0,
  status: 'active',
  importance: 'normal',
  type: 'internal',
  responsible: null,
  responsibles: [],
  users: [],
  images: [],
  scripts: [],
  scriptNames: [],
  documents: [],
  violations: [],
  ...more,
})
const version = (stages: Stage[], more: Partial<RegulationView> = {}) =>
  ({ name: 'А', type: 'Регламент', hasTest: 0, stages, ...more }) as RegulationView

/** Copies have ids of their version's hundred plus the number of the step. */
const originOf = (id: number) => id % 100
const states = (from: Stage[], to: Stage[]) =>
  compareVersions(version(from), version(to), originOf).stages.map(
    (one) => `${one.state} ${one.from?.n ?? '-'}>${one.to?.n ?? '-'} ${(one.to ?? one.from)?.title}`,
  )

describe('two versions', () => {
  it('differ by fields, in words', () => {
    const { fields } = compareVersions(
      version([], { role: 'Врач' }),
      version([], { role: 'Медсестра', name: 'Б', reviewMonths: 6 }),
      originOf,
    )
    expect(fields).toEqual([
      { field: 'name', label: 'Название', from: 'А', to: 'Б' },
      { field: 'role', label: 'Ответственная роль', from: 'Врач', to: 'Медсестра' },
      { field: 'reviewMonths', label: 'Пересмотр, мес.', from: null, to: 6 },
    ])
  })

  it('differ by steps: one that is new, gone, renamed, moved', () => {
    const from = [stage(1, 'а'), stage(2, 'б'), stage(3, 'в'), stage(4, 'г')]
    expect(states(from, [stage(101, 'а'), stage(102, 'б'), stage(103, 'в'), stage(104, 'г')])).toEqual([
      'same 1>1 а',
      'same 2>2 б',
      'same 3>3 в',
      'same 4>4 г',
    ])
    expect(states(from, [stage(104, 'г'), stage(101, 'а'), stage(150, 'новый'), stage(103, 'В!')])).toEqual([
      'moved 4>1 г',
      'same 1>2 а',
      'removed 2>- б',
      'added ->3 новый',
      'changed 3>4 В!',
    ])
  })

  it('match by title what shares no origin', () => {
    expect(states([stage(1, 'а'), stage(2, 'б')], [stage(150, 'б'), stage(101, 'а')])).toEqual([
      'same 2>1 б',
      'moved 1>2 а',
    ])
    expect(states([stage(1, 'а')], [])).toEqual(['removed 1>- а'])
  })

  it('name the values of choices, and the people', () => {
    const user = { id: 5, fio: 'Орлова Марина', shortFio: 'Орлова М.', avatar: null }
    const [one] = compareVersions(
      version([stage(1, 'а')]),
      version([stage(101, 'а', { importance: 'high', responsibles: [5], users: [user] })]),
      originOf,
    ).stages
    expect(one?.changes).toEqual([
      { field: 'importance', label: 'Важность', from: 'Обычная', to: 'Высокая' },
      { field: 'responsibles', label: 'Ответственные', from: [], to: ['Орлова М.'] },
    ])
  })
})
