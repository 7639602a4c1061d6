/** Records of the laboratory: scopes, computed fields, hooks. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { publishedView } from '@ordinator/model/areas/laboratory/access'
import { LabAnalyte, LabComponent, LabNorm, LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import { LabControl } from '@ordinator/model/areas/laboratory/control'
import { formulaError } from '@ordinator/model/areas/laboratory/derived'
import { LabDevice, LabDeviceCode, LabDeviceWord, LabStray } from '@ordinator/model/areas/laboratory/device'
import { LabContainer, Laboratory, LabUnit } from '@ordinator/model/areas/laboratory/laboratory'
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { LabResult } from '@ordinator/model/areas/laboratory/result'
import { LabSample, LabSampleStep, LabShipment } from '@ordinator/model/areas/laboratory/sample'
import { orderStatuses } from '@ordinator/model/areas/laboratory/states'
import { readCoefficient } from '@ordinator/model/areas/laboratory/units'
import type { Choice } from '@ordinator/model/areas/laboratory/values'
import type { Update } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import { labItemCountsSql, lineCountsSql } from '#areas/counted/index.ts'
import { lineDueSql, linePaidSql } from '#areas/money/index.ts'
import { holdsSql } from '#auth/actors.ts'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { type RowCondition, records } from '#records/define.ts'
import { labelSql } from '#records/labels.ts'

/** Orders with a test done by a partner: the only ones visible with just the rights of КДЛ. */
const isPartners = (
  row: Sql,
): Sql => sql`exists (select 1 from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory"
  where i."idOrder" = ${row}."id" and not i."deleted" and b."kind" = 'partner')`

const seesOrder: RowCondition = (about) =>
  sql`(${holdsSql(about.me, 'viewLaboratoriesOrders')} or ${isPartners(about.row)})`

const lineOf = (row: Sql): Sql =>
  sql`coupon_services l join laboratory_order_items i on i."idCouponService" = l."id" where i."idOrder" = ${row}."id"
    and not i."deleted" and ${lineCountsSql()}`
const distinctLines = (row: Sql): Sql => sql`(select distinct on (l."id") l.* from ${lineOf(row)}) l`
export const orderSumSql = (row: Sql): Sql =>
  sql`coalesce((select sum(${lineDueSql(raw('l'))}) from ${distinctLines(row)}), 0.00)`
export const orderPaidSql = (row: Sql): Sql =>
  sql`coalesce((select sum(${linePaidSql(raw('l'))}) from ${distinctLines(row)}), 0.00)`
/** SQL of the names of an order's tests: a panel once, by its own name. */
export const testNamesSql = (row: Sql): Sql => sql`coalesce((select string_agg(n.name, ', ' order by n.at) from (
  select coalesce(p."name", t."name") as name, min(i."id") as at from laboratory_order_items i
    join laboratory_catalog t on t."id" = i."idTest" left join laboratory_catalog p on p."id" = i."idPanel"
  where i."idOrder" = ${row}."id" and ${labItemCountsSql()} group by 1) n), '')`

const orderAddress = (row: Sql): Sql => sql`'/laboratory/orders/' || ${row}."id"`

export const labOrders = records(LabOrder, {
  scope: { view: seesOrder, update: seesOrder, create: () => raw('true') },
  found: {
    on: 'labOrder',
    group: 'Заказы анализов',
    by: ['number', 'externalNumber'],
    opens: ({ row }) => orderAddress(row),
    hint: ({ row }) => labelSql(sql`${row}."status"`, orderStatuses),
  },
  thread: {
    of: Customer.path,
    kind: 'laboratory',
    name: 'Анализы',
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
    title: ({ row }) => sql`concat_ws(': ', 'Анализы', nullif(${testNamesSql(row)}, ''))`,
    hint: ({ row }) => labelSql(sql`${row}."status"`, orderStatuses),
    opens: ({ row }) => orderAddress(row),
    author: ({ row }) => sql`${row}."idAuthor"`,
  },
  computed: {
    tests: ({ row }) => testNamesSql(row),
    tubes: ({
      row,
    }) => sql`(select count(*)::int from laboratory_samples s where s."idOrder" = ${row}."id" and not s."deleted"
      and s."status" <> 'rejected')`,
    sum: ({ row }) => orderSumSql(row),
    paid: ({ row }) => orderPaidSql(row),
    cost: ({ row }) => sql`coalesce((select sum(i."cost") from laboratory_order_items i where i."idOrder" = ${row}."id"
      and ${labItemCountsSql()}), 0.00)`,
    paidStatus: ({ row }) => sql`(select case when m.sum <= 0 then 'none' when m.paid >= m.sum then 'paid'
      when m.paid > 0 then 'part' else 'unpaid' end from (select ${orderSumSql(row)} as sum, ${orderPaidSql(row)} as paid) m)`,
    isLate: ({ row }) => lateSql(row),
    isCritical: ({
      row,
      holds,
    }) => sql`${raw(String(publishedView.some(holds)))} and exists (select 1 from laboratory_results r join laboratory_order_items i on i."id" = r."idItem"
      where i."idOrder" = ${row}."id" and ${needsCallSql(raw('r'))})`,
  },
})

/** SQL condition: the order is overdue. */
export const lateSql = (row: Sql): Sql =>
  sql`(${row}."status" in ('placed', 'taken', 'sent', 'inWork', 'partial', 'rejected') and ${row}."dueAt" < now())`

/** SQL condition: a critical value without a call, as `settleValue` keeps it. */
export const needsCallSql = (r: Sql): Sql => sql`${r}."callDue"`

export const labOrderItems = records(LabOrderItem)
export const labSamples = records(LabSample, {
  found: {
    on: 'labOrder',
    group: 'Пробы',
    by: ['barcode'],
    opens: ({ row }) => sql`'/laboratory/orders/' || ${row}."idOrder"`,
  },
})
export const labSampleSteps = records(LabSampleStep)
export const labShipments = records(LabShipment, {
  computed: {
    samplesCount: ({ row }) =>
      sql`(select count(*)::int from laboratory_samples s where s."idShipment" = ${row}."id" and not s."deleted")`,
  },
  hooks: {
    async beforeCreate({ tx }, value) {
      const { number } = (await tx.one<{ number: string }>(
        sql`select 'К-' || lpad(nextval('laboratory_shipment_number')::text, 5, '0') as number`,
      )) as { number: string }
      Object.assign(value, { number })
    },
  },
})

export const labResults = records(LabResult, {
  awaiting: { page: 'labResults', of: () => ({ 'filter[callDue]': '1' }) },
})

export const laboratories = records(Laboratory, {
  hooks: {
    prepare(value, before) {
      const { adapter, address } = { ...before, ...value }
      if (adapter === 'folders' && !/^[\w-]{1,64}$/.test(address ?? ''))
        throw new ValidationError([
          { field: 'address', message: 'Укажите папку партнёра: латинские буквы, цифры, дефис' },
        ])
    },
  },
})
export const labContainers = records(LabContainer, {
  hooks: {
    prepare(value, before) {
      const { fullVolume, usableVolume } = { ...before, ...value }
      if (fullVolume && usableVolume && usableVolume > fullVolume)
        throw new ValidationError([{ field: 'usableVolume', message: 'Полезный объём не больше полного' }])
    },
  },
})
export const labUnits = records(LabUnit, {
  hooks: {
    prepare({ factor }) {
      if (typeof factor === 'string' && readCoefficient(factor) === undefined)
        throw new ValidationError([{ field: 'factor', message: 'Нужно число больше нуля: 1/60, 0,001, 10^3' }])
    },
  },
})

export const labAnalytes = records(LabAnalyte, {
  hooks: {
    beforeCreate: ({ tx }, value) => checkAnalyte(tx, value),
    beforeUpdate: ({ tx }, value, before) => checkAnalyte(tx, { ...before, ...value }),
  },
})

async function checkAnalyte(tx: Tx, { formula, type, choices }: Update<typeof LabAnalyte>): Promise<void> {
  if (type === 'enum' && !choices?.length)
    throw new ValidationError([{ field: 'choices', message: 'Перечислите варианты значения' }])
  if (!formula) return
  if (type !== undefined && type !== 'number')
    throw new ValidationError([{ field: 'formula', message: 'По формуле считают только числа' }])
  const known = await tx.query<{ code: string }>(sql`select "code" from laboratory_analytes where not "deleted"`)
  const codes = new Set(known.map(({ code }) => code.toLowerCase()))
  const wrong = formulaError(formula, (code) => codes.has(code))
  if (wrong) throw new ValidationError([{ field: 'formula', message: wrong }])
}

const ordered = (from: string, to: string, message: string) => (value: Record<string, unknown>) => {
  const [low, high] = [value[from], value[to]]
  return typeof low === 'number' && typeof high === 'number' && low > high ? [{ field: to, message }] : []
}
const normRules = [
  ordered('low', 'high', 'Верхняя граница ниже нижней'),
  ordered('ageFrom', 'ageTo', 'Возраст кончается раньше, чем начинается'),
  ordered('criticalLow', 'low', 'Критическая граница внутри нормы'),
  ordered('high', 'criticalHigh', 'Критическая граница внутри нормы'),
]
export const labNorms = records(LabNorm, {
  hooks: {
    prepare(value, before) {
      const whole = { ...before, ...value }
      const errors = normRules.flatMap((rule) => rule(whole))
      if (whole.trimester && whole.sex === 'male')
        errors.push({ field: 'trimester', message: 'Беременность — только у женщин' })
      if (errors.length) throw new ValidationError(errors)
    },
  },
})

export const labTests = records(LabTest, {
  computed: {
    price: ({ row }) =>
      sql`(select ${priceSql(raw('v'), raw('v."id"'), {})} from services v where v."id" = ${row}."idService")`,
  },
})
export const labComponents = records(LabComponent, {
  hooks: {
    async beforeCreate({ tx }, { idTest, idPart, idAnalyte }) {
      if (Boolean(idPart) === Boolean(idAnalyte))
        throw new ValidationError([{ field: 'idAnalyte', message: 'Выберите показатель или исследование панели' }])
      if (!idPart) return
      const whole = await tx.one<{ isPanel: boolean }>(
        sql`select "isPanel" from laboratory_catalog where "id" = ${idTest}`,
      )
      const part = await tx.one<{ isPanel: boolean }>(
        sql`select "isPanel" from laboratory_catalog where "id" = ${idPart}`,
      )
      if (!whole?.isPanel)
        throw new ValidationError([{ field: 'idPart', message: 'Исследования входят только в панель' }])
      if (part?.isPanel) throw new ValidationError([{ field: 'idPart', message: 'Панель не входит в панель' }])
    },
  },
})

export const labDevices = records(LabDevice, {
  hooks: {
    prepare(value, before) {
      const { transport, host } = { ...before, ...value }
      if (transport === 'tcp-client' && !host)
        throw new ValidationError([{ field: 'host', message: 'Укажите, куда подключаться' }])
    },
    beforeCreate: ({ tx }, value) => freePort(tx, value, 0),
    beforeUpdate: ({ tx }, value, before) => freePort(tx, { ...before, ...value }, before.id),
  },
})

async function freePort(tx: Tx, { transport, port }: Update<typeof LabDevice>, except: number): Promise<void> {
  if (transport === 'tcp-client') return
  const taken = await tx.one<{ name: string }>(sql`select "name" from laboratory_devices
    where "port" = ${port} and "transport" = 'tcp-server' and "id" <> ${except} and not "deleted"`)
  if (taken) throw new ValidationError([{ field: 'port', message: `Порт занят прибором «${taken.name}»` }])
}

export const labDeviceCodes = records(LabDeviceCode, {
  hooks: {
    prepare(value, before) {
      const { idAnalyte, ignored } = { ...before, ...value }
      if (!idAnalyte && !ignored)
        throw new ValidationError([
          { field: 'idAnalyte', message: 'Выберите показатель или отметьте, что код не нужен' },
        ])
    },
  },
})
export const labDeviceWords = records(LabDeviceWord, {
  hooks: {
    beforeCreate: ({ tx }, value) => checkWord(tx, value),
    beforeUpdate: ({ tx }, value, before) => checkWord(tx, { ...before, ...value }),
  },
})

/** @throws ValidationError unless it means a word of the analyte's own list, or no result */
async function checkWord(tx: Tx, { idCode, value, isNone }: Update<typeof LabDeviceWord>): Promise<void> {
  const wrong = (message: string) => new ValidationError([{ field: 'value', message }])
  if (Boolean(isNone) === Boolean(value)) throw wrong('Выберите значение из списка показателя или «нет результата»')
  if (!value) return
  const found = await tx.one<{ choices: Choice[] | null; type: string }>(sql`select a."choices", a."type"
    from laboratory_device_codes c join laboratory_analytes a on a."id" = c."idAnalyte" where c."id" = ${idCode ?? 0}`)
  if (found?.type === 'text') return
  if (!found?.choices?.some((one) => one.value === value)) throw wrong('В списке показателя такого значения нет')
}

export const labStrays = records(LabStray)
export const labControls = records(LabControl, {
  hooks: {
    prepare(value, before) {
      const { level, mean, sd, expected } = { ...before, ...value }
      if (level === 'qualitative' && !expected)
        throw new ValidationError([{ field: 'expected', message: 'Укажите, что должен показать контроль' }])
      if (level !== 'qualitative' && (typeof mean !== 'number' || typeof sd !== 'number' || sd <= 0))
        throw new ValidationError([
          { field: typeof mean === 'number' ? 'sd' : 'mean', message: 'Нужны среднее и SD больше нуля' },
        ])
    },
  },
})
