import { ServiceConsumable } from '@ordinator/model/areas/catalogue/consumable'
import { PRODUCT, Service, ServiceGroup } from '@ordinator/model/areas/catalogue/service'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { Climate } from '@ordinator/model/areas/warehouse/climate'
import { type DocumentKind, DocumentLine, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { Batch } from '@ordinator/model/areas/warehouse/stock'
import { Warehouse } from '@ordinator/model/areas/warehouse/warehouse'
import { schemes } from '@ordinator/model/identifiers'
import { plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records, SystemRecords } from '#records/records.ts'
import { type Good, makeCodes, nothing, todayOf } from './demoCodes.ts'
import { demoGoods, demoNorms } from './demoGoods.ts'
import type { DocumentRow } from './documents.ts'
import { beginCount } from './inventory.ts'
import { postDocument } from './posting.ts'

const DAYS = 360

/** Three warehouses of the first branch and two of each other, 150 goods, a year of documents, codes in every state. */
export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const defaults: Record<string, number> = {}
  const places: { main: number; room: number }[] = []
  for (const { id } of await system.rows(Filial, { sort: 'id' })) {
    const main = await system.create(Warehouse, {
      name: 'Основной склад',
      idFilial: id,
      kind: 'main',
      mdlpPlace: schemes.mdlpPlace.sample(places.length),
    })
    const room = await system.create(Warehouse, { name: 'Процедурный кабинет', idFilial: id, kind: 'procedure' })
    defaults[id] = main.id
    places.push({ main: main.id, room: room.id })
  }
  const [first] = places
  const [filial] = await system.rows(Filial, { sort: 'id', limit: '1' })
  if (!first || !filial) return
  await system.create(Warehouse, { name: 'Карантин', idFilial: filial.id, kind: 'quarantine' })
  await tx.query(sql`insert into common_settings (name, value, version) values
    ('defaultWarehouses', ${JSON.stringify(defaults)}::jsonb, 1) on conflict (name) do nothing`)
  const keeper = (
    await tx.one<{ id: number }>(
      sql`select "id" from users where "login" in ('storekeeper', 'admin') order by "login" desc limit 1`,
    )
  )?.id
  if (!keeper) return
  const goods = await makeGoods(system, keeper)
  await makeNorms(system, tx)
  await makeYear(system, tx, { goods, keeper, ...first })
  await makeShelf(
    system,
    tx,
    keeper,
    places.map(({ main }) => main),
  )
  await makeCodes(system, tx, goods, first.main, keeper)
  const today = await todayOf(tx)
  await system.createMany(
    Climate,
    Array.from({ length: 60 }, (_, n) => ({
      idWarehouse: first.main,
      place: 'Холодильник № 1',
      localDate: plusDays(today, -Math.floor(n / 2)),
      part: n % 2 ? ('morning' as const) : ('evening' as const),
      temperature: 3.5 + ((n * 7) % 20) / 10,
      humidity: 45 + ((n * 3) % 12),
      note: null,
      idAuthor: keeper,
    })),
    nothing,
  )
}

async function makeGoods(system: SystemRecords, idUser: number): Promise<Good[]> {
  const [parent] = await system.rows(ServiceGroup, { 'filter[nameServiceGroup]': 'Товары', limit: '1' })
  const made: Good[] = []
  let no = 0
  for (const { group, items } of demoGoods) {
    const { id: idGroup } = await system.create(ServiceGroup, {
      nameServiceGroup: group,
      idParentGroup: parent?.id ?? null,
      servicesGroupsType: PRODUCT,
      color: '#868e96',
    })
    const bodies = items.map(([nameService, price, unit, more]) => {
      no += 1
      const minStock = no % 11 === 0 ? 240 : no % 3 === 0 ? 20 : 5
      return {
        nameService,
        unit,
        idGroup,
        priceService: Math.round(price * 1.5),
        serviceCategory: PRODUCT,
        paymentSubject: 1,
        vatCode: '10' as const,
        article: `М-${String(no).padStart(4, '0')}`,
        gtin: schemes.gtin.sample(1000 + no),
        // The same number as the scanner reads it: GTIN-14 of one piece is EAN-13 after a zero.
        barcode: schemes.gtin.sample(1000 + no).replace(/^0/, ''),
        minStock,
        maxStock: minStock * (no % 11 === 0 ? 2 : 4),
        userCreate: idUser,
        userChange: idUser,
        ...more,
      }
    })
    const rows = await system.createMany(Service, bodies as never, { pastHooks: 'the demo makes whole goods' })
    made.push(
      ...rows.map(({ id }, at) => ({
        id,
        price: items[at]?.[1] ?? 1,
        isDrug: items[at]?.[3]?.isDrug === true,
        isMarked: items[at]?.[3]?.isMarked === true,
        gtin: bodies[at]?.gtin ?? null,
      })),
    )
  }
  return made
}

async function makeNorms(system: SystemRecords, tx: Tx): Promise<void> {
  for (const [service, product, qty] of demoNorms) {
    const pair = await tx.one<{
      idService: number
      idProduct: number
    }>(sql`select s."id" as "idService", p."id" as "idProduct"
      from services s, services p where s."nameService" ilike ${`${service}%`} and p."nameService" = ${product}
        and s."serviceCategory" = 0 and not exists (select 1 from service_consumables c where c."idService" = s."id" and c."idProduct" = p."id")
      order by s."id" limit 1`)
    if (pair) await system.create(ServiceConsumable, { ...pair, qty })
  }
}

/** Goods of the catalogue shown on the site: many in the first branch, few or none in the others. */
async function makeShelf(system: SystemRecords, tx: Tx, idAuthor: number, mains: readonly number[]): Promise<void> {
  const localDate = plusDays(await todayOf(tx), -20)
  const supplier = await tx.one<{ id: number }>(
    sql`select "id"::int as id from organizations where "kind" = 'supplier' and not "deleted" order by "id" limit 1`,
  )
  if (!supplier) return
  const shown = await tx.query<{
    id: number
    price: number
  }>(sql`select "id"::int as id, "priceService"::float8 as price
    from services where "serviceCategory" = ${PRODUCT} and "activeShop" and "active" and not "deleted" order by "id"`)
  for (const [at, idTo] of mains.entries()) {
    const lines = shown.flatMap(({ id: idProduct, price }, n) => {
      const qty = at === 0 ? [14, 9, 3, 22][n % 4] : [0, 2, 7, 0, 1][(n + at) % 5]
      return qty ? [{ idProduct, qty, price: Math.round(price * 0.6) }] : []
    })
    const document = await system.create(WarehouseDocument, {
      kind: 'receipt',
      ...{ idTo, idSupplier: supplier.id, localDate, idAuthor },
    })
    await system.createMany(
      DocumentLine,
      lines.map((line) => ({ idDocument: document.id, sum: line.price * line.qty, ...line })),
      nothing,
    )
    await postDocument(system, tx, document, false)
  }
}

interface Year {
  goods: readonly Good[]
  keeper: number
  main: number
  room: number
}

async function makeYear(system: SystemRecords, tx: Tx, { goods, keeper, main, room }: Year): Promise<void> {
  const today = await todayOf(tx)
  const suppliers = await tx.query<{ id: number }>(
    sql`select "id" from organizations where "kind" = 'supplier' and not "deleted" order by "id"`,
  )
  const supplierOf = (n: number) => suppliers[n % Math.max(1, suppliers.length)]?.id ?? null
  const make = async (
    kind: DocumentKind,
    daysAgo: number,
    head: object,
    lines: readonly object[],
    post = true,
  ): Promise<DocumentRow> => {
    const document = await system.create(WarehouseDocument, {
      kind,
      localDate: plusDays(today, -daysAgo),
      idAuthor: keeper,
      ...head,
    })
    await system.createMany(DocumentLine, lines.map((line) => ({ idDocument: document.id, ...line })) as never, nothing)
    return post ? postDocument(system, tx, document, kind === 'transfer') : document
  }
  // One unit of a good in a series of its own, with an expiry date that is sometimes near.
  const incoming = (good: Good, qty: number, n: number, daysAgo: number) => ({
    idProduct: good.id,
    qty,
    price: Math.round(good.price * (90 + ((n * 7) % 25))) / 100,
    sum: (Math.round(good.price * (90 + ((n * 7) % 25))) * qty) / 100,
    ...(good.isDrug && {
      series: `${String.fromCharCode(65 + (n % 20))}${1000 + ((n * 37) % 9000)}`,
      expiry: plusDays(today, 40 - daysAgo + ((n * 53) % 700)),
    }),
  })
  await make(
    'opening',
    DAYS,
    { idTo: main },
    goods.map((good, n) => incoming(good, 60 + ((n * 11) % 80), n, 0)),
  )
  for (let month = 11; month >= 0; month--) {
    const daysAgo = month * 30 + 12
    const some = goods.filter((_, n) => (n + month) % 5 === 0)
    await make(
      'receipt',
      daysAgo,
      {
        idTo: main,
        idSupplier: supplierOf(month),
        externalNumber: `УПД-${2200 + month * 13}`,
        externalDate: plusDays(today, -daysAgo),
      },
      some.map((good, n) => incoming(good, 20 + ((n * 13 + month) % 40), n + month, daysAgo)),
    )
    await make(
      'transfer',
      daysAgo - 3,
      { idFrom: main, idTo: room },
      goods.filter((_, n) => n % 9 === month % 9).map(({ id }, n) => ({ idProduct: id, qty: 4 + (n % 4) })),
    )
    for (const week of [8, 2])
      await make(
        'issue',
        Math.max(0, month * 30 + week),
        { idFrom: main, comment: 'По нормам оказанных услуг' },
        goods
          .filter((_, n) => (n * 3 + month + week) % 13 === 0)
          .map(({ id }, n) => ({ idProduct: id, qty: 2 + ((n + week) % 5), norm: 2 + (n % 5) })),
      )
  }
  await make(
    'writeOff',
    1,
    { idFrom: main, reason: 'Бой или порча' },
    goods.slice(3, 6).map(({ id }) => ({ idProduct: id, qty: 1 })),
  )
  await make(
    'sale',
    4,
    { idFrom: main },
    goods
      .filter(({ isDrug }) => !isDrug)
      .slice(0, 4)
      .map(({ id }) => ({ idProduct: id, qty: 1 })),
  )
  const sent = await make(
    'transfer',
    1,
    { idFrom: main, idTo: room },
    goods.slice(20, 25).map(({ id }) => ({ idProduct: id, qty: 2 })),
    false,
  )
  await postDocument(system, tx, sent)
  await make(
    'receipt',
    0,
    { idTo: main, idSupplier: supplierOf(1), externalNumber: 'УПД-3107', externalDate: today },
    goods.slice(40, 52).map((good, n) => incoming(good, 10, n, 0)),
    false,
  )
  await make(
    'writeOff',
    0,
    { idFrom: main, reason: 'Истёк срок годности' },
    goods.slice(8, 10).map(({ id }) => ({ idProduct: id, qty: 1 })),
    false,
  )
  const count = await make('inventory', 0, { idFrom: room }, [], false)
  await beginCount(system, tx, count)
  await tx.query(sql`insert into warehouse_counts ("idDocument", "idProduct", "idBatch", "qty", "idUser")
    select ${count.id}, "idProduct", "idBatch", "qty" - ("idBatch" % 11 = 0)::int, ${keeper} from warehouse_books
    where "idDocument" = ${count.id} and "qty" > 1 order by "idBatch" limit 12`)
  const [recalled] = await system.rows(Batch, { 'filter[series][null]': '0', sort: 'id', limit: '1' })
  if (recalled)
    await system.update(Batch, recalled.id, {
      state: 'recalled',
      stateReason: 'Письмо Росздравнадзора № 01И-1124/26: отзыв серии',
    })
}
