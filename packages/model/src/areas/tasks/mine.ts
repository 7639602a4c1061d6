/**
 * By what a task stands before a person. «Мои задачи», the desktop and the number in the menu all ask by these, so that
 * the same thing has one number wherever it is counted.
 */
import type { AnyFilter } from '../../client.ts'

/** Not finished, put away or a template, and on a board that one can open. */
export const openTask: AnyFilter = {
  isCompleted: false,
  isArchive: false,
  isTemplate: false,
  'assigned.isArchive': false,
}

/** What the person executes or answers for and has not handed in. */
export const toDo = (idUser: number): AnyFilter => ({
  and: [
    openTask,
    { isWaitCheck: false, or: [{ 'executors.member.idUser': idUser }, { 'responsible.member.idUser': idUser }] },
  ],
})

/** What was handed in and waits for the person's word. */
export const waitsForCheck = (idUser: number): AnyFilter => ({
  and: [openTask, { isWaitCheck: true, or: [{ idUser }, { 'responsible.member.idUser': idUser }] }],
})

/** Past its end. @param now ISO 8601 */
export const overdueToDo = (idUser: number, now: string): AnyFilter => ({
  and: [toDo(idUser), { dateEnd: { lt: now } }],
})
