import { entity, many } from '../../entity.ts'
import { choice } from '../../fields/choice.ts'
import { integer } from '../../fields/integer.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { richText } from '../../fields/richText.ts'
import { text } from '../../fields/text.ts'
import { fileRef, storedFiles } from '../../storedFile.ts'
import { ofRegulation, regulationAccess } from './regulation.ts'

export const stepStatuses = {
  active: 'Активный',
  attention: 'Требует внимания',
  critical: 'Критичный',
  optional: 'Необязательный',
} as const
export type StepStatus = keyof typeof stepStatuses

export const stepImportances = { high: 'Высокая', normal: 'Обычная', low: 'Низкая' } as const
export type StepImportance = keyof typeof stepImportances

export const stepTypes = {
  internal: 'Внутренний',
  external: 'Внешний',
  technical: 'Технический',
  security: 'Безопасность',
  quality: 'Качество',
} as const
export type StepType = keyof typeof stepTypes

/** A step of a regulation (spec §3; called a stage in requests and responses). */
export const RegulationStep = entity('regulations/steps', {
  label: ['Шаг', 'шага', 'шагов'],
  fields: {
    idRegulation: ofRegulation(),
    order: position({ group: ['idRegulation'], start: 'last' }),
    title: text({ label: 'Название', required: true, max: 255, search: true }),
    description: richText({ label: 'Описание' }),
    /** Minutes; 0: no estimate. */
    timeEstimate: integer({ label: 'Время, мин', default: 0, min: 0, max: 100_000 }),
    status: choice(stepStatuses, { label: 'Статус', default: 'active' }),
    importance: choice(stepImportances, { label: 'Важность', default: 'normal' }),
    type: choice(stepTypes, { label: 'Тип', default: 'internal' }),
    /** Responsible post, as text. */
    responsible: text({ label: 'Кто выполняет', max: 255 }),
    /** The step in the version where it first appeared: its copies in later versions count as the same step. */
    idOrigin: ref('regulations/steps', { label: 'Исходный шаг', as: 'origin', readonly: true, onDelete: 'set null' }),
  },
  many: {
    images: many('regulations/step-images', 'idStep'),
    documents: many('regulations/step-documents', 'idStep'),
    scripts: many('regulations/step-scripts', 'idStep'),
    responsibles: many('regulations/step-responsibles', 'idStep'),
    violations: many('regulations/violations', 'idStep'),
  },
  access: regulationAccess,
  within: 'idRegulation',
  title: 'title',
  sort: 'order',
  soft: true,
})

const ofStep = () =>
  ref('regulations/steps', { label: 'Шаг', as: 'step', required: true, fixed: true, onDelete: 'cascade' })
const file = () => fileRef('regulations/files')
const part = { access: regulationAccess, within: 'idStep' } as const

/** A picture or a document of the steps. */
export const RegulationFile = storedFiles('regulations/files', {
  label: ['Файл регламента', 'файла регламента', 'файлов регламентов'],
  many: {
    images: many('regulations/step-images', 'idFile'),
    documents: many('regulations/step-documents', 'idFile'),
  },
  access: { view: 'signed-in', delete: 'editScripts' },
  upload: { category: 'regulations', access: 'editScripts' },
})

export const StepImage = entity('regulations/step-images', {
  label: ['Картинка шага', 'картинки шага', 'картинок шага'],
  fields: {
    idStep: ofStep(),
    idFile: file(),
    description: text({ label: 'Подпись', max: 500 }),
    order: position({ group: ['idStep'], start: 'last' }),
    url: text({ label: 'Адрес', computed: true, required: true }),
  },
  ...part,
  unique: [['idStep', 'idFile']],
  sort: 'order',
})

export const StepDocument = entity('regulations/step-documents', {
  label: ['Документ шага', 'документа шага', 'документов шага'],
  fields: { idStep: ofStep(), idFile: file(), order: position({ group: ['idStep'], start: 'last' }) },
  ...part,
  unique: [['idStep', 'idFile']],
  sort: 'order',
})

export const StepScript = entity('regulations/step-scripts', {
  label: ['Скрипт шага', 'скрипта шага', 'скриптов шага'],
  fields: {
    idStep: ofStep(),
    idScript: ref('old-scripts', { label: 'Скрипт', as: 'script', required: true, fixed: true, whenDeleted: 'asks' }),
    order: position({ group: ['idStep'], start: 'last' }),
  },
  ...part,
  unique: [['idStep', 'idScript']],
  sort: 'order',
})

export const StepResponsible = entity('regulations/step-responsibles', {
  label: ['Ответственный за шаг', 'ответственных за шаг', 'ответственных за шаг'],
  fields: {
    idStep: ofStep(),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, fixed: true, whenDeleted: 'asks' }),
  },
  ...part,
  unique: [['idStep', 'idUser']],
  sort: 'id',
})
