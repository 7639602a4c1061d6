import { everyRight, type MemberRights, type TaskLevel } from '@ordinator/model/areas/tasks/rights'

/** In ascending order. */
export const levels: readonly { value: TaskLevel; label: string }[] = [
  { value: 'none', label: 'Нет' },
  { value: 'my', label: 'Свои' },
  { value: 'emptymy', label: 'Свои и ничьи' },
  { value: 'all', label: 'Все' },
]

export const levelFields = [
  'permissionToViewTasks',
  'permissionToEditTasks',
  'permissionToAssignTasks',
  'permissionToDeleteTasks',
  'permissionToEditTemplates',
] as const

export const flagFields = [
  'canCreateTask',
  'canManuallyDragTask',
  'creatorClosesTaskAsExecutor',
  'canEditColumn',
  'canEditBoard',
  'canRelationBoard',
] as const

const nothing: MemberRights = {
  permissionToViewTasks: 'none',
  permissionToEditTasks: 'none',
  permissionToAssignTasks: 'none',
  permissionToDeleteTasks: 'none',
  permissionToEditTemplates: 'none',
  canCreateTask: false,
  canRelationBoard: false,
  canEditBoard: false,
  canEditColumn: false,
  canManuallyDragTask: false,
  creatorClosesTaskAsExecutor: false,
}

/** Presets of rights. */
export const presets: readonly { key: string; label: string; rights: MemberRights }[] = [
  { key: 'manager', label: 'Руководитель', rights: everyRight },
  {
    key: 'executor',
    label: 'Исполнитель',
    rights: {
      ...nothing,
      permissionToViewTasks: 'all',
      permissionToEditTasks: 'my',
      permissionToAssignTasks: 'my',
      permissionToDeleteTasks: 'my',
      canCreateTask: true,
      canManuallyDragTask: true,
    },
  },
  { key: 'observer', label: 'Наблюдатель', rights: { ...nothing, permissionToViewTasks: 'all' } },
]

/** Preset with these rights; undefined: custom. */
export const presetOf = (rights: MemberRights): string | undefined =>
  presets.find((preset) => [...levelFields, ...flagFields].every((name) => preset.rights[name] === rights[name]))?.key

export const rightsOf = (member: MemberRights): MemberRights =>
  Object.assign({}, ...[...levelFields, ...flagFields].map((name) => ({ [name]: member[name] })))
