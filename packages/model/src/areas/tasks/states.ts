/**
 * States of a task and the verbs that change them (design §10), as pure rules: allowed users, written fields, and the
 * verb for a changed flag or a drop into a linked column. The server enforces them, the web hides by them.
 */
import { mayWithTask, type Standing, type TaskRelation } from './rights.ts'

export const taskStates = { new: 'Новая', work: 'В работе', wait: 'На проверке', completed: 'Завершена' } as const
export type TaskState = keyof typeof taskStates

/** Board field with the column of each state. */
export const stateColumns = {
  new: 'idColumnNew',
  work: 'idColumnWork',
  wait: 'idColumnWait',
  completed: 'idColumnCompleted',
} as const satisfies Record<TaskState, string>

export const stateFlags = ['isCompleted', 'isWaitCheck', 'isNeedChange'] as const
export type StateFlag = (typeof stateFlags)[number]

/** Fields that determine a task's state. */
export interface StateFields extends Record<StateFlag, boolean> {
  dateWorkStart: string | null
}

export function stateOf(task: StateFields): TaskState {
  if (task.isCompleted) return 'completed'
  if (task.isWaitCheck) return 'wait'
  return task.isNeedChange || task.dateWorkStart ? 'work' : 'new'
}

/** Label of the state. */
export const stateText = (task: StateFields): string =>
  stateOf(task) === 'work' && task.isNeedChange ? 'Нужны правки' : taskStates[stateOf(task)]

/** True past the due date while the task is with its executors. */
export const isLate = (task: StateFields & { dateEnd: string | null }, now = Date.now()): boolean =>
  task.dateEnd !== null && Date.parse(task.dateEnd) < now && !task.isCompleted && !task.isWaitCheck

/** `label`: of the button. `line`: in the task's comments and in a toast afterwards. */
export const verbs = {
  start: { label: 'Взять в работу', line: 'Задача взята в работу' },
  handIn: { label: 'Сдать на проверку', line: 'Задача сдана на проверку' },
  accept: { label: 'Принять работу', line: 'Работа принята, задача завершена' },
  sendBack: { label: 'Вернуть на доработку', line: 'Задача возвращена на доработку' },
  complete: { label: 'Завершить', line: 'Задача завершена' },
  reopen: { label: 'Вернуть в работу', line: 'Задача возвращена в работу' },
  withdraw: { label: 'Забрать с проверки', line: 'Задача снята с проверки' },
  reset: { label: 'Вернуть в новые', line: 'Задача возвращена в новые' },
} as const
export type Verb = keyof typeof verbs
/** Required comment when a task is sent back. */
export const needsComment = 'Напишите, что нужно исправить'
export const verbNames = Object.keys(verbs) as [Verb, ...Verb[]]

/** The user's relation to the task. */
export interface StateRelation extends TaskRelation {
  /** The task has an executor. */
  hasExecutors: boolean
}

/** Target state of a verb, or the refusal: wrong state, or no right. */
export type Ruling = { to: TaskState; refused?: undefined } | { refused: string; by: 'state' | 'right' }

const wrongState = (refused: string): Ruling => ({ refused, by: 'state' })
const othersMatter = (refused: string): Ruling => ({ refused, by: 'right' })

/**
 * Result of a verb by this user on this task.
 * @param on the user's position on each workspace with a card of the task
 */
export function rulingOn(
  verb: Verb,
  task: StateFields,
  relation: StateRelation,
  on: readonly Standing[],
  bypass = false,
): Ruling {
  if (relation.isTemplate) return wrongState('Шаблон не выполняют: создайте из него задачу')
  const edits = mayWithTask('edit', relation, on, bypass)
  const master = bypass || on.some((one) => one.isOwner || one.bypass)
  return rules[verb]({
    task,
    state: stateOf(task),
    relation,
    does: relation.isExecutor || edits,
    edits,
    checks: relation.isCreator || relation.isResponsible || master,
    closesForExecutors: on.some((one) => one.member?.creatorClosesTaskAsExecutor === true),
  })
}

interface Case {
  task: StateFields
  state: TaskState
  relation: StateRelation
  /** Executor, or may edit the task. */
  does: boolean
  edits: boolean
  /** Accepts the work, or sends it back. */
  checks: boolean
  closesForExecutors: boolean
}

const whoDoes = 'может исполнитель или тот, кому дано право изменять задачу'
const whoChecks = 'может создатель, ответственный или владелец пространства'
const notWaiting = wrongState('Задача не на проверке')

const rules: Record<Verb, (of: Case) => Ruling> = {
  start({ task, state, does }) {
    if (state === 'completed') return wrongState('Задача завершена: верните её в работу')
    if (state === 'wait') return wrongState('Задача на проверке')
    if (state === 'work' && !task.isNeedChange) return wrongState('Задача уже в работе')
    return does ? { to: 'work' } : othersMatter(`Взять в работу ${whoDoes}`)
  },
  handIn({ state, does }) {
    if (state === 'completed') return wrongState('Задача уже завершена')
    if (state === 'wait') return wrongState('Задача уже на проверке')
    return does ? { to: 'wait' } : othersMatter(`Сдать на проверку ${whoDoes}`)
  },
  accept({ state, checks }) {
    if (state !== 'wait') return notWaiting
    return checks ? { to: 'completed' } : othersMatter(`Принять работу ${whoChecks}`)
  },
  sendBack({ state, checks }) {
    if (state !== 'wait') return notWaiting
    return checks ? { to: 'work' } : othersMatter(`Вернуть на доработку ${whoChecks}`)
  },
  complete({ state, relation, does, checks, closesForExecutors }) {
    if (state === 'completed') return wrongState('Задача уже завершена')
    if (state === 'wait')
      return checks ? { to: 'completed' } : othersMatter(`Задача на проверке: принять её ${whoChecks}`)
    if (relation.isResponsible) return { to: 'completed' }
    if (relation.isCreator) {
      const own = relation.isExecutor || !relation.hasExecutors || closesForExecutors
      return own ? { to: 'completed' } : othersMatter('Сначала исполнители сдают задачу на проверку')
    }
    return does ? { to: 'wait' } : othersMatter(`Завершить задачу ${whoDoes}`)
  },
  reopen({ state, relation, edits }) {
    if (state !== 'completed') return wrongState('Задача не завершена')
    return relation.isCreator || relation.isResponsible || edits
      ? { to: 'work' }
      : othersMatter('Вернуть в работу может создатель, ответственный или тот, кому дано право изменять задачу')
  },
  withdraw({ state, relation, edits, checks }) {
    if (state !== 'wait') return notWaiting
    // Without executors, no comment of a rejection is needed.
    if (relation.isExecutor || (checks && !relation.hasExecutors)) return { to: 'work' }
    if (checks) return othersMatter('Верните задачу на доработку и напишите, что исправить')
    return edits ? { to: 'work' } : othersMatter(`Забрать с проверки ${whoDoes}`)
  },
  reset(of) {
    if (of.state === 'new') return wrongState('Задача и так новая')
    if (of.state === 'work' && of.task.isNeedChange) return wrongState('Нужны правки: задача остаётся в работе')
    const ruling: Ruling =
      of.state === 'wait'
        ? rules.withdraw(of)
        : of.state === 'completed'
          ? rules.reopen(of)
          : of.does
            ? { to: 'new' }
            : othersMatter(`Вернуть в новые ${whoDoes}`)
    return ruling.refused === undefined ? { to: 'new' } : ruling
  },
}

/** Fields written by a verb with this target state. `now`: ISO 8601. */
export function writesOf(verb: Verb, to: TaskState, task: StateFields, now: string) {
  const dateWorkStart = task.dateWorkStart ?? now
  const flags = { isCompleted: to === 'completed', isWaitCheck: to === 'wait', isNeedChange: verb === 'sendBack' }
  if (to === 'new') return { ...flags, dateWorkStart: null, dateCompleted: null }
  // A task that was never started is completed without a start.
  if (to === 'completed') return { ...flags, dateCompleted: now }
  return { ...flags, dateWorkStart, dateCompleted: null }
}

/** The verb that matches a change of a task; undefined: the state is unchanged. */
export function transitionOf(before: StateFields, after: StateFields): Verb | undefined {
  const from = stateOf(before)
  const to = stateOf(after)
  if (after.isNeedChange && !before.isNeedChange && to === 'work') return 'sendBack'
  if (from === to) return to === 'work' && before.isNeedChange && !after.isNeedChange ? 'start' : undefined
  return verbTo(from, to)
}

/** The verb from one state to another; used by a drop into a linked column. */
export function verbTo(from: TaskState, to: TaskState): Verb | undefined {
  if (from === to) return undefined
  if (to === 'completed') return from === 'wait' ? 'accept' : 'complete'
  if (to === 'wait') return 'handIn'
  if (to === 'new') return 'reset'
  return from === 'new' ? 'start' : from === 'wait' ? 'withdraw' : 'reopen'
}

/** The verb for a request with these flags; undefined: unchanged. */
export function verbOfFlags(
  task: StateFields,
  wanted: Partial<Record<StateFlag, boolean | null | undefined>>,
): { verb: Verb | undefined } | { field: StateFlag; message: string } {
  const [, other] = stateFlags.filter((flag) => wanted[flag] === true)
  if (other)
    return { field: other, message: 'Задача не бывает сразу в двух состояниях: завершена, на проверке, нужны правки' }
  const changed = stateFlags.filter((flag) => typeof wanted[flag] === 'boolean' && wanted[flag] !== task[flag])
  const set = changed.find((flag) => wanted[flag] === true)
  if (set === 'isCompleted') return { verb: task.isWaitCheck ? 'accept' : 'complete' }
  if (set === 'isWaitCheck') return { verb: 'handIn' }
  if (set === 'isNeedChange') return { verb: 'sendBack' }
  const taken: Record<StateFlag, Verb> = { isCompleted: 'reopen', isWaitCheck: 'withdraw', isNeedChange: 'start' }
  return { verb: changed[0] && taken[changed[0]] }
}

/** Order of the default verb for buttons, keys and menus. */
const likeliest: readonly Verb[] = ['start', 'accept', 'complete', 'handIn', 'reopen', 'withdraw']
const finishing: readonly Verb[] = ['accept', 'complete', 'handIn', 'reopen']

/**
 * Verbs to offer for a task: the default, the finishing one, and the others, those refused by right with their reason.
 * Redundant verbs are left out.
 */
export function offeredVerbs(ruling: (verb: Verb) => Ruling): {
  primary: Verb | undefined
  finish: Verb | undefined
  others: { verb: Verb; refused: string | undefined }[]
} {
  const rulings = new Map(verbNames.map((verb) => [verb, ruling(verb)]))
  const leads = (verb: Verb): TaskState | undefined => {
    const found = rulings.get(verb)
    return found?.refused === undefined ? found?.to : undefined
  }
  const fits = (verb: Verb) => {
    const found = rulings.get(verb)
    if (verb === 'complete' && (leads('complete') === 'wait' || waits(rulings))) return false
    return found?.refused === undefined || found.by === 'right'
  }
  const usable = (verb: Verb) => fits(verb) && leads(verb) !== undefined
  const primary = likeliest.find(usable)
  const others = verbNames
    .filter((verb) => verb !== primary && fits(verb))
    .map((verb) => ({ verb, refused: rulings.get(verb)?.refused }))
  return { primary, finish: finishing.find(usable), others }
}

/** True when accepting completes the waiting task: then completing is redundant. */
const waits = (rulings: ReadonlyMap<Verb, Ruling>): boolean => {
  const accept = rulings.get('accept')
  return accept !== undefined && (accept.refused === undefined || accept.by === 'right')
}
