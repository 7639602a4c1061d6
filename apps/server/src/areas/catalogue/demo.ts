import { ServiceConsumable } from '@ordinator/model/areas/catalogue/consumable'
import { ServiceDuration, ServicePerformer } from '@ordinator/model/areas/catalogue/performer'
import { Price, PriceList } from '@ordinator/model/areas/catalogue/price'
import { PRODUCT, SERVICE, Service, ServiceGroup, ServiceType } from '@ordinator/model/areas/catalogue/service'
import type { Create, Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { demoCodes } from './demoCodes.ts'
import { moreGroups, productGroups } from './demoMore.ts'
import { type DemoGroup, demoGroups, demoTypes } from './demoServices.ts'

/** A discontinued service of the demo clinic. */
const GIVEN_UP = 'Рентгеноскопия желудка с барием'
/** Rubles above which only an estimate is known in advance. */
const ESTIMATED = 50_000
/** Share of the main price paid by an insurer; price in rubles above which a treatment counts as costly. */
const INSURER_SHARE = 0.85
const COSTLY = 80_000

type Kept = Pick<Row<typeof Service>, 'id' | 'nameService' | 'priceService' | 'serviceCategory' | 'idType'>

/** The catalogue of a multi-branch clinic: services, products, price lists, performers and lengths. */
export async function demo(records: Records, _app: AppContext, tx: Queryable): Promise<void> {
  const keeper = await tx.one<{ id: number }>({ text: 'select "id" from users order by "id" limit 1' })
  if (!keeper) return
  const system = records.asSystem
  const made = { userCreate: keeper.id, userChange: keeper.id }
  const types = new Map<string, number>()
  for (const { name, ...type } of demoTypes)
    types.set(name, (await system.create(ServiceType, { nameServiceType: name, ...type })).id)
  const groups = new Map<string, number>()
  for (const [at, group] of [...demoGroups, ...moreGroups, ...productGroups.map(asGroup)].entries()) {
    const { name, code, color, within, isProducts } = group
    const kept = await system.create(ServiceGroup, {
      nameServiceGroup: name,
      groupCode: code,
      color,
      servicesGroupsType: isProducts ? PRODUCT : SERVICE,
      order: at + 1,
      ...(within ? { idParentGroup: groups.get(within) as number } : {}),
    })
    groups.set(name, kept.id)
    const idType = group.type ? (types.get(group.type) as number) : null
    await system.createMany(
      Service,
      group.items.map((item, i) => ({
        ...serviceOf(group, item, i),
        ...{ idGroup: kept.id, idType, ...made },
        anyPerformer: FOR_ANYBODY.has(name),
      })),
      { pastHooks: 'the demo names no ages' },
    )
  }
  const services = await tx.query<Kept>(sql`select "id", "nameService", "priceService"::float8 as "priceService",
    "serviceCategory", "idType" from services where not "deleted" order by "id"`)
  await demoPrices(records, tx, services, keeper.id)
  await demoPerformers(records, tx, services, types)
  await demoConsumables(records, services)
}

/** EAN-13 of a product made in Russia (prefix 460), by its group and place; the last digit is the GS1 check digit. */
function barcodeOf(group: string, at: number): string {
  const digits = `460${group.replace(/\D/g, '').slice(0, 5).padStart(5, '0')}${String(at + 1).padStart(4, '0')}`
  const sum = [...digits].reduce((all, digit, place) => all + Number(digit) * (place % 2 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** All products are in groups under one. */
const asGroup = ({ name, code, items }: (typeof productGroups)[number]): DemoGroup => ({
  name,
  code,
  color: '#868e96',
  within: 'Товары',
  isProducts: true,
  items: items.map(([product, price, unit]) => [product, price, undefined, unit]),
})

function serviceOf(
  { code, isProducts }: DemoGroup,
  [nameService, priceService, shortNameService, unit, medicalCode]: DemoGroup['items'][number],
  i: number,
): Create<typeof Service> {
  return {
    nameService,
    priceService,
    shortNameService: shortNameService ?? null,
    medicalCode: medicalCode ?? demoCodes[nameService] ?? null,
    unit: unit ?? (isProducts ? 'шт.' : null),
    code: `${code}.${String(i + 1).padStart(3, '0')}`,
    article: `${isProducts ? 'Т' : 'У'}-${code.replace('.', '')}${String(i + 1).padStart(2, '0')}`,
    ...(isProducts && { barcode: barcodeOf(code, i) }),
    serviceCategory: isProducts ? PRODUCT : SERVICE,
    paymentSubject: isProducts ? 1 : 4,
    vatCode: isProducts ? '10' : 'none',
    taxExpensive: !isProducts && priceService >= COSTLY,
    activeShop: i % 3 === 0,
    active: nameService !== GIVEN_UP,
    approximately: priceService > ESTIMATED,
    ...(nameService.includes('ребён') && { ageTo: 17 }),
    ...(nameService.includes('УЗИ органов брюшной полости') && {
      preparation: '<p>Натощак, не есть 6 часов. За два дня исключить бобовые, капусту и газированные напитки.</p>',
    }),
  }
}

/** The main list, with an increase at the new year, and an insurer's. */
async function demoPrices(records: Records, tx: Queryable, services: readonly Kept[], idUser: number): Promise<void> {
  const system = records.asSystem
  const year = new Date().getUTCFullYear()
  const begun = `${year}-01-01`
  const next = `${year + 1}-01-01`
  const main = await system.create(PriceList, { name: 'Основной', kind: 'main', idUser })
  const insurer = await tx.one<{ id: number; shortName: string }>(
    sql`select "id", "shortName" from organizations where "kind" = 'insurer' and not "deleted" order by "id" limit 1`,
  )
  const dms =
    insurer &&
    (await system.create(PriceList, {
      name: `ДМС: ${insurer.shortName}`,
      kind: 'dms',
      idOrganization: insurer.id,
      idUser,
    }))
  const prices = services.flatMap(({ id: idService, priceService, serviceCategory, nameService }) => {
    if (priceService === null) return []
    const one = { idService, idPriceList: main.id, price: priceService, dateFrom: begun, idUser }
    const cost = Math.round(priceService * (serviceCategory === PRODUCT ? 0.6 : 0.35))
    const rises = nameService.startsWith('Приём (осмотр')
    const own = rises
      ? [
          { ...one, cost, dateTo: `${year}-12-31` },
          { ...one, cost, price: Math.round((priceService * 1.07) / 50) * 50, dateFrom: next },
        ]
      : [{ ...one, cost }]
    const insured =
      dms && serviceCategory === SERVICE
        ? [{ ...one, idPriceList: dms.id, price: Math.round((priceService * INSURER_SHARE) / 10) * 10 }]
        : []
    return [...own, ...insured]
  })
  await system.createMany(Price, prices, { pastHooks: 'the demo ends no period before it begins' })
}

/** Minutes by the type of the service. */
const minutesOf: Readonly<Record<string, number>> = {
  'Приём врача': 30,
  Исследование: 25,
  Анализ: 10,
  Процедура: 30,
  Операция: 90,
}
/** Parts of posts, and of the names of the services they perform. */
const trades: readonly (readonly [post: string, service: string])[] = [
  ['эндокринолог', 'врача-эндокринолога'],
  ['стоматолог', 'стоматолога'],
  ['стоматолог', 'кариеса'],
  ['стоматолог', 'гигиена полости рта'],
  ['рентгенолог', 'Рентгенография'],
  ['рентгенолог', 'КТ '],
  ['рентгенолог', 'МРТ '],
  ['эндоскопист', 'гастроэнтеролог'],
  ['эндоскопист', 'колопроктолог'],
  ['эндоскопист', 'Гастроскопия'],
  ['эндоскопист', 'Колоноскопия'],
  ['эндоскопист', 'Наркоз'],
  ['эндоскопист', 'Helicobacter'],
  ['оториноларинголог', 'оториноларинголог'],
  ['оториноларинголог', 'миндалин'],
  ['оториноларинголог', 'Септопластика'],
  ['оториноларинголог', 'Аденотомия'],
  ['уролог', 'врача-уролога'],
  ['уролог', 'врача-нефролога'],
  ['травматолог', 'врача-травматолога'],
  ['травматолог', 'Артроскопия'],
  ['травматолог', 'Блокада'],
  ['травматолог', 'Плазмолифтинг'],
  ['психиатр', 'врача-психиатра'],
  ['физиотерапевт', 'врача-физиотерапевта'],
  ['физиотерапевт', 'мануального'],
  ['физиотерапевт', 'Массаж'],
  ['физиотерапевт', 'физкультура'],
  ['физиотерапевт', 'Магнитотерапия'],
  ['физиотерапевт', 'Электрофорез'],
  ['терапевт', 'аллерголог'],
  ['терапевт', 'ревматолог'],
  ['терапевт', 'пульмонолог'],
  ['терапевт', 'гематолог'],
  ['терапевт', 'инфекционист'],
  ['терапевт', 'Спирометрия'],
  ['хирург', 'онколог'],
  ['хирург', 'сосудистого'],
  ['невролог', 'нейрохирург'],
  ['невролог', 'энцефалография'],
  ['кардиолог', 'Холтер'],
  ['кардиолог', 'мониторирование давления'],
  ['кардиолог', 'Тредмил'],
  ['офтальмолог', 'катаракты'],
  ['дерматолог', 'новообразования кожи'],
  ['терапевт', 'врача-терапевта'],
  ['терапевт', 'Дистанционная консультация'],
  ['гинеколог', 'гинеколог'],
  ['невролог', 'невролог'],
  ['хирург', 'врача-хирурга'],
  ['хирург', 'швов'],
  ['хирург', 'Перевязка'],
  ['дерматолог', 'дерматовенеролог'],
  ['кардиолог', 'кардиолог'],
  ['педиатр', 'педиатр'],
  ['ультразвуковой', 'УЗИ'],
  ['ультразвуковой', 'Эхокардиография'],
  ['ультразвуковой', 'Дуплексное'],
  ['кардиолог', 'Электрокардиография'],
  ['офтальмолог', 'офтальмолог'],
]

/** Specialities, by a part of their names, for groups whose services name no doctors. */
const specialitiesOf: Readonly<Record<string, readonly string[]>> = {
  УЗИ: ['ультразвуковой'],
  'УЗИ детям': ['ультразвуковой'],
  'Лучевая диагностика': ['рентгенолог'],
  'Терапия и педиатрия': ['терапевт', 'педиатр'],
  Процедуры: ['терапевт', 'хирург', 'педиатр'],
  Физиотерапия: ['физиотерапевт'],
  Стоматология: ['стоматолог'],
  Операции: ['хирург'],
  Гинекология: ['гинеколог'],
  'Выезд на дом': ['терапевт'],
  'Справки и комиссии': ['терапевт'],
  Косметология: ['дерматолог'],
}
/** Groups whose services any doctor gives at a visit. */
const FOR_ANYBODY = new Set(['Лаборатория', 'Биохимия крови', 'Гормоны', 'Инфекции'])

async function demoSpecialities(tx: Queryable): Promise<void> {
  for (const [group, parts] of Object.entries(specialitiesOf))
    await tx.query(sql`update services_groups g set "specialities" = array(select s."id" from specialities s
        where not s."deleted" and lower(s."name") ~ ${`(^|[ -])(${parts.join('|')})`} order by s."id")
      where g."nameServiceGroup" = ${group}`)
}

async function demoPerformers(
  records: Records,
  tx: Queryable,
  services: readonly Kept[],
  types: ReadonlyMap<string, number>,
): Promise<void> {
  const system = records.asSystem
  const doctors = await tx.query<{ id: number; post: string }>(
    sql`select "id", "post" from users where "post" ilike '%врач%' and not "deleted" order by "id"`,
  )
  const performers = doctors.flatMap(({ id: idUser, post }, at) =>
    services
      .filter(({ nameService, serviceCategory }) =>
        trades.some(([of, what]) => serviceCategory === SERVICE && isPost(post, of) && has(nameService, what)),
      )
      .map(({ id: idService }) => ({
        idService,
        idUser,
        level: at % 4 === 0 ? ('expert' as const) : ('main' as const),
      })),
  )
  await system.createMany(ServicePerformer, performers)
  await demoSpecialities(tx)
  const names = new Map([...types].map(([name, id]) => [id, name]))
  const durations = services.flatMap(({ id: idService, idType, nameService }) => {
    const minutes = minutesOf[names.get(idType ?? 0) ?? '']
    if (minutes === undefined) return []
    const rule = { idService, minutes: nameService.includes('повторный') ? 20 : minutes, breakAfter: 5 }
    const expert = performers.find((one) => one.idService === idService && one.level === 'expert')
    return expert ? [rule, { ...rule, idUser: expert.idUser, minutes: minutes + 10 }] : [rule]
  })
  await system.createMany(ServiceDuration, durations)
}

/** «Физиотерапевт» does not match «терапевт», nor does «мануальный терапевт». */
const isPost = (post: string, part: string): boolean => new RegExp(`(^|[ -])${part}`, 'i').test(post)
const has = (text: string, part: string): boolean => text.toLocaleLowerCase('ru').includes(part.toLocaleLowerCase('ru'))

/** Materials of a procedure: a part of the product's name, quantity, and unit if it differs from the product's. */
const norms: Readonly<Record<string, readonly (readonly [product: string, qty: number, unit?: string])[]>> = {
  'Взятие крови': [
    ['Салфетки спиртовые', 2, 'шт.'],
    ['Перчатки', 1, 'пара'],
    ['Пластырь', 1, 'шт.'],
  ],
  инъекция: [
    ['Шприц', 1, 'шт.'],
    ['Салфетки спиртовые', 2, 'шт.'],
    ['Перчатки', 1, 'пара'],
  ],
  'капельное введение': [
    ['Система для инфузий', 1],
    ['Салфетки спиртовые', 3, 'шт.'],
    ['Перчатки', 1, 'пара'],
    ['Пластырь', 2, 'шт.'],
  ],
  Перевязка: [
    ['Бинт стерильный', 2],
    ['Салфетки спиртовые', 4, 'шт.'],
    ['Перчатки', 1, 'пара'],
    ['Бинт эластичный', 1],
  ],
}

async function demoConsumables(records: Records, services: readonly Kept[]): Promise<void> {
  const product = (part: string) =>
    services.find((one) => one.serviceCategory === PRODUCT && has(one.nameService, part))
  const lines = services.flatMap(({ id: idService, nameService, serviceCategory }) =>
    Object.entries(norms)
      .filter(([part]) => serviceCategory === SERVICE && has(nameService, part))
      .flatMap(([, norm]) =>
        norm.flatMap(([part, qty, unit]) => {
          const idProduct = product(part)?.id
          return idProduct === undefined
            ? []
            : [{ idService, idProduct, qty, unit, optional: part === 'Бинт эластичный' }]
        }),
      ),
  )
  await records.asSystem.createMany(ServiceConsumable, lines, { pastHooks: 'products of the catalogue alone' })
}
