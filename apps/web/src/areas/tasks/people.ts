import type { User } from '@ordinator/model/areas/staff/user'
import type { BoardMember } from '@ordinator/model/areas/tasks/board'
import type { Row } from '@ordinator/model/entity'

export type Person = Pick<Row<typeof User>, 'id' | 'shortFio' | 'surname' | 'name' | 'avatar'>

/** An executor or responsible person of a task. */
export interface TaskPerson {
  id: number
  idMember: number
  member: { id: number; idUser: number; user: Person | null } | null
}

export type MemberRow = Row<typeof BoardMember> & { user: (Person & { fio: string; post: string | null }) | null }
