import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'

const access = {
  view: ['editScripts', 'viewSalesManagement', 'editSalesManagement', 'viewCallJournal', 'supportOperator'],
  create: 'editScripts',
  update: 'editScripts',
  delete: 'editScripts',
} as const

export const ScriptGroup = entity('script-groups', {
  label: ['Группа скриптов', 'группы скриптов', 'групп скриптов'],
  gender: 'f',
  fields: {
    name: text({ label: 'Название', required: true, max: 128 }),
    order: position({ group: ['idParentGroup'], start: 'last' }),
    idParentGroup: ref('script-groups', { label: 'Входит в', as: 'parentGroup', whenDeleted: 'own' }),
  },
  access,
  title: 'name',
  sort: 'order',
  soft: true,
})

/** One step of a script: text to say, and the next step of each answer. */
export interface ScriptStep {
  key: string
  title: string
  /** Text for the operator, plain. */
  text: string
  answers: { text: string; next: string | null }[]
}

export const MAX_STEPS = 200
export const MAX_ANSWERS = 20
const MAX_KEY = 64
export const MAX_TITLE = 255
export const MAX_TEXT = 5000

/** Error of a script's steps; undefined: valid. */
export function wrongSteps(params: unknown): string | undefined {
  if (!isObject(params) || Object.keys(params).some((key) => key !== 'steps'))
    return 'В скрипте нет шагов: добавьте хотя бы один'
  const { steps } = params
  if (steps === undefined) return undefined
  if (!Array.isArray(steps) || steps.length > MAX_STEPS) return `Шагов не больше ${MAX_STEPS}`
  const keys = new Set<unknown>()
  for (const [i, step] of steps.entries()) {
    const at = `Шаг ${i + 1}`
    if (!isObject(step) || !hasOnly(step, ['key', 'title', 'text', 'answers']))
      return `${at}: нужны key, title, text, answers`
    if (!isText(step.key, MAX_KEY) || step.key === '') return `${at}: нужен ключ`
    if (keys.has(step.key)) return `${at}: ключ «${step.key}» уже есть`
    keys.add(step.key)
    if (!isText(step.title, MAX_TITLE) || step.title.trim() === '') return `${at}: нужно название`
    if (!isText(step.text, MAX_TEXT)) return `${at}: нужен текст не длиннее ${MAX_TEXT} знаков`
    if (!Array.isArray(step.answers) || step.answers.length > MAX_ANSWERS)
      return `${at}: нужен список ответов, не больше ${MAX_ANSWERS}`
    for (const answer of step.answers) {
      if (!isObject(answer) || !hasOnly(answer, ['text', 'next'])) return `${at}: у ответа нужны text и next`
      if (!isText(answer.text, MAX_TITLE) || answer.text.trim() === '') return `${at}: у ответа нужен текст`
    }
  }
  for (const [i, { answers }] of (steps as ScriptStep[]).entries()) {
    const lost = answers.find(({ next }) => next !== null && !keys.has(next))
    if (lost) return `Шаг ${i + 1}: ответ «${lost.text}» ведёт к шагу, которого нет`
  }
  return undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const hasOnly = (value: object, keys: readonly string[]) =>
  Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key))
const isText = (value: unknown, max: number): value is string => typeof value === 'string' && value.length <= max

/** A script of a conversation (spec §3 Old script): text, and branching steps in `params`. */
export const OldScript = entity('old-scripts', {
  label: ['Скрипт', 'скрипта', 'скриптов'],
  fields: {
    name: text({ label: 'Название', required: true, max: 255, search: true }),
    active: boolean({ label: 'Действует', default: true }),
    description: richText({ label: 'Текст' }),
    idGroup: ref('script-groups', { label: 'Группа', as: 'group', whenDeleted: 'own' }),
    params: json<{ steps?: ScriptStep[] }>()({ label: 'Шаги', rule: wrongSteps }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
    stepsCount: integer({ label: 'Шагов', computed: true, lazy: true }),
    funnelsCount: integer({ label: 'Воронок', computed: true, lazy: true }),
    /** Steps of regulations that are not archived. */
    regulationStepsCount: integer({ label: 'Шагов регламентов', computed: true, lazy: true }),
  },
  access,
  title: 'name',
  sort: 'name',
  soft: true,
})
