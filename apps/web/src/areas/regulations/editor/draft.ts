import {
  type Classification,
  MAX_DESCRIPTION,
  MAX_NAME,
  Regulation,
} from '@ordinator/model/areas/regulations/regulation'
import {
  RegulationStep,
  type StepImportance,
  type StepStatus,
  type StepType,
} from '@ordinator/model/areas/regulations/step'
import { type RegulationTest, wrongTest } from '@ordinator/model/areas/regulations/test'
import type {
  RegulationBody,
  RegulationPerson,
  RegulationView,
  Stage,
  StageDocument,
  StageImage,
} from '@ordinator/model/areas/regulations/wire'
import type { SortPlace } from '#kit/useSortable.ts'
import { wrongNumber } from '#records/fields/wrongNumber.ts'

type ImageDraft = Pick<StageImage, 'idFile' | 'url' | 'description'>
type DocumentDraft = Omit<StageDocument, 'id'>

/** A step in the editor. */
export interface StepDraft {
  /** Local key; a new step has it before the server assigns an id. */
  key: number
  id: number | null
  title: string
  description: string | null
  /** Minutes. */
  timeEstimate: number
  status: StepStatus
  importance: StepImportance
  type: StepType
  responsible: string
  users: RegulationPerson[]
  images: ImageDraft[]
  scripts: { id: number; name: string }[]
  documents: DocumentDraft[]
}

/** A regulation in the editor. */
export interface RegulationDraft {
  name: string
  description: string
  type: Classification
  role: string | null
  responsibleUser: RegulationPerson | null
  dateEffective: string | null
  reviewMonths: number
  readDays: number
  passScore: number
  test: RegulationTest | null
  stages: StepDraft[]
}

export const newStep = (key: number): StepDraft => ({
  key,
  id: null,
  title: '',
  description: null,
  timeEstimate: 0,
  status: 'active',
  importance: 'normal',
  type: 'internal',
  responsible: '',
  users: [],
  images: [],
  scripts: [],
  documents: [],
})

const blank: RegulationDraft = {
  name: '',
  description: '',
  type: 'Регламент',
  role: null,
  responsibleUser: null,
  dateEffective: null,
  reviewMonths: 0,
  readDays: 7,
  passScore: 80,
  test: null,
  stages: [],
}

/** Initial state of the editor; keys of steps count from 1. */
export function draftOf(view: RegulationView | undefined): RegulationDraft {
  if (!view) return blank
  return {
    name: view.name,
    description: view.description ?? '',
    type: view.type,
    role: view.role,
    responsibleUser: view.responsibleUser,
    dateEffective: view.dateEffective,
    reviewMonths: view.reviewMonths,
    readDays: view.readDays,
    passScore: view.passScore,
    test: view.test ?? null,
    stages: view.stages.map(stepOf),
  }
}

const stepOf = (stage: Stage, at: number): StepDraft => ({
  key: at + 1,
  id: stage.id,
  title: stage.title,
  description: stage.description,
  timeEstimate: stage.timeEstimate,
  status: stage.status,
  importance: stage.importance,
  type: stage.type,
  responsible: stage.responsible ?? '',
  users: stage.users,
  images: stage.images.map(({ idFile, url, description }) => ({ idFile, url, description })),
  scripts: stage.scriptNames.map(({ id, name }) => ({ id, name })),
  documents: stage.documents.map(({ id: _, ...document }) => document),
})

/** Request body (spec §5: responsible as an id, lists never absent, no editor keys). */
export function bodyOf(draft: RegulationDraft): RegulationBody {
  const { responsibleUser, stages, ...plain } = draft
  return {
    ...plain,
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    responsibleUser: responsibleUser?.id ?? null,
    test: draft.test?.questions.length ? draft.test : null,
    stages: stages.map(({ key: _, users, scripts, documents, images, ...step }) => ({
      ...step,
      title: step.title.trim(),
      responsible: step.responsible.trim() || null,
      responsibles: users.map(({ id }) => id),
      images: images.map(({ idFile, url, description }) => ({ idFile, url, description: description?.trim() || null })),
      scripts: scripts.map(({ id }) => id),
      documents: documents.map(({ idFile }) => ({ idFile })),
    })),
  }
}

/** Request body after another user's save: steps deleted meanwhile are created again. */
export function bodyOver(draft: RegulationDraft, current: RegulationView): RegulationBody {
  const there = new Set(current.stages.map(({ id }) => id))
  const stages = draft.stages.map((step) => (step.id !== null && !there.has(step.id) ? { ...step, id: null } : step))
  return { ...bodyOf({ ...draft, stages }), _version: current._version }
}

/** Sum of the estimates, in minutes. */
export const minutesOf = (stages: readonly { timeEstimate: number }[]): number =>
  stages.reduce((sum, { timeEstimate }) => sum + (Number(timeEstimate) || 0), 0)

/** Messages by wire field name: `name`, `stages.0.title`. */
export type DraftErrors = Readonly<Record<string, string>>

/** Validation errors in form order (spec §5). */
export function wrongOf(draft: RegulationDraft): DraftErrors {
  const errors: Record<string, string> = {}
  if (!draft.name.trim()) errors.name = 'Название обязательно для заполнения'
  else if (draft.name.trim().length > MAX_NAME) errors.name = tooLong(MAX_NAME)
  if (draft.description.trim().length > MAX_DESCRIPTION) errors.description = tooLong(MAX_DESCRIPTION)
  for (const [at, { title, timeEstimate }] of draft.stages.entries()) {
    if (!title.trim()) errors[`stages.${at}.title`] = 'Название шага обязательно'
    else if (title.trim().length > MAX_NAME) errors[`stages.${at}.title`] = tooLong(MAX_NAME)
    const wrongTime = wrongNumber(RegulationStep.fields.timeEstimate, timeEstimate, true)
    if (wrongTime) errors[`stages.${at}.timeEstimate`] = wrongTime
  }
  for (const field of ['reviewMonths', 'readDays', 'passScore'] as const) {
    const wrong = wrongNumber(Regulation.fields[field], draft[field], true)
    if (wrong) errors[field] = wrong
  }
  const test = draft.test && wrongTest(draft.test)
  if (test) errors.test = test
  return errors
}

const tooLong = (max: number): string => `Количество символов не должно превышать ${max}`

/** Toast text of a rejected save: the first error (spec §5). */
export function saveMessage(errors: DraftErrors): string | undefined {
  const [first] = Object.entries(errors)
  if (!first) return undefined
  const [field, message] = first
  if (message === 'Название обязательно для заполнения') return 'Название регламента обязательно для заполнения'
  const step = /^stages\.(\d+)\.title$/.exec(field)
  if (step && message === 'Название шага обязательно')
    return `Название шага ${Number(step[1]) + 1} обязательно для заполнения`
  return message
}

/** Rows with one moved. */
export function placed<R extends { key: number }>(rows: readonly R[], key: number, place: SortPlace): R[] {
  const moved = rows.find((row) => row.key === key)
  if (!moved) return [...rows]
  const rest = rows.filter((row) => row !== moved)
  const beside = place.before ?? place.after
  const at =
    beside === undefined
      ? place.at === 'first'
        ? 0
        : rest.length
      : rest.findIndex((row) => row.key === beside) + (place.after === undefined ? 0 : 1)
  return [...rest.slice(0, at), moved, ...rest.slice(at)]
}

/** Differences between two states as text, for an edit conflict. */
export function differencesOf(mine: RegulationDraft, theirs: RegulationDraft): string[] {
  const fields = (Object.keys(labels) as (keyof typeof labels)[]).filter((name) => !alike(mine[name], theirs[name]))
  const steps = mine.stages.filter(
    (step) => !theirs.stages.some((other) => alike({ ...other, key: 0 }, { ...step, key: 0 })),
  ).length
  const order = steps === 0 && !alike(mine.stages.map(idOf), theirs.stages.map(idOf))
  return [
    ...fields.map((name) => labels[name]),
    ...(steps ? [`шагов: ${steps}`] : []),
    ...(order || (steps === 0 && mine.stages.length !== theirs.stages.length) ? ['порядок и число шагов'] : []),
  ]
}

const labels = {
  name: 'название',
  description: 'описание',
  type: 'классификация',
  role: 'роль',
  responsibleUser: 'ответственный',
  dateEffective: 'дата вступления в силу',
  reviewMonths: 'пересмотр',
  readDays: 'дни на ознакомление',
  passScore: 'проходной балл',
  test: 'тест',
} as const

const idOf = ({ id }: StepDraft) => id
const alike = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
