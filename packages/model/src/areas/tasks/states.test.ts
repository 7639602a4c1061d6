import { describe, expect, it } from 'vitest'
import { everyRight, type MemberRights, type Standing } from './rights.ts'
import {
  isLate,
  offeredVerbs,
  type Ruling,
  rulingOn,
  type StateFields,
  type StateRelation,
  stateOf,
  stateText,
  transitionOf,
  type Verb,
  verbNames,
  verbOfFlags,
  verbTo,
  writesOf,
} from './states.ts'

const fresh: StateFields = { isCompleted: false, isWaitCheck: false, isNeedChange: false, dateWorkStart: null }
const at = '2026-11-20T09:00:00Z'
const tasks = {
  new: fresh,
  work: { ...fresh, dateWorkStart: at },
  needChange: { ...fresh, dateWorkStart: at, isNeedChange: true },
  wait: { ...fresh, dateWorkStart: at, isWaitCheck: true },
  completed: { ...fresh, dateWorkStart: at, isCompleted: true },
}

const nobody: StateRelation = {
  isCreator: false,
  isExecutor: false,
  isResponsible: false,
  hasPeople: true,
  hasExecutors: true,
}
const noRights = Object.fromEntries(
  Object.entries(everyRight).map(([name, value]) => [name, typeof value === 'boolean' ? false : 'none']),
) as unknown as MemberRights
const member = (rights: Partial<MemberRights> = {}): Standing => ({
  isOwner: false,
  bypass: false,
  member: { ...noRights, permissionToViewTasks: 'all', ...rights },
})

/** Users with different relations and rights. */
const people: Record<string, [Partial<StateRelation>, Standing]> = {
  'executor without the right to edit': [{ isExecutor: true }, member()],
  responsible: [{ isResponsible: true }, member()],
  'creator of others’ work': [{ isCreator: true }, member()],
  'creator who executes': [{ isCreator: true, isExecutor: true }, member()],
  'creator, nobody executes': [{ isCreator: true, hasExecutors: false }, member()],
  'creator who closes for executors': [{ isCreator: true }, member({ creatorClosesTaskAsExecutor: true })],
  editor: [{}, member({ permissionToEditTasks: 'all' })],
  owner: [{}, { ...member(everyRight), isOwner: true }],
  bypass: [{}, { isOwner: false, bypass: true }],
  'one who only sees': [{}, member()],
}

const N = 'new'
const W = 'work'
const C = 'completed'
const T = 'wait'
/** Refused by right, or by state. */
const r = 'right'
const s = 'state'

/** Verb, state of the task, then the result for each of `people` in order; written by hand from design §10. */
const table: [Verb, keyof typeof tasks, string[]][] = [
  //                      exec  resp  crea  c+ex  c/no  c/cl  edit  own   byp   see
  ['start', 'new', [W, r, r, W, r, r, W, W, W, r]],
  ['start', 'work', [s, s, s, s, s, s, s, s, s, s]],
  ['start', 'needChange', [W, r, r, W, r, r, W, W, W, r]],
  ['start', 'wait', [s, s, s, s, s, s, s, s, s, s]],
  ['start', 'completed', [s, s, s, s, s, s, s, s, s, s]],
  ['handIn', 'new', [T, r, r, T, r, r, T, T, T, r]],
  ['handIn', 'work', [T, r, r, T, r, r, T, T, T, r]],
  ['handIn', 'needChange', [T, r, r, T, r, r, T, T, T, r]],
  ['handIn', 'wait', [s, s, s, s, s, s, s, s, s, s]],
  ['handIn', 'completed', [s, s, s, s, s, s, s, s, s, s]],
  ['accept', 'work', [s, s, s, s, s, s, s, s, s, s]],
  ['accept', 'wait', [r, C, C, C, C, C, r, C, C, r]],
  ['sendBack', 'work', [s, s, s, s, s, s, s, s, s, s]],
  ['sendBack', 'wait', [r, W, W, W, W, W, r, W, W, r]],
  ['complete', 'new', [T, C, r, C, C, C, T, T, T, r]],
  ['complete', 'work', [T, C, r, C, C, C, T, T, T, r]],
  ['complete', 'needChange', [T, C, r, C, C, C, T, T, T, r]],
  ['complete', 'wait', [r, C, C, C, C, C, r, C, C, r]],
  ['complete', 'completed', [s, s, s, s, s, s, s, s, s, s]],
  ['reopen', 'work', [s, s, s, s, s, s, s, s, s, s]],
  ['reopen', 'completed', [r, W, W, W, W, W, W, W, W, r]],
  ['withdraw', 'work', [s, s, s, s, s, s, s, s, s, s]],
  ['withdraw', 'wait', [W, r, r, W, W, r, W, r, r, r]],
  ['reset', 'new', [s, s, s, s, s, s, s, s, s, s]],
  ['reset', 'work', [N, r, r, N, r, r, N, N, N, r]],
  ['reset', 'needChange', [s, s, s, s, s, s, s, s, s, s]],
  ['reset', 'wait', [N, r, r, N, N, r, N, r, r, r]],
  ['reset', 'completed', [r, N, N, N, N, N, N, N, N, r]],
]

const word = (ruling: Ruling): string => (ruling.refused === undefined ? ruling.to : ruling.by)

describe('verbs', () => {
  it.each(table)('%s of a task that is %s', (verb, state, wanted) => {
    const got = Object.values(people).map(([relation, on]) =>
      word(rulingOn(verb, tasks[state], { ...nobody, ...relation }, [on])),
    )
    const named = (words: string[]) => Object.fromEntries(Object.keys(people).map((name, i) => [name, words[i]]))
    expect(named(got)).toEqual(named(wanted))
  })

  it('give a reason in words with every refusal, and none is for a template', () => {
    for (const verb of verbNames) {
      for (const task of Object.values(tasks)) {
        const ruling = rulingOn(verb, task, nobody, [member()])
        expect(ruling.refused?.length).toBeGreaterThan(10)
        const template = rulingOn(verb, task, { ...nobody, isTemplate: true }, [], true)
        expect(template).toMatchObject({ by: 'state' })
      }
    }
  })

  it('lead to the state that they name, and are recognised by what they wrote', () => {
    for (const [verb, state] of table) {
      const task = tasks[state]
      const ruling = rulingOn(verb, task, { ...nobody, isCreator: true, isExecutor: true }, [member(everyRight)])
      if (ruling.refused !== undefined) continue
      const after = { ...task, ...writesOf(verb, ruling.to, task, at) }
      expect(stateOf(after)).toBe(ruling.to)
      const same = verb === 'complete' && state === 'wait' ? 'accept' : verb
      expect([state, transitionOf(task, after)]).toEqual([state, same])
    }
  })
})

describe('states', () => {
  it('are shown by the flags, in words too', () => {
    for (const name of ['new', 'work', 'wait', 'completed'] as const) expect(stateOf(tasks[name])).toBe(name)
    expect(stateOf({ ...fresh, isNeedChange: true })).toBe('work')
    expect(stateText(tasks.needChange)).toBe('Нужны правки')
    expect(stateText(tasks.wait)).toBe('На проверке')
  })

  it('make a task late while its executors have it', () => {
    const now = Date.parse(at)
    const late = (task: StateFields, dateEnd: string | null) => isLate({ ...task, dateEnd }, now)
    expect(late(tasks.work, '2026-11-20T08:59:00Z')).toBe(true)
    expect(late(tasks.work, '2026-11-20T12:01:00+03:00')).toBe(false)
    expect(late(tasks.work, null)).toBe(false)
    expect(late(tasks.wait, '2026-11-19T08:59:00Z')).toBe(false)
    expect(late(tasks.completed, '2026-11-19T08:59:00Z')).toBe(false)
  })

  it('are reached one from another by one verb', () => {
    expect(verbTo('new', 'new')).toBeUndefined()
    expect([verbTo('new', 'work'), verbTo('wait', 'work'), verbTo('completed', 'work')]).toEqual([
      'start',
      'withdraw',
      'reopen',
    ])
    expect([verbTo('work', 'wait'), verbTo('wait', 'completed'), verbTo('work', 'completed')]).toEqual([
      'handIn',
      'accept',
      'complete',
    ])
  })
})

describe('flags of a body', () => {
  it.each([
    ['new', {}, undefined],
    ['new', { isCompleted: false }, undefined],
    ['new', { isCompleted: true }, 'complete'],
    ['wait', { isCompleted: true }, 'accept'],
    ['wait', { isCompleted: true, isWaitCheck: false }, 'accept'],
    ['work', { isWaitCheck: true }, 'handIn'],
    ['needChange', { isWaitCheck: true, isNeedChange: false }, 'handIn'],
    ['wait', { isWaitCheck: false }, 'withdraw'],
    ['wait', { isNeedChange: true }, 'sendBack'],
    ['needChange', { isNeedChange: false }, 'start'],
    ['completed', { isCompleted: false }, 'reopen'],
  ] as const)('of a task that is %s: %j → %s', (state, wanted, verb) => {
    expect(verbOfFlags(tasks[state], wanted)).toEqual({ verb })
  })

  it('that contradict each other name the field', () => {
    expect(verbOfFlags(fresh, { isCompleted: true, isWaitCheck: true })).toMatchObject({ field: 'isWaitCheck' })
    expect(verbOfFlags(fresh, { isCompleted: true, isNeedChange: true })).toMatchObject({ field: 'isNeedChange' })
  })
})

describe('what is offered', () => {
  const offer = (who: string, state: keyof typeof tasks) => {
    const [relation, on] = people[who] as [Partial<StateRelation>, Standing]
    const { primary, finish, others } = offeredVerbs((verb) =>
      rulingOn(verb, tasks[state], { ...nobody, ...relation }, [on]),
    )
    return [primary, finish, others.map(({ verb, refused }) => (refused ? `-${verb}` : verb)).join(' ')]
  }
  it.each([
    ['executor without the right to edit', 'new', ['start', 'handIn', 'handIn']],
    ['executor without the right to edit', 'work', ['handIn', 'handIn', 'reset']],
    ['executor without the right to edit', 'wait', ['withdraw', undefined, '-accept -sendBack reset']],
    ['executor without the right to edit', 'completed', [undefined, undefined, '-reopen -reset']],
    ['creator, nobody executes', 'new', ['complete', 'complete', '-start -handIn']],
    ['creator who executes', 'work', ['complete', 'complete', 'handIn reset']],
    ['responsible', 'wait', ['accept', 'accept', 'sendBack -withdraw -reset']],
    ['owner', 'needChange', ['start', 'handIn', 'handIn']],
    ['owner', 'completed', ['reopen', 'reopen', 'reset']],
  ] as const)('to %s of a task that is %s', (who, state, wanted) => {
    expect(offer(who, state)).toEqual(wanted)
  })
})
