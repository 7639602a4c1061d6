import { UserSetting } from './areas/settings/userSetting.ts'
import { Role, UserPermission, UserRole } from './areas/staff/role.ts'
import { User } from './areas/staff/user.ts'
import { Board, Column, Member } from './areas/tasks/board.ts'
import { File, TaskFile } from './areas/tasks/file.ts'
import { Assigned, Executor, Responsible, Tag, Task } from './areas/tasks/task.ts'
import type { Entity } from './entity.ts'

/** Every entity of the product. What is not here does not exist for the server, the web or the tests. */
export const entities = [
  User,
  Role,
  UserRole,
  UserPermission,
  UserSetting,
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
] as const

type Known = (typeof entities)[number]
/** An entity's type by its path. */
export type EntityAt<P extends string> =
  Extract<Known, { path: P }> extends never ? Entity : Extract<Known, { path: P }>

const byPath = new Map<string, Entity>(entities.map((e) => [e.path, e as Entity]))

/** The entity at a path; undefined when there is none. */
export const entityAt = (path: string): Entity | undefined => byPath.get(path)
