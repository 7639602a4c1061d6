import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import type { FormField } from '../examinations/form.ts'
import { MAX_PROMPT, type OutputField, wrongOutput, wrongTemplate } from './template.ts'

export const promptKinds = { protocol: 'Для протокола осмотра', call: 'Для звонка' } as const
export type PromptKind = keyof typeof promptKinds

const view = ['iiProtocolPrompt', 'iiCallPrompt', 'editPrompts'] as const
export const promptAccess = { view, create: 'editPrompts', update: 'editPrompts', delete: 'editPrompts' } as const

const outputSchema = json<OutputField[]>()
const temperature = () =>
  decimal({ label: 'Свобода ответа', scale: 1, min: 0, max: 2, default: 0.2, help: '0 — строго, 1 — вольно' })

/** A prompt for a language model (spec §1, screens.md §4). Each change of its text creates a version. */
export const Prompt = entity('prompts', {
  label: ['Подсказка', 'подсказки', 'подсказок'],
  gender: 'f',
  registry: {
    form: ['name', 'kind', 'specialities', 'examinationTemplates', 'isDefault', 'active'],
    empty: { title: 'Подсказок пока нет', text: 'Опишите, что нейросеть должна достать из разговора.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 200, search: true }),
    kind: choice(promptKinds, { label: 'Для чего', required: true, fixed: true }),
    text: text({
      label: 'Текст подсказки',
      required: true,
      max: MAX_PROMPT,
      multiline: true,
      briefly: true,
      rule: wrongTemplate,
    }),
    /** Empty: all. */
    specialities: refs('specialities', { label: 'Специальности', help: 'Пусто — все', whenDeleted: 'asks' }),
    examinationTemplates: refs('examination-templates', {
      label: 'Шаблоны осмотров',
      help: 'Пусто — все',
      whenDeleted: 'asks',
    }),
    /** Keys of `callTypes`; empty: all. */
    callTypes: json<number[]>()({ label: 'Виды звонков', rule: wrongCallTypes }),
    /** Additional fields of the answer (call), or the only fields to fill (protocol). */
    outputSchema: outputSchema({ label: 'Поля ответа', rule: wrongOutput }),
    model: text({ label: 'Модель', max: 120, help: 'Пусто — модель из настроек подключения' }),
    temperature: temperature(),
    version: integer({ label: 'Версия', required: true, readonly: true, min: 1 }),
    active: boolean({ label: 'Действует', default: true }),
    isDefault: boolean({ label: 'Предлагать первой', default: false }),
    /** Finished runs of all versions, and their ratings. */
    runsCount: integer({ label: 'Запусков', computed: true, required: true }),
    goodCount: integer({ label: 'Оценок «хорошо»', computed: true, required: true }),
    badCount: integer({ label: 'Оценок «плохо»', computed: true, required: true }),
    cost: decimal({ label: 'Потрачено', scale: 2, computed: true, required: true }),
    idUser: ref('users', { label: 'Кто изменил', as: 'user', auto: 'editor' }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  many: { versions: many('prompts/versions', 'idPrompt') },
  access: promptAccess,
  title: 'name',
  sort: '-isDefault,name,id',
  soft: true,
})

function wrongCallTypes(value: number[]): string | undefined {
  const isFine =
    Array.isArray(value) && value.length <= 5 && value.every((one) => Number.isInteger(one) && one >= 1 && one <= 5)
  return isFine ? undefined : 'Нужен список видов звонков'
}

/** Fields whose change creates a version. */
export const versionedFields = ['text', 'model', 'temperature', 'outputSchema'] as const

/** A prompt from a moment on; each run refers to its version. */
export const PromptVersion = entity('prompts/versions', {
  label: ['Версия подсказки', 'версии подсказки', 'версий подсказки'],
  gender: 'f',
  fields: {
    idPrompt: ref('prompts', { label: 'Подсказка', as: 'prompt', required: true, readonly: true, onDelete: 'cascade' }),
    number: integer({ label: 'Версия', required: true, readonly: true, min: 1 }),
    text: text({ label: 'Текст подсказки', required: true, readonly: true, max: MAX_PROMPT, multiline: true }),
    outputSchema: outputSchema({ label: 'Поля ответа', readonly: true }),
    model: text({ label: 'Модель', max: 120, readonly: true }),
    temperature: decimal({ label: 'Свобода ответа', scale: 1, min: 0, max: 2, readonly: true }),
    idUser: ref('users', { label: 'Кто сохранил', as: 'user', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Сохранена', auto: 'created' }),
  },
  access: { view },
  within: 'idPrompt',
  unique: [['idPrompt', 'number']],
  title: 'number',
  sort: '-number',
})

/** Status of a run. After the first three, a run has changed only its own row. */
export const runStatuses = {
  queued: 'Ждёт очереди',
  running: 'Нейросеть отвечает',
  done: 'Готово',
  refused: 'Отказ',
  silent: 'Нет ответа',
  nonsense: 'Непонятный ответ',
  tooLong: 'Слишком длинный ответ',
  cancelled: 'Отменено',
} as const
export type RunStatus = keyof typeof runStatuses
export const isUnderWay = (status: RunStatus): boolean => status === 'queued' || status === 'running'

export const runSubjects = { calls: 'Звонок', examinations: 'Осмотр', sample: 'Проба' } as const
export type RunSubject = keyof typeof runSubjects

export const ratings = { good: 'Хорошо', bad: 'Плохо' } as const

/** Fields to parse from the answer: of the form, or those that a call's prompt adds. */
export interface RunAsk {
  fields?: FormField[]
  more?: OutputField[]
}

/** Maximum characters of a run's request. */
export const MAX_INPUT = 60_000

/** A request to the model: masked text sent, answer, accepted parts and cost. */
export const PromptRun = entity('prompts/runs', {
  label: ['Запуск подсказки', 'запуска подсказки', 'запусков подсказки'],
  gender: 'm',
  registry: {
    columns: [
      'dateCreate',
      'idPrompt',
      'number',
      'subject',
      'status',
      'rating',
      'tokensIn',
      'tokensOut',
      'cost',
      'ms',
      'idUser',
    ],
    empty: {
      title: 'Запусков пока не было',
      text: 'Здесь будет каждый вопрос нейросети: что ушло, что вернулось и сколько стоило.',
    },
  },
  fields: {
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
    idPrompt: ref('prompts', { label: 'Подсказка', as: 'prompt', required: true, readonly: true, onDelete: 'cascade' }),
    /** 0: an unsaved text. */
    number: integer({ label: 'Версия', required: true, readonly: true, min: 0 }),
    kind: choice(promptKinds, { label: 'Для чего', required: true, readonly: true }),
    subject: choice(runSubjects, { label: 'О чём', required: true, readonly: true }),
    idEntity: integer({ label: 'Номер записи', readonly: true, min: 1 }),
    idCustomer: ref('customers', { label: 'Клиент', as: 'customer', readonly: true, onDelete: 'set null' }),
    idUser: ref('users', { label: 'Кто спросил', as: 'user', auto: 'actor' }),
    status: choice(runStatuses, { label: 'Состояние', default: 'queued', readonly: true }),
    error: text({ label: 'Что случилось', max: 500, readonly: true }),
    /** System message as sent. */
    system: text({ label: 'Задание', max: 40_000, multiline: true, readonly: true, briefly: true }),
    /** Schema for parsing the answer. */
    ask: json<RunAsk>()({ label: 'Чего ждём', readonly: true, briefly: true, hidden: [] }),
    /** Masked text as sent. */
    input: text({ label: 'Что ушло', max: 90_000, multiline: true, required: true, readonly: true, briefly: true }),
    /** Parsed and checked, with the masked values restored. */
    output: json()({ label: 'Ответ', readonly: true, briefly: true }),
    /** Values of the marks, until the answer arrives. */
    marks: json<{ mark: string; value: string }[]>()({ label: 'Метки', readonly: true, briefly: true, hidden: [] }),
    masked: integer({ label: 'Скрыто значений', readonly: true, default: 0, min: 0 }),
    model: text({ label: 'Модель', max: 120, readonly: true }),
    temperature: decimal({ label: 'Свобода ответа', scale: 1, min: 0, max: 2, readonly: true }),
    /** Host of the model, or the simulator. */
    place: text({ label: 'Куда ушло', max: 255, readonly: true }),
    tokensIn: integer({ label: 'Токенов ушло', readonly: true, min: 0 }),
    tokensOut: integer({ label: 'Токенов пришло', readonly: true, min: 0 }),
    /** Rubles, by the clinic's price per thousand tokens. */
    cost: decimal({ label: 'Стоимость', scale: 4, readonly: true, min: 0 }),
    ms: integer({ label: 'Ответ за, мс', readonly: true, min: 0 }),
    rating: choice(ratings, { label: 'Оценка' }),
    /** Accepted parts of the answer. */
    accepted: json<string[]>()({ label: 'Принято', readonly: true }),
    acceptedBy: ref('users', { label: 'Кто принял', as: 'acceptor', readonly: true, onDelete: 'set null' }),
    dateAccepted: dateTime({ label: 'Принято когда', readonly: true }),
    dateDone: dateTime({ label: 'Закончен', readonly: true }),
  },
  access: { view, update: view },
  title: 'kind',
  sort: '-id',
  // Soft, as every entity with a row scope; runs are never deleted.
  soft: true,
  personal: 'idCustomer',
})
