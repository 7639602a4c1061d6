/**
 * Rights on workspaces (spec §6), as pure rules. The web hides by them; the server holds the same rules as SQL in
 * areas/tasks/scope.ts, and a property test compares the two.
 */
import { type Actor, holds } from '../../access.ts'

/** Levels of a workspace member's right (spec §6). */
export const taskLevels = {
  none: 'Нет доступа',
  all: 'Все задачи',
  my: 'Свои задачи',
  emptymy: 'Свои и неназначенные',
} as const
export type TaskLevel = keyof typeof taskLevels

/** In ascending order: each level includes the one before it. */
const levelOrder: readonly TaskLevel[] = ['none', 'my', 'emptymy', 'all']

/** Member field with the level of each right to tasks. */
export const taskRights = {
  view: 'permissionToViewTasks',
  edit: 'permissionToEditTasks',
  assign: 'permissionToAssignTasks',
  delete: 'permissionToDeleteTasks',
} as const
export type TaskRight = keyof typeof taskRights

const levelFields = [...Object.values(taskRights), 'permissionToEditTemplates'] as const
const flagFields = [
  'canCreateTask',
  'canRelationBoard',
  'canEditBoard',
  'canEditColumn',
  'canManuallyDragTask',
  'creatorClosesTaskAsExecutor',
] as const

/** Rights of a member's record. */
export type MemberRights = Record<(typeof levelFields)[number], TaskLevel> &
  Record<(typeof flagFields)[number], boolean>

/** Initial rights of the owner's membership. */
export const everyRight: MemberRights = {
  permissionToViewTasks: 'all',
  permissionToEditTasks: 'all',
  permissionToAssignTasks: 'all',
  permissionToDeleteTasks: 'all',
  permissionToEditTemplates: 'all',
  canCreateTask: true,
  canRelationBoard: true,
  canEditBoard: true,
  canEditColumn: true,
  canManuallyDragTask: true,
  creatorClosesTaskAsExecutor: true,
}

/** Fields of the own membership that a member may change without the right to edit the workspace. */
export const ownMemberFields = ['isFavourite', 'openAfterCreate', 'isConfirmCreate'] as const

/** The user's relation to a task. Only current members count as executors and responsible. */
export interface TaskRelation {
  isCreator: boolean
  isExecutor: boolean
  isResponsible: boolean
  /** The task has an executor or a responsible person. */
  hasPeople: boolean
  /** Every member sees templates; `permissionToEditTemplates` limits their editing. */
  isTemplate?: boolean | undefined
}

/**
 * True when a right of this level covers the task (spec §6): «my» covers tasks with assigned people of which the user
 * is creator, executor or responsible; «emptymy» also tasks without assigned people.
 */
export function reachesTask(level: TaskLevel, task: TaskRelation, bypass = false): boolean {
  if (bypass || level === 'all') return true
  if (level === 'none') return false
  if (!task.hasPeople) return level === 'emptymy'
  return task.isCreator || task.isExecutor || task.isResponsible
}

/** The user's position on a workspace. */
export interface Standing {
  isOwner: boolean
  /** The user has `bypassTaskRights`. */
  bypass: boolean
  /** The user's current membership. */
  member?: MemberRights | undefined
}

export const standing = (actor: Actor, board: { idUser: number }, member?: MemberRights): Standing => ({
  isOwner: board.idUser === actor.id,
  bypass: holds(actor, 'bypassTaskRights'),
  member,
})

const isMaster = (on: Standing): boolean => on.isOwner || on.bypass

export const maySeeBoard = (on: Standing, board: { isPublic: boolean }): boolean =>
  isMaster(on) || board.isPublic || on.member !== undefined
/** People and tasks of a public workspace are visible only to members; others see its description and can join. */
export const maySeeContent = (on: Standing): boolean => isMaster(on) || on.member !== undefined
export const mayEditBoard = (on: Standing): boolean => isMaster(on) || on.member?.canEditBoard === true
export const mayDeleteBoard = (on: Standing): boolean => isMaster(on)
export const mayEditColumns = (on: Standing): boolean => isMaster(on) || on.member?.canEditColumn === true
/** True when the user can create templates; the level decides which ones can be edited. */
export const mayMakeTemplates = (on: Standing): boolean =>
  isMaster(on) || (on.member !== undefined && on.member.permissionToEditTemplates !== 'none')
export const mayCreateTask = (on: Standing): boolean => isMaster(on) || on.member?.canCreateTask === true

/**
 * True when a visible card may be moved within its workspace by dragging, keys or the menu. Requires only
 * `canManuallyDragTask`: a move changes the card, not the task, so the right to edit is neither needed nor sufficient.
 * Without it, cards move with the task's state.
 */
export const mayDrag = (on: Standing): boolean => isMaster(on) || on.member?.canManuallyDragTask === true

/**
 * True when a task may be moved or copied from one workspace to another.
 * @param related the workspaces are related in this direction: then no right there is needed
 */
export const mayRelate = (here: Standing, there: Standing, related = false): boolean =>
  relates(here) && (related || relates(there))
const relates = (on: Standing): boolean => isMaster(on) || on.member?.canRelationBoard === true

/**
 * True when the user's right covers the task.
 * @param on the user's position on each workspace with a card of the task; a task without cards belongs to its creator
 */
export function mayWithTask(right: TaskRight, task: TaskRelation, on: readonly Standing[], bypass = false): boolean {
  if (bypass) return true
  if (on.length === 0) return task.isCreator
  return on.some(
    (one) => isMaster(one) || (one.member !== undefined && reachesTask(levelOf(right, task, one.member), task)),
  )
}

/** The level that applies to this right and task. */
export function levelOf(right: TaskRight, task: Pick<TaskRelation, 'isTemplate'>, member: MemberRights): TaskLevel {
  if (!task.isTemplate) return member[taskRights[right]]
  return right === 'view' ? 'all' : member.permissionToEditTemplates
}

/**
 * Rights in `wanted` beyond those of the giver; nobody can grant more than they hold.
 * @param before rights that the member already has, which may stay
 */
export function beyondRights(
  giver: Standing,
  wanted: Partial<MemberRights>,
  before?: MemberRights,
): (keyof MemberRights)[] {
  if (isMaster(giver)) return []
  const own = giver.member
  const levels = levelFields.filter((name) => {
    const level = wanted[name]
    return level !== undefined && rank(level) > Math.max(rank(own?.[name]), rank(before?.[name]))
  })
  const flags = flagFields.filter((name) => wanted[name] === true && !own?.[name] && !before?.[name])
  return [...levels, ...flags]
}

const rank = (level: TaskLevel = 'none'): number => levelOrder.indexOf(level)
