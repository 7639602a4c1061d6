import { Appeal, AppealCause, type AppealStatus, AppealTag, type outcomes } from '@ordinator/model/areas/appeals/appeal'
import { INCOMING } from '@ordinator/model/areas/calls/call'
import sql, { raw } from 'sql-template-tag'
import { fioSql } from '#areas/staff/index.ts'
import type { Tx } from '#platform/db.ts'
import { seeded } from '#platform/seeded.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'

const DAY_MS = 86_400_000
/** Days after which an appeal of the demo is closed. */
const CLOSED_AFTER = 2

type Outcome = keyof typeof outcomes

/** Causes with typical texts and outcomes. */
const causes: readonly { name: string; words: readonly string[]; ends: readonly Outcome[] }[] = [
  {
    name: 'Запись на приём',
    words: [
      'Хочет на приём к терапевту на этой неделе',
      'Просит записать ребёнка к ЛОР-врачу',
      'Нужен УЗИ-кабинет в субботу',
    ],
    ends: ['booked', 'booked', 'refused'],
  },
  {
    name: 'Перенос или отмена',
    words: ['Просит перенести приём на вечер', 'Не успевает к назначенному времени, нужен другой день'],
    ends: ['booked', 'consulted'],
  },
  {
    name: 'Цены и услуги',
    words: ['Спрашивает, сколько стоит МРТ колена', 'Уточняет стоимость чек-апа и скидку для семьи'],
    ends: ['consulted', 'sold', 'booked'],
  },
  {
    name: 'Результаты анализов',
    words: ['Не пришли результаты анализов на почту', 'Просит объяснить результаты у врача'],
    ends: ['consulted', 'booked'],
  },
  {
    name: 'Жалоба',
    words: ['Ждала приёма сорок минут', 'В регистратуре не дозвониться второй день'],
    ends: ['complaint'],
  },
  {
    name: 'Документы и справки',
    words: ['Нужна справка для налоговой', 'Просит выписку из карты'],
    ends: ['consulted'],
  },
  { name: 'Другое', words: ['Ошиблись номером', 'Предлагают рекламу'], ends: ['notTarget'] },
]

interface DemoCall {
  id: number
  phone: string | null
  idCustomer: number | null
  fio: string | null
  idUser: number
  idFilial: number | null
  at: string
}

/** The standard causes, editable by the clinic. */
export async function ready(records: Records): Promise<void> {
  for (const { name } of causes) await records.asSystem.create(AppealCause, { name })
}

/** Appeals of the answered calls of three months: old ones closed with an outcome, recent ones open. */
export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const random = seeded(20_261_122)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const ids: number[] = []
  for (const { name } of causes) ids.push((await system.create(AppealCause, { name })).id)
  const calls =
    await tx.query<DemoCall>(sql`select k."id"::int as id, k."contactPhone" as phone, k."idCustomer"::int as "idCustomer",
      case when c."id" is not null then ${fioSql(raw('c'))} end as fio, k."idUser"::int as "idUser",
      k."idFilial"::int as "idFilial", k."dateCreate" as at
    from calls k left join customers c on c."id" = k."idCustomer"
    where k."callType" = ${INCOMING} and k."idUser" is not null order by k."id"`)
  const now = Date.now()
  const plans = calls
    .filter(() => random() < 0.5)
    .map((call) => {
      const at = Math.floor(random() ** 1.6 * causes.length)
      const cause = causes[at] as (typeof causes)[number]
      const begin = new Date(call.at).getTime()
      const fresh = now - begin < CLOSED_AFTER * DAY_MS
      const status: AppealStatus = fresh ? pick(['draft', 'open', 'open', 'waiting']) : 'closed'
      return {
        entityType: 'call' as const,
        idEntity: call.id,
        idCustomer: call.idCustomer,
        customerFullName: call.fio,
        customerPhone: call.phone,
        idCause: ids[at] as number,
        description: pick(cause.words),
        idOwner: call.idUser,
        idUser: call.idUser,
        idFilial: call.idFilial,
        deadline: fresh ? new Date(begin + DAY_MS).toISOString() : null,
        status,
        outcome: status === 'closed' ? pick(cause.ends) : null,
        dateStart: new Date(begin).toISOString(),
        dateEnd: status === 'closed' ? new Date(begin + 600_000 + random() * 3_600_000).toISOString() : null,
      }
    })
  const made = await system.createMany(Appeal, plans, { pastHooks: 'they are of calls and cards that were just made' })
  const tagged = made.filter((_, at) => at % 9 === 0).map(({ id }) => ({ idAppeal: id, name: 'VIP', color: '#f59f00' }))
  await system.createMany(AppealTag, tagged, { pastHooks: 'a tag has no rules' })
}
