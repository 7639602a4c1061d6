/** Figures of a page that is no report (`Area.counts`): a request counts them, or the background if that takes too long. */
import type { Lane, Queryable } from '#platform/db.ts'
import type { ServerActor } from './actor.ts'

export interface PageCount<Asked extends object = never, Figures extends object = object> {
  /** Path of its call; one of `countedPages` of the model. */
  key: string
  /** @param db without `tx` it reads from one snapshot already */
  count(db: Queryable | Lane, asked: Asked, actor: ServerActor): Promise<Figures>
}
