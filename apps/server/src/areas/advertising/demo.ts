/** Three campaigns of the demo clinic with three months of costs, and their new patients. */
import { AdCampaign, AdCost, AdCreative, AdNumber } from '@ordinator/model/areas/advertising/campaign'
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { LeadRequest } from '@ordinator/model/areas/sales/intake'
import type { Create } from '@ordinator/model/entity'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { fioSql } from '#areas/staff/index.ts'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { collectWithin } from './collect.ts'

const DAYS = 90
/** Phones of new patients (`newcomerPhone` of visits). */
const NEWCOMERS = '+7900005%'
const HOUR_MS = 3_600_000
const WARNING = 'Имеются противопоказания, необходима консультация специалиста.'

export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const today = dayIn('Europe/Moscow', Date.now())
  const dateFrom = plusDays(today, -DAYS)
  const licence = await tx.one<{ number: string | null }>(
    sql`select "licenceNumber" as number from organizations where "kind" = 'own' order by "id" limit 1`,
  )
  const author = await tx.one<{ id: number }>(sql`select "id" from users where "login" = 'manager'`)
  const sourceOf = async (name: string): Promise<number | null> =>
    (
      await tx.one<{ id: number }>(
        sql`select "id" from customer_sources where "sourceName" = ${name} order by "id" limit 1`,
      )
    )?.id ?? null
  if (!author) return
  const idAuthor = author.id
  const text = (words: string) => `${words} Лицензия № ${licence?.number ?? 'ЛО-77-01-000000'}. ${WARNING}`
  const common = { status: 'active' as const, dateFrom, idAuthor }
  const context = await system.create(AdCampaign, {
    ...common,
    name: 'Яндекс Директ: приём терапевта',
    channel: 'context',
    budget: 150_000,
    utmSource: 'yandex',
    erid: '2VtzqwQe7Ld',
    idSource: await sourceOf('Сайт клиники'),
  })
  const maps = await system.create(AdCampaign, {
    ...common,
    name: 'Карты: 2ГИС и Яндекс',
    channel: 'maps',
    budget: 90_000,
    utmSource: '2gis',
    erid: '2VtzqwZb9Kp',
    promoCode: 'ОСЕНЬ',
  })
  const leaflets = await system.create(AdCampaign, {
    ...common,
    name: 'Листовки у метро',
    channel: 'print',
    budget: 24_000,
    idSource: await sourceOf('Листовка'),
    note: 'Раздача по вторникам и четвергам',
  })
  for (const [campaign, phone] of [
    [maps, '+79000000701'],
    [context, '+79000000702'],
  ] as const)
    await system.create(AdNumber, { idCampaign: campaign.id, phone, dateFrom })
  await system.createMany(AdCreative, [
    {
      idCampaign: context.id,
      name: 'Поиск: терапевт рядом',
      text: text('Терапевт сегодня. Запись онлайн.'),
      isOnline: true,
    },
    { idCampaign: maps.id, name: 'Карточка клиники', text: text('Клиника у вашего дома.'), isOnline: true },
    {
      idCampaign: leaflets.id,
      name: 'Листовка А6',
      text: 'Скидка 10 % на первый приём по этой листовке.',
      isOnline: false,
    },
  ])
  await system.createMany(
    AdCost,
    [
      { campaign: context, cost: 1_450, clicks: 32 },
      { campaign: maps, cost: 840, clicks: 21 },
      { campaign: leaflets, cost: 210, clicks: null },
    ].flatMap(({ campaign, cost, clicks }, place) =>
      Array.from({ length: DAYS + 1 }, (_, at) => {
        const wave = 1 + (((at * 5 + place * 3) % 9) - 4) / 12
        return {
          idCampaign: campaign.id,
          localDate: plusDays(dateFrom, at),
          cost: Math.round(cost * wave * 100) / 100,
          clicks: clicks === null ? null : Math.round(clicks * wave),
          impressions: clicks === null ? null : Math.round(clicks * wave * 32),
        }
      }),
    ),
  )
  await ageCards(tx)
  await bring(records, tx, [
    { idCampaign: context.id, way: 'utm' },
    { idCampaign: maps.id, way: 'number' },
    { idCampaign: leaflets.id, way: 'answer' },
  ])
  await collectWithin(tx)
}

/**
 * Moves cards before the campaigns, so that their sources are no new touches; cards of newcomers are as old as their
 * bookings.
 */
async function ageCards(tx: Tx): Promise<void> {
  await tx.query(sql`
    update customers c set "dateCreate" = coalesce(v.first - interval '5 minutes',
      now() - make_interval(days => (${DAYS + 5} + c."id" * 37 % 900)::int))
    from customers k left join lateral (select min(a."dateCreate") as first from appointments a
      where k."phone" like ${NEWCOMERS} and a."idCustomer" = k."id" and not a."deleted") v on true
    where k."id" = c."id"`)
}

/** Share of newcomers per campaign; the rest came without one. */
const SHARES = [9, 5, 2] as const
const OF = 20

/**
 * Newcomers of a campaign: a touch, an appeal with a booking, and their visits. About as many callers only get the
 * price. Those from the site leave a request with the marks of the campaign.
 */
async function bring(
  records: Records,
  tx: Tx,
  campaigns: readonly { idCampaign: number; way: 'utm' | 'number' | 'answer' }[],
): Promise<void> {
  const people = await tx.query<{ id: number; phone: string; fio: string; at: number; idFilial: number }>(sql`
    select distinct on (c."id") c."id"::int as id, c."phone", ${fioSql(raw('c'))} as fio, v."idFilial"::int as "idFilial",
      (extract(epoch from v."dateCreate") * 1000)::float8 as at
    from customers c join appointments v on v."idCustomer" = c."id" and not v."deleted"
    where c."phone" like ${NEWCOMERS} order by c."id", v."dateCreate"`)
  const operators = await tx.query<{ id: number }>(
    sql`select "id"::int as id from users where "sipPhone" like '2%' order by "id"`,
  )
  const cause = await tx.one<{ id: number }>(sql`select "id"::int as id from appeals_causes order by "id" limit 1`)
  if (people.length === 0 || operators.length === 0) return
  const appeals: Create<typeof Appeal>[] = []
  const requests: Create<typeof LeadRequest>[] = []
  const touches: object[] = []
  const draft = (
    at: number,
    person: { idCustomer: number | null; phone: string; fio: string | null; idFilial: number },
    isBooked: boolean,
  ) => {
    const n = appeals.length + requests.length
    const place = n % OF
    const which =
      place < SHARES[0] ? 0 : place < SHARES[0] + SHARES[1] ? 1 : place < SHARES[0] + SHARES[1] + SHARES[2] ? 2 : -1
    const campaign = campaigns[which]
    const { idCustomer, phone } = person
    const idUser = operators[n % operators.length]?.id as number
    if (campaign?.way === 'utm') {
      requests.push({
        state: 'accepted',
        name: person.fio ?? 'Гость сайта',
        phone,
        message: isBooked ? 'Хочу записаться на приём' : 'Сколько стоит первый приём?',
        page: 'https://clinic.example/check-up',
        utm: { utm_source: 'yandex', utm_medium: 'cpc', utm_campaign: 'check-up' },
        brand: 'yandex',
        idUser,
        dateCreate: new Date(at).toISOString(),
        dateSorted: new Date(at + 180_000).toISOString(),
      } as Create<typeof LeadRequest>)
      return
    }
    if (campaign)
      touches.push({
        mark: `demo:${n}`,
        dateTouch: new Date(at - (2 + (n % 40)) * HOUR_MS).toISOString(),
        way: campaign.way,
        idCampaign: campaign.idCampaign,
        phone,
        idCustomer,
      })
    appeals.push({
      entityType: 'call',
      idCustomer,
      customerFullName: person.fio,
      customerPhone: phone,
      idCause: cause?.id ?? null,
      description: isBooked ? 'Хочет на приём, раньше у нас не был' : 'Спрашивает цену первого приёма',
      idOwner: idUser,
      idUser,
      idFilial: person.idFilial,
      status: 'closed',
      outcome: isBooked ? 'booked' : 'consulted',
      dateStart: new Date(at).toISOString(),
      dateEnd: new Date(at + 400_000).toISOString(),
    } as Create<typeof Appeal>)
  }
  for (const [n, { id, phone, fio, at, idFilial }] of people.entries()) {
    draft(at - 240_000, { idCustomer: id, phone, fio, idFilial }, true)
    if (n % 4 !== 3) {
      const stranger = `+7900004${String(n).padStart(4, '0')}`
      draft(at - (3 + (n % 9)) * HOUR_MS, { idCustomer: null, phone: stranger, fio: null, idFilial }, false)
    }
  }
  await records.asSystem.createMany(LeadRequest, requests, { pastHooks: 'they are dealt with' })
  await records.asSystem.createMany(Appeal, appeals, { pastHooks: 'they are of cards that were just made' })
  await tx.query(sql`
    insert into advertising_touches ("mark", "dateTouch", "way", "idCampaign", "phone", "idCustomer")
    select t."mark", t."dateTouch", t."way", t."idCampaign", t."phone", t."idCustomer"
    from jsonb_to_recordset(${JSON.stringify(touches)}::jsonb) as t("mark" text, "dateTouch" timestamptz, "way" text,
      "idCampaign" bigint, "phone" text, "idCustomer" bigint) on conflict do nothing`)
}
