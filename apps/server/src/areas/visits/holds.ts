/** Holds: times reserved while a booking is being entered. */

import { visitCalls } from '@ordinator/model/areas/visits/calls'
import { clockOf, DAY_MINUTES, minutesOf } from '@ordinator/model/areas/visits/clock'
import { HOLD_MINUTES, Hold, MAX_HOLD_MINUTES } from '@ordinator/model/areas/visits/hold'
import sql, { raw } from 'sql-template-tag'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { groupOf, NoPlaceError, takeSeat } from './groups.ts'
import { doctorResource, dropHolds, lockResources, occupy, roomResource, TakenError } from './occupancy.ts'
import { holdScope, mustReach } from './scope.ts'
import { momentSql, zoneSql } from './times.ts'

export const visitHolds = records(Hold, {
  scope: holdScope,
  hooks: {
    async beforeCreate({ tx, actor, records: own }, value) {
      const { idUser, idFilial, localDate, localStart, minutes } = value
      await mustReach(tx, actor, idFilial, [idUser])
      if ((minutesOf(localStart) as number) + minutes > DAY_MINUTES)
        throw new ValidationError([{ field: 'minutes', message: `День кончается в ${clockOf(DAY_MINUTES)}` }])
      const found = await tx.one<{
        dateFrom: string
        dateTo: string
        past: boolean
        idRoom: number | null
        expiresAt: string
      }>(sql`
        select m."from" as "dateFrom", m."from" + make_interval(mins => ${minutes}) as "dateTo", m."from" < now() as past,
          (select e."idRoom" from staff_events e where e."idUser" = ${idUser} and e."idFilial" = ${idFilial} and not e."deleted"
            and e."type" = 'shift' and e."dateFrom" <= m."from" and e."dateTo" > m."from" limit 1) as "idRoom",
          now() + make_interval(mins => ${HOLD_MINUTES}) as "expiresAt"
        from filials f cross join lateral (select ${momentSql(sql`${localDate}`, sql`${localStart}`, zoneSql(raw('f')))} as "from") m
        where f."id" = ${idFilial}`)
      if (!found) return
      if (found.past) throw new ValidationError([{ field: 'localStart', message: 'Это время уже прошло' }])
      const idRoom = value.idRoom === undefined ? found.idRoom : value.idRoom
      const { dateFrom, dateTo, expiresAt } = found
      Object.assign(value, { expiresAt, ...value, dateFrom, dateTo, idRoom })
      const resources = [doctorResource(idUser), ...(idRoom === null ? [] : [roomResource(idRoom)])]
      await lockResources(tx, resources)
      await dropHolds(
        own,
        actor.id,
        resources.map((resource) => ({ resource, from: dateFrom, to: dateTo })),
      )
    },
    async afterCreate(
      { tx, records: own, actor },
      { id: idHold, idUser, idRoom, dateFrom: from, dateTo: to, expiresAt },
    ) {
      const taken = { from, to, idHold, expiresAt, overbook: 'never' } as const
      try {
        // For a group slot, hold one place, not the whole slot.
        const group = await groupOf(tx, idUser, from)
        if (group) return await takeSeat({ records: own, tx }, group.id, { idHold, expiresAt }, actor.id)
        await occupy(tx, { ...taken, resource: doctorResource(idUser), capacity: 1 })
        if (idRoom === null) return
        const room = await tx.one<{ capacity: number }>(
          sql`select "capacity" from filials_rooms where "id" = ${idRoom}`,
        )
        await occupy(tx, { ...taken, resource: roomResource(idRoom), capacity: room?.capacity ?? 1 })
      } catch (error) {
        if (error instanceof TakenError || error instanceof NoPlaceError)
          throw new HttpError(409, error.message, { code: 'taken' })
        throw error
      }
    },
    beforeDelete({ actor }, { idAuthor, isOffered }) {
      if (idAuthor === null && !actor.system)
        throw new HttpError(409, 'Это время выбрал пациент онлайн: оно освободится само', { code: 'offered' })
      if (isOffered)
        throw new HttpError(409, 'Время предложено из листа ожидания: отметьте ответ там', { code: 'offered' })
      if (!actor.system && idAuthor !== actor.id) throw forbidden('Это время держит другой сотрудник')
    },
    afterRestore() {
      throw new HttpError(409, 'Время больше не удерживается, выберите его снова', { code: 'expired' })
    },
  },
})

/** Extends a hold while the form is being edited, up to a limit. */
export const prolong = operation(visitCalls.prolong, ({ records: own, actor, params }) =>
  own.tx(async (inside, tx) => {
    const hold = await inside.row(Hold, params.id)
    if (hold.idAuthor !== actor.id || hold.isOffered) throw forbidden('Это время держит другой сотрудник')
    await lockResources(tx, [doctorResource(hold.idUser), ...(hold.idRoom === null ? [] : [roomResource(hold.idRoom)])])
    const next = await tx.one<{ until: string }>(sql`
      select least(now() + make_interval(mins => ${HOLD_MINUTES}), "dateCreate" + make_interval(mins => ${MAX_HOLD_MINUTES})) as until
      from appointments_holds where "id" = ${hold.id} and "expiresAt" > now()`)
    if (!next) throw new HttpError(409, 'Время больше не удерживается, выберите его снова', { code: 'expired' })
    for (const taken of ['visit_occupancy', 'visit_seats'])
      await tx.query(sql`update ${raw(taken)} set "expiresAt" = ${next.until} where "idHold" = ${hold.id}`)
    return inside.asSystem.update(Hold, hold.id, { expiresAt: next.until })
  }),
)

/** Deletes expired holds, so that other screens are updated. */
export function sweepHolds(app: AppContext): void {
  app.jobs.register('visits.holds', {
    cron: '* * * * *',
    handler: () =>
      app.engine.for(systemActor).tx(async (own) => {
        await own.asSystem.deleteWhere(
          Hold,
          {
            rows: sql`select h."id" from appointments_holds h where h."expiresAt" <= now() and not h."deleted" order by h."id" limit 500 for update skip locked`,
          },
          { pastHooks: 'Nobody holds it any more' },
        )
      }),
  })
}
