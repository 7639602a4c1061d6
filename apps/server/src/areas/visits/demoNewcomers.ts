/**
 * Patients of the demo clinic who came for the first time in the last weeks, from advertising: each gets two or three
 * visits of regular patients.
 */
import { Customer, CustomerSource } from '@ordinator/model/areas/customers/customer'
import sql from 'sql-template-tag'
import { nextCardNumber } from '#areas/customers/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

/** Sources by weight; a few are unknown. */
const sources = [
  ...['Яндекс Карты', 'Сайт клиники', '2ГИС', 'Рекомендация пациента', 'Яндекс Карты', 'ВКонтакте'],
  ...['Рекомендация пациента', 'Сайт клиники', undefined, 'Вывеска', '2ГИС', 'Листовка'],
]
const surnames = ['Абрамов', 'Беликов', 'Громов', 'Дроздов', 'Ершов', 'Жилин', 'Калугин', 'Лосев', 'Мухин', 'Носов']
const men = ['Илья', 'Роман', 'Денис', 'Егор', 'Павел', 'Кирилл', 'Антон', 'Глеб']
const women = ['Дарья', 'Полина', 'Вера', 'Алина', 'Юлия', 'Кира', 'Нина', 'Лидия']
const HOW_MANY = 84
/** Days over which they came. */
const SPAN = 84

/** Phone numbers of an unassigned range. */
export const newcomerPhone = (at: number): string => `+7900005${String(at).padStart(4, '0')}`

export async function demoNewcomers(records: Records, tx: Tx): Promise<void> {
  const { customerSequence } = await readCommonSettings(tx)
  const numbers: (string | undefined)[] = []
  for (let at = 0; at < HOW_MANY && customerSequence !== null; at++)
    numbers.push(await nextCardNumber(tx, customerSequence))
  const known = await records.asSystem.rows(CustomerSource, { limit: 100 })
  const idOf = new Map(known.map(({ id, sourceName }) => [sourceName, id]))
  const made = await records.asSystem.createMany(
    Customer,
    Array.from({ length: HOW_MANY }, (_, at) => {
      const isMan = at % 2 === 0
      const surname = surnames[at % surnames.length] as string
      return {
        surname: isMan ? surname : `${surname}а`,
        name: (isMan ? men : women)[Math.floor(at / 2) % 8] as string,
        gender: isMan ? ('male' as const) : ('female' as const),
        birthday: `${String(1 + (at % 27)).padStart(2, '0')}.${String(1 + (at % 12)).padStart(2, '0')}.${1960 + ((at * 7) % 42)}`,
        phone: newcomerPhone(at),
        cardNumber: numbers[at] ?? null,
        idSource: idOf.get(sources[at % sources.length] ?? ''),
      }
    }),
    { pastHooks: 'The numbers of the demo clinic are made as their kinds have them' },
  )
  const ids = made.map(({ id }) => id)
  // Each takes over one visit of its own day, and one or two of the following weeks; patients of chains and groups keep
  // theirs.
  await tx.query(sql`
    with asked as (
      select c.id, n.no, (current_date - (${SPAN}::int - (c.at * ${SPAN} / ${HOW_MANY})::int) + n.no * 12)::date as day, c.at
      from unnest(${ids}::bigint[]) with ordinality as c(id, at) cross join generate_series(0, 2) n(no)
      where n.no < 2 or c.at % 3 = 0
    ), taken as (
      select a.id as customer, v."id", row_number() over (partition by v."id" order by a.id) as turn
      from asked a join lateral (select v."id" from appointments v
        where v."localDate" = a.day and v."idSeries" is null and v."visitStatus" not in ('moved', 'cancelled')
        order by (hashint8(v."id" * 31 + a.at) & 2147483647) limit 1) v on true
    )
    update appointments v set "idCustomer" = t.customer, "kind" = 'primary', "channel" = case when t.customer % 2 = 0 then 'site' else 'phone' end
    from taken t where v."id" = t."id" and t.turn = 1`)
}
