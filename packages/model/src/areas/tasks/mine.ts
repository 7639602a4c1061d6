/**
 * Filters for a person's tasks. «Мои задачи», the dashboard and the menu's counter share them, so that their numbers
 * agree.
 */
import type { AnyFilter } from '../../client.ts'

/** Not completed, not archived, not a template, and on an accessible board. */
export const openTask: AnyFilter = {
  isCompleted: false,
  isArchive: false,
  isTemplate: false,
  'assigned.isArchive': false,
}

/** Tasks that the user executes or is responsible for, not handed in yet. */
export const toDo = (idUser: number): AnyFilter => ({
  and: [
    openTask,
    { isWaitCheck: false, or: [{ 'executors.member.idUser': idUser }, { 'responsible.member.idUser': idUser }] },
  ],
})

/** Handed-in tasks that wait for the user's decision. */
export const waitsForCheck = (idUser: number): AnyFilter => ({
  and: [openTask, { isWaitCheck: true, or: [{ idUser }, { 'responsible.member.idUser': idUser }] }],
})

/** Past the due date. @param now ISO 8601 */
export const overdueToDo = (idUser: number, now: string): AnyFilter => ({
  and: [toDo(idUser), { dateEnd: { lt: now } }],
})
