/** Three campaigns of the demo clinic with three months of costs; touches and conversions come of its calls and visits. */
import { AdCampaign, AdCost, AdCreative, AdNumber } from '@ordinator/model/areas/advertising/campaign'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import type { Tx } from '../../platform/db.ts'
import type { AppContext } from '../../records/context.ts'
import type { Records } from '../../records/records.ts'
import { collectWithin } from './collect.ts'

const DAYS = 90
const WARNING = 'Имеются противопоказания, необходима консультация специалиста.'

export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const today = dayIn('Europe/Moscow', Date.now())
  const dateFrom = plusDays(today, -DAYS)
  const licence = await tx.one<{ number: string | null }>(
    sql`select "licenceNumber" as number from organizations where "kind" = 'own' order by "id" limit 1`,
  )
  const author = await tx.one<{ id: number }>(sql`select "id" from users where "login" = 'manager'`)
  const lines = await tx.query<{
    phone: string
  }>(sql`select '+7' || right(regexp_replace("destPhone", '\\D', '', 'g'), 10) as phone
    from calls where "callType" in (1, 3, 5) and length(regexp_replace("destPhone", '\\D', '', 'g')) >= 10
    group by 1 order by count(*), 1 limit 2`)
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
    budget: 450_000,
    utmSource: 'yandex',
    erid: '2VtzqwQe7Ld',
    idSource: await sourceOf('Сайт клиники'),
  })
  const maps = await system.create(AdCampaign, {
    ...common,
    name: 'Карты: 2ГИС и Яндекс',
    channel: 'maps',
    budget: 250_000,
    utmSource: '2gis',
    erid: '2VtzqwZb9Kp',
    promoCode: 'ОСЕНЬ',
  })
  const leaflets = await system.create(AdCampaign, {
    ...common,
    name: 'Листовки у метро',
    channel: 'print',
    budget: 60_000,
    idSource: await sourceOf('Листовка'),
    note: 'Раздача по вторникам и четвергам',
  })
  for (const [at, campaign] of [maps, context].entries()) {
    const phone = lines[at]?.phone
    if (phone) await system.create(AdNumber, { idCampaign: campaign.id, phone, dateFrom })
  }
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
      { campaign: context, cost: 4_350, clicks: 96 },
      { campaign: maps, cost: 2_520, clicks: 58 },
      { campaign: leaflets, cost: 640, clicks: null },
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
  await touch(tx, [
    { idCampaign: context.id, way: 'utm', part: 0, of: 22 },
    { idCampaign: maps.id, way: 'number', part: 1, of: 30 },
    { idCampaign: leaflets.id, way: 'answer', part: 2, of: 60 },
  ])
  await collectWithin(tx)
}

/** Touches of every so many patients and callers shortly before they came, as counters and numbers would have noted them. */
async function touch(
  tx: Tx,
  campaigns: readonly { idCampaign: number; way: string; part: number; of: number }[],
): Promise<void> {
  const asked = sql`jsonb_to_recordset(${JSON.stringify(campaigns)}::jsonb) as a("idCampaign" bigint, "way" text, "part" int, "of" int)`
  await tx.query(sql`
    insert into advertising_touches ("mark", "dateTouch", "way", "idCampaign", "idCustomer")
    select 'demo:booking:' || v."idCustomer", min(v."dateCreate") - interval '2 days', a."way", a."idCampaign", v."idCustomer"
    from appointments v join ${asked} on v."idCustomer" % a."of" = a."part"
    where not v."deleted" group by v."idCustomer", a."way", a."idCampaign" on conflict do nothing`)
  await tx.query(sql`
    insert into advertising_touches ("mark", "dateTouch", "way", "idCampaign", "phone", "idCustomer")
    select distinct on (p."id") 'demo:appeal:' || p."id", p."dateStart" - interval '3 hours', a."way", a."idCampaign", p."customerPhone", p."idCustomer"
    from appeals p join ${asked} on p."id" % (a."of" / 6) = a."part"
    where not p."deleted" and (p."customerPhone" is not null or p."idCustomer" is not null) order by p."id", a."idCampaign" on conflict do nothing`)
}
