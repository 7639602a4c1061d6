import type { Entity } from '@ordinator/model/entity'
import { actorOfUser } from '#auth/index.ts'
import { HttpError } from '#platform/errors.ts'
import type { WriteContext } from '#records/define.ts'

/** Users of the list with access to the record, each once and without the author: checked with their current rights. */
export async function whoSee(
  { records, tx, actor }: Pick<WriteContext, 'records' | 'tx' | 'actor'>,
  entity: Entity,
  id: number,
  idUsers: readonly number[],
): Promise<number[]> {
  const seers: number[] = []
  for (const idUser of new Set(idUsers)) {
    if (idUser === actor.id) continue
    const person = await actorOfUser(tx, idUser)
    if (!person) continue
    try {
      await records.as(person).view(entity, id, { fields: 'id' })
      seers.push(idUser)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
    }
  }
  return seers
}
