/**
 * Who may do what on workspaces (spec §6), as pure rules. The web hides by them; the server holds the same rules as SQL
 * in areas/tasks/scope.ts, and a property test compares the two.
 */
import { type Actor, holds } from '../../access.ts'

/** How far a workspace member's right goes (spec §6). */
export const taskLevels = {
  none: 'Нет доступа',
  all: 'Все задачи',
  my: 'Свои задачи',
  emptymy: 'Свои и неназначенные',
} as const
export type TaskLevel = keyof typeof taskLevels

/** From nothing to everything: each level reaches all that the one before it does. */
const levelOrder: readonly TaskLevel[] = ['none', 'my', 'emptymy', 'all']

/** A member's field that holds the level of each right to tasks. */
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

/** The rights of a member, as its record holds them. */
export type MemberRights = Record<(typeof levelFields)[number], TaskLevel> &
  Record<(typeof flagFields)[number], boolean>

/** What the owner's own membership is made with. */
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

/** What a member may set in the own membership without the right to edit the workspace. */
export const ownMemberFields = ['isFavourite', 'openAfterCreate', 'isConfirmCreate'] as const

/** What the user is to a task. Only living members count as executors and responsible. */
export interface TaskRelation {
  isCreator: boolean
  isExecutor: boolean
  isResponsible: boolean
  /** Somebody is executor or responsible. */
  hasPeople: boolean
  /** A template is seen by every member, and written by the level of `permissionToEditTemplates`. */
  isTemplate?: boolean | undefined
}

/**
 * Whether a right of this level reaches the task (spec §6): «my» is a task with people assigned, of which the user is
 * creator, executor or responsible; «emptymy» takes in tasks with nobody assigned.
 */
export function reachesTask(level: TaskLevel, task: TaskRelation, bypass = false): boolean {
  if (bypass || level === 'all') return true
  if (level === 'none') return false
  if (!task.hasPeople) return level === 'emptymy'
  return task.isCreator || task.isExecutor || task.isResponsible
}

/** What the user is on a workspace. */
export interface Standing {
  isOwner: boolean
  /** The user holds `bypassTaskRights`. */
  bypass: boolean
  /** The user's living membership. */
  member?: MemberRights | undefined
}

export const standing = (actor: Actor, board: { idUser: number }, member?: MemberRights): Standing => ({
  isOwner: board.idUser === actor.id,
  bypass: holds(actor, 'bypassTaskRights'),
  member,
})

const isMaster = (on: Standing): boolean => on.isOwner || on.bypass

export const seesBoard = (on: Standing, board: { isPublic: boolean }): boolean =>
  isMaster(on) || board.isPublic || on.member !== undefined
/** The people and the tasks of a public workspace are its members' own; from outside one sees what it is, and joins. */
export const seesInside = (on: Standing): boolean => isMaster(on) || on.member !== undefined
export const mayEditBoard = (on: Standing): boolean => isMaster(on) || on.member?.canEditBoard === true
export const mayDeleteBoard = (on: Standing): boolean => isMaster(on)
export const mayEditColumns = (on: Standing): boolean => isMaster(on) || on.member?.canEditColumn === true
/** Whether one may make templates at all; which of them one changes, the level says. */
export const mayMakeTemplates = (on: Standing): boolean =>
  isMaster(on) || (on.member !== undefined && on.member.permissionToEditTemplates !== 'none')
export const mayCreateTask = (on: Standing): boolean => isMaster(on) || on.member?.canCreateTask === true

/**
 * Whether a card that the user sees may be moved by hand within its workspace: dragged, moved by keys or by the menu,
 * which are one act. It takes `canManuallyDragTask` and nothing else: a move changes the card, not the task, so the
 * right to edit is neither needed nor enough. Whoever lacks it moves cards by the task's state.
 */
export const mayDrag = (on: Standing): boolean => isMaster(on) || on.member?.canManuallyDragTask === true

/**
 * Whether a task may be taken from one workspace to another, or be put there as well.
 * @param related the workspaces are related in this direction: then the right here is enough, without any there
 */
export const mayRelate = (here: Standing, there: Standing, related = false): boolean =>
  relates(here) && (related || relates(there))
const relates = (on: Standing): boolean => isMaster(on) || on.member?.canRelationBoard === true

/**
 * Whether the user's right reaches the task.
 * @param on the user's standing on each living workspace that has a card of the task; a task on none is its creator's
 */
export function mayWithTask(right: TaskRight, task: TaskRelation, on: readonly Standing[], bypass = false): boolean {
  if (bypass) return true
  if (on.length === 0) return task.isCreator
  return on.some(
    (one) => isMaster(one) || (one.member !== undefined && reachesTask(levelOf(right, task, one.member), task)),
  )
}

/** The level that decides on this right to this task. */
export function levelOf(right: TaskRight, task: Pick<TaskRelation, 'isTemplate'>, member: MemberRights): TaskLevel {
  if (!task.isTemplate) return member[taskRights[right]]
  return right === 'view' ? 'all' : member.permissionToEditTemplates
}

/**
 * The rights in `wanted` that go beyond what the giver holds; nobody gives more than that.
 * @param before what the member has already: keeping it is no gift
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
