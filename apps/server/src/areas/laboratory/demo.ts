/** The demo laboratory: a catalogue of 300 tests in 30 panels, two analysers, a partner, three months of orders, controls. */
import { SERVICE, Service, ServiceGroup } from '@ordinator/model/areas/catalogue/service'
import { LabAnalyte, LabComponent, LabNorm, LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import { LabContainer, Laboratory, LabUnit } from '@ordinator/model/areas/laboratory/laboratory'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { catalogue, pastHooks } from './demoCatalogue.ts'
import { demoControls, demoDevices } from './demoDevices.ts'
import type { TestBody } from './demoMaking.ts'
import { containers, units } from './demoNorms.ts'
import { demoOrders } from './demoOrders.ts'

/** Default tubes and units of a laboratory. */
export async function ready(records: Records): Promise<void> {
  await records.asSystem.createMany(LabContainer, [...containers], pastHooks)
  await records.asSystem.createMany(
    LabUnit,
    units.map(([name, ucum, base, factor]) => ({ name, ucum, base: base ?? name, factor: factor ?? '1' })),
    pastHooks,
  )
}

export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const [filial] = await tx.query<{ id: number }>(
    sql`select "id" from filials where not "deleted" order by "id" limit 1`,
  )
  if (!filial) return
  const own = await system.create(Laboratory, {
    name: 'Своя лаборатория',
    kind: 'own',
    idFilial: filial.id,
    license: 'Л041-01182-64/00335421 от 12.03.2021',
    cutoff: '16:00',
  })
  const partner = await system.create(Laboratory, {
    ...{
      name: 'КДЛ «Северная»',
      kind: 'partner',
      contractNo: 'ЛИ-2026/118',
      clientCode: 'VD-0417',
      license: 'Л041-01137-77/00367219 от 05.08.2020',
    },
    ...{
      priceRule: 120,
      adapter: 'simulator',
      cutoff: '15:00',
      courier: 'Будни 15:30 и 18:00, суббота 13:00',
      contacts: 'Диспетчер: +7 (495) 000-00-00',
    },
  })
  await ready(records)
  const containerRows = await tx.query<{ id: number; name: string }>(
    sql`select "id", "name" from laboratory_containers`,
  )
  const { analytes, tests } = catalogue(own.id, partner.id, new Map(containerRows.map(({ id, name }) => [name, id])))
  await system.createMany(
    LabAnalyte,
    analytes.map(({ norms: _, ...body }) => body),
    pastHooks,
  )
  const analyteRows = await tx.query<{ id: number; code: string }>(sql`select "id", "code" from laboratory_analytes`)
  const analyteOf = new Map(analyteRows.map(({ id, code }) => [code, id]))
  await system.createMany(
    LabNorm,
    analytes.flatMap(({ code, norms }) => norms.map((norm) => ({ ...norm, idAnalyte: analyteOf.get(code) as number }))),
    pastHooks,
  )
  const serviceOf = await demoServices(records, tx, tests)
  await system.createMany(
    LabTest,
    tests.map(({ analytes: _, parts: __, price: ___, ...body }) => ({
      ...body,
      idService: serviceOf.get(body.name) ?? null,
    })),
    pastHooks,
  )
  const testRows = await tx.query<{ id: number; code: string }>(sql`select "id", "code" from laboratory_catalog`)
  const testOf = new Map(testRows.map(({ id, code }) => [code, id]))
  await system.createMany(
    LabComponent,
    tests.flatMap(({ code, analytes: of, parts = [] }) => {
      const idTest = testOf.get(code as string) as number
      return [
        ...of.map((one, at) => ({ idTest, idAnalyte: analyteOf.get(one) as number, order: at + 1 })),
        ...parts.map((one, at) => ({ idTest, idPart: testOf.get(one) as number, order: at + 1 })),
      ]
    }),
    pastHooks,
  )
  const devices = await demoDevices(records, analyteOf, filial.id)
  await demoControls(records, analyteOf, devices)
  await demoOrders(records, tx, { idOwn: own.id, idPartner: partner.id, idFilial: filial.id, devices })
}

/** Existing services of the catalogue keep their names and prices; the others are added to their group. */
async function demoServices(records: Records, tx: Tx, tests: readonly TestBody[]): Promise<Map<string, number>> {
  const system = records.asSystem
  const known = await tx.query<{ id: number; name: string; code: string | null }>(
    sql`select "id", "nameService" as name, "medicalCode" as code from services where "serviceCategory" = ${SERVICE} and not "deleted" and "active"`,
  )
  const lower = (text: string) => text.toLocaleLowerCase('ru').replaceAll('ё', 'е')
  const byName = new Map(known.map((one) => [lower(one.name), one.id]))
  const byCode = Map.groupBy(
    known.filter(({ code }) => code?.startsWith('A09.05')),
    ({ code }) => code as string,
  )
  const found = new Map<string, number>()
  const taken = new Set<number>()
  for (const { name, medicalCode } of tests) {
    const coded = byCode.get(medicalCode ?? '') ?? []
    const id = byName.get(lower(name)) ?? (coded.length === 1 ? coded[0]?.id : undefined)
    if (id === undefined || taken.has(id)) continue
    taken.add(id)
    found.set(name, id)
  }
  const [group] = await tx.query<{ id: number }>(
    sql`select "id" from services_groups where "nameServiceGroup" = 'Лаборатория' order by "id" limit 1`,
  )
  const [keeper] = await tx.query<{ id: number }>(sql`select "id" from users order by "id" limit 1`)
  const [type] = await tx.query<{ id: number }>(
    sql`select "id" from service_types where "nameServiceType" = 'Анализ' limit 1`,
  )
  const idGroup = group?.id ?? (await system.create(ServiceGroup, { nameServiceGroup: 'Лаборатория' })).id
  const made = keeper ? { userCreate: keeper.id, userChange: keeper.id } : {}
  await system.createMany(
    Service,
    tests
      .filter(({ name }) => !found.has(name))
      .map(({ name, price, medicalCode, code, preparation }) => ({
        nameService: name,
        priceService: price,
        medicalCode: medicalCode || null,
        labCode: code ?? null,
        code: `Л.${code}`,
        article: `Л-${code}`,
        idGroup,
        idType: type?.id ?? null,
        ...(preparation && { preparation: `<p>${preparation}</p>` }),
        ...made,
      })),
    { pastHooks: 'the demo names no ages' },
  )
  const rows = await tx.query<{ id: number; name: string }>(
    sql`select "id", "nameService" as name from services where "code" like 'Л.%'`,
  )
  for (const { id, name } of rows) if (!found.has(name)) found.set(name, id)
  return found
}
