import { BookingChannel, OutsideBooking } from '@ordinator/model/areas/outside/channel'
import { ChannelMatch } from '@ordinator/model/areas/outside/match'
import { Review, ReviewRoute } from '@ordinator/model/areas/outside/review'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'

/** Two sellers of the first branch: bookings that came through one of them, a question, and a refusal. */
export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const filial = await tx.one<{ id: number }>(
    sql`select "id"::int as id from filials where not "deleted" order by "id" limit 1`,
  )
  if (!filial) return
  const flex = await system.create(BookingChannel, { name: 'ПроДокторов', kind: 'medflex', idFilial: filial.id })
  await system.create(BookingChannel, { name: 'Запись с сайта партнёра', idFilial: filial.id, horizonDays: 14 })
  const visits = await tx.query<{ id: number; idCustomer: number }>(sql`
    select a."id"::int as id, a."idCustomer"::int as "idCustomer" from appointments a
    where a."idFilial" = ${filial.id} and a."channel" = 'site' and a."visitStatus" = 'booked' and not a."deleted"
      and a."dateFrom" > now() order by a."dateFrom", a."id" limit 4`)
  await tx.query(
    sql`update appointments set "channel" = 'aggregator' where "id" = any (${visits.map(({ id }) => id)}::bigint[])`,
  )
  for (const [at, { id: idAppointment, idCustomer }] of visits.entries())
    await system.create(OutsideBooking, {
      ...{ idChannel: flex.id, outerId: `${480_117 + at * 13}`, idCustomer, idAppointment, isConfirmed: at % 2 === 1 },
      ...(at === 0 && { question: 'На этом телефоне есть другая карта: сверьте, кто придёт' }),
    })
  await system.create(OutsideBooking, { idChannel: flex.id, outerId: '480211', reason: 'Это время уже заняли' })
  for (const [kind, outerName, outerCode] of [
    ['service', 'Терапевт, первичный приём', 'B01.047.001'],
    ['service', 'УЗИ брюшной полости', null],
    ['doctor', 'Незнакомцев Иван', null],
  ] as const)
    await system.create(ChannelMatch, { idChannel: flex.id, kind, outerName, outerCode })
  await reviewsOf(records, tx, filial.id)
}

/** Pages of the branch on maps, and reviews: two wait for an answer. */
async function reviewsOf({ asSystem }: Records, tx: Tx, idFilial: number): Promise<void> {
  for (const [site, url] of [
    ['yandex', 'https://yandex.ru/maps/org/1010501395/reviews'],
    ['gis', 'https://2gis.ru/novosibirsk/firm/141265770000000/tab/reviews'],
    ['prodoctorov', 'https://prodoctorov.ru/novosibirsk/lpu/10000/otzivi/'],
  ] as const)
    await asSystem.create(ReviewRoute, { idFilial, site, url })
  const doctors = await tx.query<{ id: number }>(sql`
    select u."id"::int as id from users u where u."idSpeciality" is not null and not u."deleted" order by u."id" limit 2`)
  const now = Date.now()
  for (const [at, { hours, answer, ...review }] of samples.entries())
    await asSystem.create(Review, {
      ...{ ...review, idFilial, idDoctor: doctors[at % 2]?.id ?? null },
      dateReview: new Date(now - hours * 3_600_000).toISOString(),
      ...(answer !== null && { answer, state: 'answered' as const }),
    })
}

const samples = [
  {
    site: 'yandex',
    hours: 5,
    author: 'Марина К.',
    score: 5,
    answer: null,
    text: 'Приняли вовремя, врач всё объяснил спокойно и без спешки.',
  },
  {
    site: 'gis',
    hours: 20,
    author: 'Сергей',
    score: 2,
    answer: null,
    text: 'Ждал сорок минут после назначенного времени, никто не предупредил.',
  },
  {
    site: 'prodoctorov',
    hours: 70,
    author: 'Анна',
    score: 5,
    answer: 'Анна, здравствуйте! Спасибо, что нашли время написать.',
    text: 'Удобная запись, всё чисто и вежливо.',
  },
] as const
