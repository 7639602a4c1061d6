import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { RegulationReviewer } from '@ordinator/model/areas/regulations/regulation'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { approve, askReviewers, lockVersion, pendingReviewers, sendBack } from './transitions.ts'
import { viewOf } from './view.ts'

export const decide = operation(
  regulationCalls.decide,
  ({ actor, records, query: { id }, body: { decision, comment } }) =>
    records.tx(async (inside, tx) => {
      const regulation = await lockVersion(inside, tx, id)
      const system = inside.asSystem
      const mine = await system.rows(RegulationReviewer, { 'filter[idRegulation]': id, 'filter[idUser]': actor.id })
      if (mine.length === 0) throw forbidden('Вы не согласуете этот регламент')
      if (regulation.status !== 'review') throw refuse('Решают, пока регламент на проверке')
      const pending = await pendingReviewers(inside, id)
      const own = pending.find(({ idUser }) => idUser === actor.id)
      // A reviewer who agreed to everything may still reject.
      const decided = own ?? (decision === 'rejected' ? mine.at(-1) : undefined)
      if (!decided) throw refuse('Вы уже согласовали этот регламент')
      if (decided.kind === 'approver' && pending.some(({ kind }) => kind === 'reviewer'))
        throw refuse('Сначала решают те, кто проверяет')
      const reason = comment?.trim() || null
      if (decision === 'rejected' && !reason)
        throw new ValidationError([{ field: 'comment', message: 'Укажите, что исправить' }])
      await system.update(RegulationReviewer, decided.id, {
        decision,
        comment: reason,
        dateDecision: new Date().toISOString(),
      })
      const context = { actor: inside.actor, tx, records: inside }
      const rest = pending.filter((one) => one.id !== decided.id)
      if (decision === 'rejected') await sendBack(context, regulation, reason as string)
      else if (rest.length === 0) await approve(context, regulation)
      else if (rest[0]?.kind !== decided.kind) await askReviewers(context, regulation)
      return viewOf(inside, id)
    }),
)

const refuse = (message: string) => new HttpError(409, message, { code: 'decision' })
