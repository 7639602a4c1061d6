import { can } from '@ordinator/model/access'
import { Price } from '@ordinator/model/areas/catalogue/price'
import { Service, ServiceGroup, ServiceType } from '@ordinator/model/areas/catalogue/service'
import { checkBody } from '@ordinator/model/check'
import type { Create } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
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
import type { Queryable } from '#platform/db.ts'
import { forbidden, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { mainList, setPrice } from './prices.ts'

const params = z.strictObject({
  /** Update a service with a known code; else its row is skipped. */
  update: z.boolean().default(false),
  /** Create missing groups and types. */
  createGroups: z.boolean().default(false),
  /** Write prices to the main price list, from today on; else they become the services' own. */
  toMainList: z.boolean().default(false),
})
type Params = z.output<typeof params>

/** Named as in the table of services and its export. */
const columns = columnsFor(Service, [
  {
    field: 'nameService',
    also: ['услуга', 'наименование', 'наименование услуги', 'название услуги', 'name'],
    examples: ['Приём врача-терапевта первичный', 'УЗИ щитовидной железы'],
  },
  { field: 'code', also: ['код услуги', 'code'], examples: ['B01.001', 'A04.003'] },
  {
    field: 'idGroup',
    also: ['категория услуг', 'раздел', 'group'],
    examples: ['Консультации / Терапия', 'Диагностика / УЗИ'],
  },
  { field: 'idType', also: ['вид услуги', 'тип', 'type'], examples: ['Приём врача', 'Исследование'] },
  {
    field: 'priceService',
    also: ['стоимость', 'стоимость услуги', 'цена услуги', 'тариф', 'price'],
    examples: ['2100', '1 700,50'],
  },
  { field: 'shortNameService', examples: ['Терапевт', ''] },
  { field: 'medicalCode', also: ['номенклатура', '804н'], examples: ['B01.047.001', 'A04.22.001'] },
  { field: 'article', examples: ['', ''] },
  { field: 'labCode', examples: ['', ''] },
  { field: 'barcode', also: ['штрих-код', 'barcode'], examples: ['', ''] },
  { field: 'gtin', examples: ['', ''] },
  { field: 'unit', also: ['ед. изм.', 'единица измерения'], examples: ['', ''] },
  { field: 'serviceCategory', examples: ['Услуга', 'Услуга'] },
  { field: 'vatCode', also: ['ндс'], examples: ['Без НДС', ''] },
  { field: 'active', also: ['активна'], examples: ['Да', ''] },
])
interface Named {
  id: number
  name: string
}
/** Lookup data for rows; records are keyed by normalized name. */
interface Ready extends Params {
  /** Target list of the prices, and its first day. */
  list: { id: number; today: string } | undefined
  groups: Map<string, Named[]>
  types: Map<string, Named[]>
  /** Services by code, of the rows; imported ones are added, with 0 in the preview. */
  codes: Map<string, Named[]>
  /** Services that rows are known to be of. */
  own: ReadonlyMap<Cells, number>
}

interface ServiceValues {
  /** Values of the non-empty cells. */
  body: Partial<Create<typeof Service>>
  /** By name: they may be created with the first row that has them. */
  group: string
  type: string
  code: string
  /** The service that the row changes. */
  idKnown?: number
}

const importServices: Importer<Params, Cells, Ready, ServiceValues> = {
  kind: 'services',
  label: 'Услуги',
  access: 'editServices',
  params,
  columns,
  changes: [Service, Price],
  open,
  check: checkService,
  write,
  keyed: {
    entity: Service,
    body: ({ body }) => body as Record<string, unknown>,
    idOf: ({ idKnown }, made) => idKnown ?? made.find(({ path }) => path === Service.path)?.id,
    isTwin: ({ idKnown }) => idKnown !== undefined,
  },
  isHeld,
}

export const offerServices = (app: AppContext): void => offerImporter(app, importServices)

async function open({ records, tx, params, own }: ImportContext<Params>, rows: readonly Cells[]): Promise<Ready> {
  if (!can(records.actor, 'create', Service)) throw forbidden('Вам нельзя создавать услуги')
  const list = params.toMainList ? await mainList(tx) : undefined
  if (params.toMainList && !list)
    throw new ValidationError([
      { field: 'params.toMainList', message: 'Действующего основного прайс-листа нет: уберите эту отметку' },
    ])
  const groups = await tx.query<Named & { path: string }>(sql`with recursive tree as (
      select "id", "nameServiceGroup" as name, "nameServiceGroup" as path from services_groups
      where "idParentGroup" is null and not "deleted"
      union all
      select g."id", g."nameServiceGroup", tree.path || ' / ' || g."nameServiceGroup" from services_groups g
      join tree on g."idParentGroup" = tree."id" where not g."deleted"
    ) select * from tree order by "id"`)
  const types = await tx.query<Named>(
    sql`select "id", "nameServiceType" as name from service_types where not "deleted" order by "id"`,
  )
  const codes = rows.flatMap((row) => plainName(row.Код ?? '') || [])
  const known = await tx.query<Named & { code: string }>(sql`select "id", "nameService" as name, "code" from services
    where ${plainNameSql('"code"')} = any(${codes}::text[]) and not "deleted" order by "id"`)
  return {
    ...params,
    list,
    groups: byNames(groups, ({ name, path }) => [name, path]),
    types: byNames(types, ({ name }) => [name]),
    codes: byNames(known, ({ code }) => [code]),
    own: own ?? new Map(),
  }
}

function checkService(ready: Ready, cells: Cells): Checked<ServiceValues> {
  const row = rowReader(columns, cells)
  const { errors, refuse, text } = row
  const code = plainName(text('Код'))
  const own = ready.own.get(cells)
  const same = own ? [{ id: own, name: text('Название') }] : code ? (ready.codes.get(code) ?? []) : []
  // Group and type are found by name when the row is written.
  const body = row.values()
  const [group, type] = [text('Группа'), text('Вид')]
  checkName('Группа', group, ready.groups, 'такой группы нет', ': укажите её с разделом')
  checkName('Вид', type, ready.types, 'такого вида нет')
  if (same.length > 1) refuse('Код', `«${text('Код')}»: таких услуг несколько`)
  row.check(Service, body, same.length ? 'update' : 'create', '')
  if (errors.length) return { errors }

  const shown = {
    ...Object.fromEntries(columns.map(({ name }) => [name, text(name)])),
    ...(typeof body.priceService === 'number' && { Цена: formatMoney(body.priceService) }),
    ...(group && !ready.groups.has(plainName(group)) && { Группа: `${group} (новая)` }),
    ...(type && !ready.types.has(plainName(type)) && { Вид: `${type} (новый)` }),
  }
  const [known] = same
  const notes = known && !own ? [{ field: 'Код', message: told(known, ready.update) }] : []
  if (known && !own && !ready.update) return { isSkipped: true, notes, shown }
  if (code && !known) ready.codes.set(code, [{ id: 0, name: text('Название') }])
  return {
    values: { body: body as ServiceValues['body'], group, type, code, ...(known?.id && { idKnown: known.id }) },
    notes,
    shown,
  }

  function checkName(column: string, name: string, there: Map<string, Named[]>, none: string, hint = ''): void {
    if (!name) return
    const found = there.get(plainName(name)) ?? []
    if (found.length > 1) refuse(column, `«${name}»: таких несколько${hint}`)
    if (found.length === 0 && !ready.createGroups) refuse(column, `«${name}»: ${none}`)
    const entity = column === 'Группа' ? ServiceGroup : ServiceType
    for (const part of column === 'Группа' ? pathOf(name) : [name])
      for (const { message } of checkBody(entity, { [entity.title ?? '']: part }, 'create').errors ?? [])
        refuse(column, `«${part.slice(0, 40)}»: ${message}`)
  }
}

const told = ({ name }: Named, update: boolean): string =>
  update ? `Код уже есть у «${name}»: она изменится` : `Код уже есть у «${name}»: строка пропускается`

const pathOf = (name: string): string[] => name.split(' / ').map((part) => part.trim())

async function write(
  { records, tx }: ImportContext<Params>,
  ready: Ready,
  { body, group, type, code, idKnown }: ServiceValues,
) {
  const made: { path: string; id: number }[] = []
  const idGroup = group ? await groupOf(group) : undefined
  const idType = type ? await typeOf(type) : undefined
  const { priceService: price, ...rest } = body
  const values = { ...(ready.list ? rest : body), ...(idGroup && { idGroup }), ...(idType && { idType }) }
  const known = idKnown ?? ready.codes.get(code)?.[0]?.id
  if (known) {
    if (Object.keys(values).length > 0) await records.update(Service, known, values)
    await putPrice(known)
    return made
  }
  const { id, nameService } = await records.create(Service, values as Create<typeof Service>)
  if (code) ready.codes.set(code, [{ id, name: nameService }])
  await putPrice(id)
  return [...made, { path: Service.path, id }]

  async function putPrice(idService: number): Promise<void> {
    if (!ready.list || typeof price !== 'number') return
    const row = await setPrice(records, tx, {
      idService,
      idPriceList: ready.list.id,
      price,
      dateFrom: ready.list.today,
    })
    if (row._version === 1) made.push({ path: Price.path, id: row.id })
  }

  async function groupOf(path: string): Promise<number> {
    const there = ready.groups.get(plainName(path))?.[0]
    if (there) return there.id
    const parts = pathOf(path)
    const name = parts.at(-1) as string
    const above = parts.slice(0, -1).join(' / ')
    const idParentGroup = above ? await groupOf(above) : null
    const { id } = await records.create(ServiceGroup, { nameServiceGroup: name, idParentGroup })
    made.push({ path: ServiceGroup.path, id })
    ready.groups.set(plainName(path), [{ id, name }])
    return id
  }

  async function typeOf(name: string): Promise<number> {
    const there = ready.types.get(plainName(name))?.[0]
    if (there) return there.id
    const { id } = await records.create(ServiceType, { nameServiceType: name })
    made.push({ path: ServiceType.path, id })
    ready.types.set(plainName(name), [{ id, name }])
    return id
  }
}

/** Whether other services have used this type since; a non-empty group is refused by its own rule. */
async function isHeld(db: Queryable, { path, id }: { path: string; id: number }): Promise<boolean> {
  if (path !== ServiceType.path) return false
  const holder = await db.one(sql`select 1 from services where "idType" = ${id} and not "deleted" limit 1`)
  return holder !== undefined
}
