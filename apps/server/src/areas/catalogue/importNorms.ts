/** Norms of service materials, from a file. An existing norm gets the amount of the file. */
import { can } from '@ordinator/model/access'
import { ServiceConsumable } from '@ordinator/model/areas/catalogue/consumable'
import { PRODUCT } from '@ordinator/model/areas/catalogue/service'
import type { Create } from '@ordinator/model/entity'
import { formatNumber } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { z } from 'zod'
import {
  byNames,
  type Cells,
  type Checked,
  columnsFor,
  type ImportContext,
  type Importer,
  offerImporter,
  plainName,
  plainNameSql,
  rowReader,
} from '#areas/imports/index.ts'
import { forbidden } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'

const columns = columnsFor(ServiceConsumable, [
  {
    field: 'idService',
    also: ['код услуги', 'название услуги', 'наименование услуги'],
    examples: ['B01.047.001', 'УЗИ щитовидной железы'],
  },
  {
    field: 'idProduct',
    also: ['код материала', 'товар', 'расходный материал', 'номенклатура'],
    examples: ['Перчатки нитриловые', 'Гель для УЗИ'],
  },
  {
    field: 'qty',
    also: ['норма', 'расход', 'кол-во'],
    examples: ['2', '15,5'],
  },
  { field: 'unit', also: ['ед. изм.', 'единица измерения'], examples: ['шт.', 'мл'] },
  { field: 'optional', examples: ['Нет', 'Да'] },
])

interface Thing {
  id: number
  name: string
  code: string | null
  isProduct: boolean
}
interface Ready {
  /** By normalized code and name. */
  services: Map<string, Thing[]>
  products: Map<string, Thing[]>
  /** Existing norms, and those of earlier rows (id 0), by service and product. */
  known: Map<string, { id: number; qty: number }>
}
type Values = Omit<Create<typeof ServiceConsumable>, 'replacement'>

const importNorms: Importer<Record<never, never>, Cells, Ready, Values> = {
  kind: 'norms',
  label: 'Нормы расхода',
  access: 'editServices',
  params: z.strictObject({}),
  columns,
  changes: [ServiceConsumable],
  open,
  check,
  write,
}

export const offerNorms = (app: AppContext): void => offerImporter(app, importNorms)

const keyOf = (idService: number, idProduct: number) => `${idService}:${idProduct}`

async function open({ records, tx }: ImportContext<unknown>, rows: readonly Cells[]): Promise<Ready> {
  if (!can(records.actor, 'create', ServiceConsumable)) throw forbidden('Вам нельзя менять нормы расхода')
  const named = [...new Set(rows.flatMap((row) => [row.Услуга, row.Материал]).map((name) => plainName(name ?? '')))]
  const things = await tx.query<Thing>(sql`
    select "id"::int as id, "nameService" as name, "code", "serviceCategory" = ${PRODUCT} as "isProduct" from services
    where not "deleted" and (${plainNameSql('"code"')} = any (${named}::text[])
      or ${plainNameSql('"nameService"')} = any (${named}::text[]))
    order by "id"`)
  const norms = await tx.query<{ id: number; idService: number; idProduct: number; qty: number }>(sql`
    select "id"::int as id, "idService"::int as "idService", "idProduct"::int as "idProduct", "qty"::float8 as qty
    from service_consumables where not "deleted" and "idService" = any (${things.map(({ id }) => id)}::bigint[])`)
  const names = ({ name, code }: Thing) => [name, code]
  return {
    services: byNames(
      things.filter(({ isProduct }) => !isProduct),
      names,
    ),
    products: byNames(
      things.filter(({ isProduct }) => isProduct),
      names,
    ),
    known: new Map(norms.map((norm) => [keyOf(norm.idService, norm.idProduct), norm])),
  }
}

function check(ready: Ready, cells: Cells): Checked<Values> {
  const { errors, ...row } = rowReader(columns, cells)
  const several = 'таких несколько, укажите код'
  const service = row.named('Услуга', ready.services, 'такой услуги нет', several)
  const product = row.named('Материал', ready.products, 'такого товара в каталоге нет', several)
  const values = {
    idService: service?.id ?? 1,
    idProduct: product?.id ?? 1,
    ...({ qty: 0, unit: null, optional: false, ...row.values() } as Pick<Values, 'qty' | 'unit' | 'optional'>),
  }
  row.check(ServiceConsumable, values, 'create', 'Количество')
  if (errors.length || !service || !product) return { errors }
  const key = keyOf(service.id, product.id)
  const there = ready.known.get(key)
  const shown = { ...cells, Услуга: service.name, Материал: product.name, Количество: formatNumber(values.qty) }
  if (there?.id === 0) return { errors: [{ field: 'Материал', message: 'Норма этого материала в файле уже была' }] }
  if (there && there.qty === values.qty)
    return { isSkipped: true, notes: [{ field: 'Количество', message: 'Такая норма уже есть' }], shown }
  ready.known.set(key, { id: 0, qty: values.qty })
  return {
    values,
    notes: there ? [{ field: 'Количество', message: `Было: ${formatNumber(there.qty)}` }] : [],
    shown,
  }
}

async function write({ records, tx }: ImportContext<unknown>, _: Ready, values: Values) {
  const { idService, idProduct, ...norm } = values
  const there = await tx.one<{ id: number }>(sql`select "id"::int as id from service_consumables
    where "idService" = ${idService} and "idProduct" = ${idProduct} and not "deleted"`)
  if (there) {
    await records.update(ServiceConsumable, there.id, norm)
    return []
  }
  const { id } = await records.create(ServiceConsumable, values)
  return [{ path: ServiceConsumable.path, id }]
}
