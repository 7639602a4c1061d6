/**
 * Prepayment for patients with many no-shows: the account must cover all booked visits. Users who may overbook can
 * waive it with a reason.
 */
import { holds } from '@ordinator/model/access'
import { rubles } from '@ordinator/model/areas/money/rules'
import { prepayDemand } from '@ordinator/model/areas/visits/rules'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { formatMoney } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { lackAhead } from '#areas/money/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { journal, journalActor } from '#records/journal.ts'

/** Refused until the account covers the sum. */
export class PrepayError extends ValidationError {}

/** Number of no-shows of the last year. */
export async function noShowsOf(db: Queryable, idCustomer: number): Promise<number> {
  const missed = await db.one<{ count: number }>(sql`
    select count(*)::int as count from appointments where "idCustomer" = ${idCustomer} and "visitStatus" = 'noShow'
      and not "deleted" and "dateFrom" > now() - interval '1 year'`)
  return missed?.count ?? 0
}

interface Booked {
  id: number
  idCustomer: number
  idFilial: number
  dateFrom: string
}

/**
 * Checks a visit just booked, with its prices; a past visit is only recorded and needs no prepayment.
 * @throws PrepayError
 */
export async function mustBePaidAhead(
  { tx, actor }: { tx: Tx; actor: ServerActor },
  { id, idCustomer, idFilial, dateFrom }: Booked,
  reason: string | null | undefined,
): Promise<void> {
  if (Date.parse(dateFrom) < Date.now()) return
  const demand = prepayDemand(await noShowsOf(tx, idCustomer), await readCommonSettings(tx))
  if (demand === undefined) return
  const lack = await lackAhead(tx, idCustomer, idFilial)
  if (lack <= 0) return
  const may = holds(actor, 'overbookAppointments')
  if (may && reason) {
    const entry = { action: 'update', entityType: Appointment.path, idEntity: id, idCustomer } as const
    await journal(tx, { ...journalActor(actor), ...entry, basis: `Записан без предоплаты: ${reason}` })
    return
  }
  const money = `${demand}. Примите в кассе аванс ${formatMoney(rubles(lack))} и запишите`
  throw new PrepayError([
    may
      ? { field: 'unpaidReason', message: `${money} — или укажите, почему без предоплаты` }
      : { field: 'idCustomer', message: money },
  ])
}
