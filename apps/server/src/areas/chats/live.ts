/** Live state of chats: waiting visitors, and marks of viewing and typing. */
import type { AppContext } from '#records/context.ts'
import { createMarks, type Marks } from './marks.ts'
import { createWaiters, type Waiters } from './waiters.ts'

export const waitersOf = new WeakMap<AppContext, Waiters>()
const marked = new WeakMap<AppContext, Marks>()
export function startWaiters(app: AppContext): void {
  const waiters = createWaiters(app.fanout)
  const marks = createMarks(app.fanout)
  waitersOf.set(app, waiters)
  marked.set(app, marks)
  app.onClose(() => {
    waiters.close()
    marks.close()
  })
}
export const marksOf = (app: AppContext): Marks => marked.get(app) as Marks
