import { LiveAssist } from './areas/chats/liveAssist.ts'
import { Customer } from './areas/customers/customer.ts'
import { Import } from './areas/imports/import.ts'
import { Notification } from './areas/notifications/notification.ts'
import { Lead } from './areas/sales/lead.ts'
import { UserSetting } from './areas/settings/userSetting.ts'
import { Role, UserPermission, UserRole } from './areas/staff/role.ts'
import { User } from './areas/staff/user.ts'
import { Board, Column, Member, Relation, Resource } from './areas/tasks/board.ts'
import { CheckList, CheckListItem } from './areas/tasks/checkList.ts'
import { ClientList, ClientListItem } from './areas/tasks/clientList.ts'
import { Comment, CommentFile } from './areas/tasks/comment.ts'
import { File, TaskFile } from './areas/tasks/file.ts'
import { TaskLink } from './areas/tasks/link.ts'
import { Poll, PollOption, PollResult } from './areas/tasks/poll.ts'
import { Subtask } from './areas/tasks/subtask.ts'
import { Assigned, Executor, Responsible, Tag, Task, Watcher } from './areas/tasks/task.ts'
import type { Entity } from './entity.ts'

/** Every entity of the product. What is not here does not exist for the server, the web or the tests. */
export const entities = [
  User,
  Role,
  UserRole,
  UserPermission,
  UserSetting,
  Notification,
  Import,
  Customer,
  Lead,
  LiveAssist,
  Board,
  Column,
  Member,
  Task,
  Assigned,
  Executor,
  Responsible,
  Tag,
  File,
  TaskFile,
  Watcher,
  Subtask,
  TaskLink,
  CheckList,
  CheckListItem,
  ClientList,
  ClientListItem,
  Poll,
  PollOption,
  PollResult,
  Comment,
  CommentFile,
  Relation,
  Resource,
] as const

type Known = (typeof entities)[number]
/** An entity's type by its path. */
export type EntityAt<P extends string> =
  Extract<Known, { path: P }> extends never ? Entity : Extract<Known, { path: P }>

const byPath = new Map<string, Entity>(entities.map((e) => [e.path, e as Entity]))

/** The entity at a path; undefined when there is none. */
export const entityAt = (path: string): Entity | undefined => byPath.get(path)
