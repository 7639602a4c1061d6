import { entity, many } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { formatDuration } from '../../format.ts'
import type { StepImportance, StepStatus } from './step.ts'

export const runStates = { going: 'Выполняется', finished: 'Завершён', cancelled: 'Прерван' } as const
export type RunState = keyof typeof runStates

/** A run of a regulation in force, step by step, alone or for a task. Keeps the version it was started with. */
export const RegulationRun = entity('regulations/runs', {
  label: ['Выполнение регламента', 'выполнения регламента', 'выполнений регламентов'],
  fields: {
    idRegulation: ref('regulations', {
      label: 'Регламент',
      as: 'regulation',
      required: true,
      fixed: true,
      whenDeleted: 'asks',
    }),
    idTask: ref('tasks-management/tasks', { label: 'Задача', as: 'task', fixed: true, onDelete: 'set null' }),
    /** The employee who performs it. */
    idUser: ref('users', { label: 'Выполняет', as: 'user', auto: 'actor' }),
    state: choice(runStates, { label: 'Состояние', readonly: true, default: 'going' }),
    dateStart: dateTime({ label: 'Начат', auto: 'created' }),
    dateEnd: dateTime({ label: 'Окончен', readonly: true }),
    stepsTotalCount: integer({ label: 'Шагов', computed: true, required: true }),
    stepsMarkedCount: integer({ label: 'Отмечено шагов', computed: true, required: true }),
    violationsCount: integer({ label: 'Нарушений', computed: true, required: true }),
  },
  many: {
    steps: many('regulations/run-steps', 'idRun'),
    violations: many('regulations/violations', 'idRun'),
  },
  access: { view: 'signed-in', create: 'signed-in', update: 'signed-in' },
  sort: '-id',
  soft: true,
})

export const runStepStates = {
  waiting: 'Не начат',
  done: 'Выполнен',
  skipped: 'Пропущен',
  failed: 'Не выполнен',
} as const
export type RunStepState = keyof typeof runStepStates

/** A step of a run. Steps are marked in order; the server records times and creates violations. */
export const RunStep = entity('regulations/run-steps', {
  label: ['Шаг выполнения', 'шага выполнения', 'шагов выполнения'],
  fields: {
    idRun: ref('regulations/runs', {
      label: 'Выполнение',
      as: 'run',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    idStep: ref('regulations/steps', {
      label: 'Шаг',
      as: 'step',
      required: true,
      readonly: true,
      whenDeleted: 'stays',
    }),
    state: choice(runStepStates, { label: 'Состояние', default: 'waiting' }),
    note: text({ label: 'Примечание', max: 2000, multiline: true }),
    /** When it became the current step; the estimate starts here. */
    dateStart: dateTime({ label: 'Начат', readonly: true }),
    dateEnd: dateTime({ label: 'Окончен', readonly: true }),
    idUser: ref('users', { label: 'Кто отметил', as: 'user', readonly: true, whenDeleted: 'stays' }),
  },
  access: { view: 'signed-in', update: 'signed-in' },
  within: 'idRun',
  unique: [['idRun', 'idStep']],
  sort: 'id',
})

export const violationLevels = { critical: 'Критичное', high: 'Серьёзное', medium: 'Среднее' } as const
export type ViolationLevel = keyof typeof violationLevels
export const violationSources = { manual: 'Вручную', check: 'Выполнение', call: 'Звонок', task: 'Задача' } as const
export const violationStates = {
  new: 'Новое',
  explained: 'Есть объяснение',
  confirmed: 'Подтверждено',
  rejected: 'Снято',
  fixed: 'Устранено',
} as const
export type ViolationState = keyof typeof violationStates

/** A violation of a regulation's step by an employee. */
export const Violation = entity('regulations/violations', {
  label: ['Нарушение', 'нарушения', 'нарушений'],
  fields: {
    idRegulation: ref('regulations', {
      label: 'Регламент',
      as: 'regulation',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    idStep: ref('regulations/steps', { label: 'Шаг', as: 'step', fixed: true, onDelete: 'cascade' }),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, fixed: true, whenDeleted: 'stays' }),
    idRun: ref('regulations/runs', { label: 'Выполнение', as: 'run', readonly: true, onDelete: 'cascade' }),
    level: choice(violationLevels, { label: 'Тяжесть', default: 'medium' }),
    source: choice(violationSources, { label: 'Откуда', readonly: true, default: 'manual' }),
    description: text({ label: 'Что нарушено', required: true, max: 2000, multiline: true }),
    state: choice(violationStates, { label: 'Состояние', default: 'new' }),
    explanation: text({ label: 'Объяснение', max: 2000, multiline: true }),
    /** Rubles; set by the employee who decides, counted once confirmed. */
    deduction: money({ label: 'Удержание', min: 0, max: 1_000_000 }),
    dateCreate: dateTime({ label: 'Дата', auto: 'created' }),
    /** The employee who reported it; empty: created by a run. */
    idAuthor: ref('users', { label: 'Кто отметил', as: 'author', readonly: true, whenDeleted: 'stays' }),
  },
  access: { view: 'signed-in', create: 'editScripts', update: 'signed-in', delete: 'editScripts' },
  sort: '-id',
  soft: true,
})

/**
 * Error of marking a step in the current state; undefined: allowed. Steps are marked in order; only the last mark can
 * be changed or removed.
 * @param states of the run's steps, in order
 * @param at index of the step
 */
export function refusalOfMark(states: readonly RunStepState[], at: number, to: RunStepState): string | undefined {
  if (states[at] === to) return undefined
  const open = states.indexOf('waiting')
  const marked = open < 0 ? states.length : open
  if (at > marked) return `Сначала отметьте шаг ${marked + 1}`
  if (at < marked - 1) return `Изменить можно только последнюю отметку: шаг ${marked}`
  return undefined
}

/** Mark of a step, and its duration. */
export interface StepMark {
  state: RunStepState
  note: string | null
  /** From the start of the step to its mark. */
  seconds: number
}

export interface StepTerms {
  status: StepStatus
  importance: StepImportance
  /** Minutes; 0: no estimate. */
  timeEstimate: number
}

/** Violation of a marked step, if any: not done, or longer than estimated. */
export function violationOf(
  { status, importance, timeEstimate }: StepTerms,
  { state, note, seconds }: StepMark,
): { level: ViolationLevel; description: string } | undefined {
  if (state === 'failed') {
    const level = status === 'critical' || importance === 'high' ? 'critical' : 'high'
    return { level, description: withNote('Шаг не выполнен', note) }
  }
  if (state === 'skipped')
    return status === 'optional' ? undefined : { level: 'high', description: withNote('Шаг пропущен', note) }
  const estimate = timeEstimate * 60
  if (state === 'done' && estimate > 0 && seconds > estimate)
    return { level: 'medium', description: `Шаг занял ${formatDuration(seconds)} вместо ${formatDuration(estimate)}` }
  return undefined
}

const MAX_BREACH = 2000
const withNote = (words: string, note: string | null): string =>
  (note?.trim() ? `${words}: ${note.trim()}` : words).slice(0, MAX_BREACH)
