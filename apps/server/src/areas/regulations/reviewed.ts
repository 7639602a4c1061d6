import { regulationCalls } from '@ordinator/model/areas/regulations/calls'
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { HttpError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { reviewDay } from './regulations.ts'
import { lockVersion } from './transitions.ts'
import { viewOf } from './view.ts'

export const reviewed = operation(regulationCalls.reviewed, ({ records, query: { id } }) =>
  records.tx(async (inside, tx) => {
    const { status, reviewMonths } = await lockVersion(inside, tx, id)
    if (status !== 'active' || reviewMonths === 0)
      throw new HttpError(409, 'Пересматривают действующий регламент, которому назначен срок пересмотра', {
        code: 'review',
      })
    await inside.asSystem.update(Regulation, id, {
      dateReview: await reviewDay(tx, null, reviewMonths),
      dateReviewReminded: null,
    })
    return viewOf(inside, id)
  }),
)
