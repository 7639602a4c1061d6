import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { dateTime } from '../../fields/dateTime.ts'
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
  fields: {
    name: text({ label: 'Название', required: true, max: 128 }),
    order: position({ group: ['idParentGroup'], start: 'last' }),
    idParentGroup: ref('script-groups', { label: 'Входит в', as: 'parentGroup' }),
  },
  access,
  title: 'name',
  sort: 'order',
  soft: true,
})

/** One step of a conversation: what to say, and where each answer leads. */
export interface ScriptStep {
  key: string
  title: string
  /** What the operator says. */
  text: string
  answers: { text: string; next: string | null }[]
}

/** A script of a conversation (spec §3 Old script): text, and steps with branches in `params`. */
export const OldScript = entity('old-scripts', {
  label: ['Скрипт', 'скрипта', 'скриптов'],
  fields: {
    name: text({ label: 'Название', required: true, max: 255, search: true }),
    active: boolean({ label: 'Действует', default: true }),
    description: richText({ label: 'Текст' }),
    idGroup: ref('script-groups', { label: 'Группа', as: 'group' }),
    params: json<{ steps?: ScriptStep[] }>()({ label: 'Шаги' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access,
  title: 'name',
  sort: 'name',
  soft: true,
})
