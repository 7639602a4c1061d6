import { can } from '@ordinator/model/access'
import { Price } from '@ordinator/model/areas/catalogue/price'
import { Service, ServiceGroup, ServiceType } from '@ordinator/model/areas/catalogue/service'
import { serviceKey } from '@ordinator/model/areas/catalogue/serviceKey'
import { checkBody } from '@ordinator/model/check'
import type { Create, Row } from '@ordinator/model/entity'
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
  readMoney,
  rowReader,
} from '#areas/imports/index.ts'
import type { Queryable } from '#platform/db.ts'
import { forbidden, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { mainList, setPrice } from './prices.ts'

const params = z.strictObject({
  /** Update a service with a known code or name; else only its missing price is written. */
  update: z.boolean().default(false),
  /** Create missing groups and types. */
  createGroups: z.boolean().default(false),
  /** Write prices to the main price list, from today on; else they become the services' own. */
  toMainList: z.boolean().default(false),
  /** A service of the same name without regard to spelling: joined to the one that is here, or made once more. */
  sameName: z.enum(['join', 'create']).default('join'),
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
    also: ['категория услуг', 'раздел', 'категория', 'категории', 'группа услуг', 'group'],
    examples: ['Консультации / Терапия', 'Диагностика / УЗИ'],
    section: true,
  },
  { field: 'idType', also: ['вид услуги', 'тип', 'type'], examples: ['Приём врача', 'Исследование'] },
  {
    field: 'priceService',
    also: ['стоимость', 'стоимость услуги', 'цена услуги', 'тариф', 'прайс', 'цена от', 'price'],
    strict: true,
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
interface Standing extends Named {
  code: string | null
  hasPrice: boolean
}
/** Lookup data for rows; records are keyed by normalized name. */
interface Ready extends Params {
  /** Target list of the prices, and its first day. */
  list: { id: number; today: string } | undefined
  groups: Map<string, Named[]>
  types: Map<string, Named[]>
  /** Services by code, of the rows; imported ones are added, with 0 in the preview. */
  codes: Map<string, Standing[]>
  /** All services by the key of their names. */
  names: Map<string, Standing[]>
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
  /** The key of its name. */
  name: string
  /** Found by the name, which stays as it is written here. */
  isNamed: boolean
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
    isDuplicate: ({ idKnown }) => idKnown !== undefined,
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
  const all = await tx.query<Standing>(sql`select s."id"::int as id, s."nameService" as name, s."code",
      s."priceService" is not null or exists (select from service_prices p where p."idService" = s."id" and not p."deleted") as "hasPrice"
    from services s where not s."deleted" order by s."id"`)
  const known = all.filter(({ code }) => code && codes.includes(plainName(code)))
  return {
    ...params,
    list,
    groups: byNames(groups, ({ name, path }) => [name, path]),
    types: byNames(types, ({ name }) => [name]),
    codes: byNames(known, ({ code }) => [code]),
    names: Map.groupBy(all, ({ name }) => serviceKey(name)),
    own: own ?? new Map(),
  }
}

function checkService(ready: Ready, cells: Cells): Checked<ServiceValues> {
  const row = rowReader(columns, cells)
  const { errors, refuse, text } = row
  const code = plainName(text('Код'))
  const own = ready.own.get(cells)
  const name = serviceKey(text('Название'))
  const byCode: Named[] = own ? [{ id: own, name: text('Название') }] : code ? (ready.codes.get(code) ?? []) : []
  // Another code means another service of the same name.
  const alike = (ready.names.get(name) ?? []).filter((one) => !code || !one.code || plainName(one.code) === code)
  const byName: Named[] = !own && byCode.length === 0 && name && ready.sameName === 'join' ? alike : []
  const same = byCode.length > 0 ? byCode : byName
  const priced = wordOfPrice(text('Цена'))
  // Group and type are found by name when the row is written.
  const body: Record<string, unknown> = {
    ...row.values(columns.filter(({ field }) => !priced || field !== 'priceService')),
    ...priced?.values,
  }
  const [group, type] = [text('Группа'), text('Вид')]
  checkName('Группа', group, ready.groups, 'такой группы нет', ': укажите её с разделом')
  checkName('Вид', type, ready.types, 'такого вида нет')
  if (byCode.length > 1) refuse('Код', `«${text('Код')}»: таких услуг несколько`)
  if (byName.length > 1)
    refuse('Название', `«${text('Название')}»: таких услуг несколько, укажите код или объедините их`)
  row.check(Service, body, same.length ? 'update' : 'create', '')
  if (errors.length) return { errors }

  const shown = {
    ...Object.fromEntries(columns.map(({ name }) => [name, text(name)])),
    ...(typeof body.priceService === 'number' && { Цена: formatMoney(body.priceService) }),
    ...(group && !ready.groups.has(plainName(group)) && { Группа: `${group} (новая)` }),
    ...(type && !ready.types.has(plainName(type)) && { Вид: `${type} (новый)` }),
  }
  const [known] = same
  const isRowAbove = known !== undefined && !own && known.id === 0
  const price = body.priceService
  const isPriceOnly =
    known !== undefined &&
    !own &&
    !ready.update &&
    !(known as Standing).hasPrice &&
    !isRowAbove &&
    typeof price === 'number'
  const at = byCode.length > 0 ? 'Код' : 'Название'
  const notes = [
    ...(known && !own ? [{ field: at, message: noteOf(known, at, isPriceOnly ? 'price' : ready.update) }] : []),
    ...(priced?.note ? [{ field: 'Цена', message: priced.note }] : []),
  ]
  if (known && !own && !ready.update && !isPriceOnly) return { isSkipped: true, notes, shown }
  if (!known) {
    const made = [{ id: 0, name: text('Название'), code: text('Код') || null, hasPrice: typeof price === 'number' }]
    if (code) ready.codes.set(code, made)
    ready.names.set(name, made)
  }
  return {
    values: {
      body: (isPriceOnly ? { priceService: price } : body) as ServiceValues['body'],
      group: isPriceOnly ? '' : group,
      type: isPriceOnly ? '' : type,
      code,
      name: ready.sameName === 'join' ? name : '',
      isNamed: byName.length > 0,
      ...(known?.id && { idKnown: known.id }),
    },
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

const noteOf = ({ name }: Named, at: string, how: boolean | 'price'): string => {
  const there = at === 'Код' ? `Код уже есть у «${name}»` : `Такая услуга уже есть: «${name}»`
  if (how === 'price') return `${there}: запишется только цена`
  return how ? `${there}: она изменится` : `${there}: строка пропускается`
}

/** A price in words: what it means for a service, and the note about it; undefined for a plain number. */
function wordOfPrice(text: string): { values: Partial<Row<typeof Service>>; note?: string } | undefined {
  const written = plainName(text)
  if (/^(бесплатно|безвозмездно|free)$/.test(written)) return { values: { priceService: 0 } }
  if (/^(по запросу|по договоренности|договорная|уточняйте|индивидуально|по согласованию|-)$/.test(written))
    return {
      values: { priceService: null, hidePrice: true },
      note: `«${text}»: цена по запросу: на сайте её не видно, её назначат при записи`,
    }
  const [, from] = /^от\s+(.+)$/.exec(written) ?? []
  const [, low, high] =
    /^(\d[\d\s]*?(?:[.,]\d\d?)?)\s*(?:-|до)\s*(\d[\d\s]*(?:[.,]\d\d?)?)(?:\s*(?:руб\.?|₽|р\.?))?$/.exec(written) ?? []
  const price = readMoney(from ?? low ?? '')
  // «1265-50» is rubles with kopecks.
  if (price === undefined || (low !== undefined && !((readMoney(high ?? '') ?? 0) > price))) return undefined
  return {
    values: { priceService: price, approximately: true },
    note: `«${text}»: цена от ${formatMoney(price)}, приблизительная`,
  }
}

const pathOf = (name: string): string[] => name.split(' / ').map((part) => part.trim())

async function write(
  { records, tx }: ImportContext<Params>,
  ready: Ready,
  { body, group, type, code, name, isNamed, idKnown }: ServiceValues,
) {
  const made: { path: string; id: number }[] = []
  const idGroup = group ? await groupOf(group) : undefined
  const idType = type ? await typeOf(type) : undefined
  const { priceService: price, ...rest } = body
  const values = { ...(ready.list ? rest : body), ...(idGroup && { idGroup }), ...(idType && { idType }) }
  const known =
    idKnown ?? (ready.codes.get(code)?.[0]?.id || ready.names.get(name)?.find(({ code: own }) => !code || !own)?.id)
  if (known) {
    if (isNamed) delete values.nameService
    if (Object.keys(values).length > 0) await records.update(Service, known, values)
    await putPrice(known)
    return made
  }
  const { id, nameService } = await records.create(Service, values as Create<typeof Service>)
  const now = [{ id, name: nameService, code: code || null, hasPrice: typeof price === 'number' }]
  if (code) ready.codes.set(code, now)
  if (name) ready.names.set(name, now)
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
