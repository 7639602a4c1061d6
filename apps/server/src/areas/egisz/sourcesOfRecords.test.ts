/** Document sources of the demo clinic: signed examinations, published laboratory orders, and the job. */
import { Semd } from '@ordinator/model/areas/egisz/semd'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { collectSigned } from './collectSemds.ts'
import { examinationSource } from './examinationSource.ts'
import { type SourceData, semdSource } from './sources.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({ demo: true })
  // Recent signed records of the demo have documents already, or a type that is not sent.
  await past(sql`update examinations set "dateSigned" = now() - interval '30 days' where "status" = 'signed'`)
  await past(sql`update laboratory_orders set "doneAt" = now() - interval '30 days' where "doneAt" is not null`)
  good(await clinic.as('admin').put('/settings/common', { egiszSend: true, _versions: {} }))
})
afterAll(() => clinic.close())

/** Bypasses the triggers of signed records to change their time. */
const past = (...queries: ReturnType<typeof sql>[]) =>
  clinic.db.tx(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`)
    for (const query of queries) await tx.query(query)
  })
const collect = () => collectSigned(clinic.context, { records: clinic.context.engine.for(systemActor) })
const one = async <R>(query: ReturnType<typeof sql>) => (await clinic.db.one<R>(query)) as R
/** A signed examination of a sent type without a document. */
const examination = async () =>
  (
    await one<{
      id: number
    }>(sql`select e."id"::int as id from examinations e join examination_templates t on t."id" = e."idTemplate"
      where e."status" = 'signed' and not e."deleted" and e."idCorrected" is null and exists (select from egisz_documents k where not k."deleted" and k."active"
        and (k."idTemplate" = e."idTemplate" or k."idTemplate" is null and lower(t."semdKind") in (k."code", lower(k."kind"), 'протокол консультации')))
        and not exists (select from egisz_semds s where s."idExamination" = e."id")
      order by jsonb_array_length(e."diagnoses") desc, e."id" limit 1`)
  ).id

it('provides sections, diagnoses and visit of a signed examination; of a draft nothing', async () => {
  const id = await examination()
  const read = await examinationSource.read(clinic.db, id)
  const row = await one<{ diagnoses: { code: string }[]; idCustomer: number; idUser: number }>(
    sql`select "diagnoses", "idCustomer"::int as "idCustomer", "idUser"::int as "idUser" from examinations where "id" = ${id}`,
  )
  expect(read).toMatchObject({ idCustomer: row.idCustomer, idUser: row.idUser, idExamination: id })
  expect(read?.date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/)
  const { sections, diagnoses, protocol, visit } = (read as SourceData).fields as {
    sections: { title: string; fields: { label: string; value: string }[] }[]
    diagnoses: { code: string }[]
    protocol: string
    visit: { from: string; to: string }
  }
  expect(diagnoses.map(({ code }) => code)).toEqual(row.diagnoses.map(({ code }) => code))
  expect(sections.length).toBeGreaterThan(0)
  // Rich text becomes plain text.
  for (const { label, value } of sections.flatMap(({ fields }) => fields)) {
    expect(protocol).toContain(`${label}: ${value}`)
    expect(value).not.toMatch(/<\w+[^>]*>/)
  }
  expect(Date.parse(visit.to)).toBeGreaterThanOrEqual(Date.parse(visit.from))
  await past(sql`update examinations set "status" = 'draft' where "id" = ${id}`)
  expect(await examinationSource.read(clinic.db, id)).toBeUndefined()
  await past(sql`update examinations set "status" = 'signed' where "id" = ${id}`)
})

it('names the diagnoses as they were chosen and the service as it was sold, whatever they are called later', async () => {
  const { id, idLine } = await one<{ id: number; idLine: number }>(sql`select e."id"::int as id, l."id"::int as "idLine"
    from examinations e join coupons c on c."idAppointment" = e."idAppointment" and not c."deleted"
      join coupon_services l on l."idCoupon" = c."id" and not l."deleted" join ledger_lines k on k."idLine" = l."id"
    where e."status" = 'signed' and not e."deleted" and jsonb_array_length(e."diagnoses") > 0
      and 1 = (select count(*) from coupons n join coupon_services m on m."idCoupon" = n."id" where n."idAppointment" = e."idAppointment")
    order by e."id" limit 1`)
  const service = sql`coupon_services l join services s on s."id" = l."idService" where l."id" = ${idLine}`
  await clinic.db.query(sql`update ledger_lines p set "sold" = jsonb_build_object('name', s."nameService",
    'service', jsonb_build_object('medicalCode', s."medicalCode")) from ${service} and p."idLine" = l."id"`)
  const before = await examinationSource.read(clinic.db, id)
  expect(before?.fields.diagnoses).toEqual([expect.objectContaining({ name: expect.stringMatching(/./) })])
  const sold = await one<{ code: string | null; name: string }>(
    sql`select s."medicalCode" as code, s."nameService" as name from ${service}`,
  )
  expect(before?.fields.service).toEqual(sold)
  await past(
    sql`update dictionaries_terms set "name" = 'Другое название'`,
    sql`update services set "nameService" = 'Иная услуга', "medicalCode" = 'B01.070.009' where "medicalCode" is not null
      and "id" = (select "idService" from coupon_services where "id" = ${idLine})`,
  )
  expect(await examinationSource.read(clinic.db, id)).toEqual(before)
})

it('the job generates one document of a signed record, and a new version of a corrected one', async () => {
  const id = await examination()
  await past(sql`update examinations set "dateSigned" = now() where "id" = ${id}`)
  // Two servers concurrently.
  const made = await Promise.all([collect(), collect()])
  expect(made[0] + made[1]).toBe(1)
  expect(await collect()).toBe(0)
  const documents = () =>
    clinic.db.query<{ id: number; version: number; status: string; idPrevious: number | null; setUid: string }>(
      sql`select "id"::int as id, "version", "status", "idPrevious"::int as "idPrevious", "setUid" from egisz_semds
        where "source" = 'examinations' and "idSource" in (select "id" from examinations where "id" = ${id} or "idCorrected" = ${id}) order by "id"`,
    )
  const [first] = await documents()
  expect(first).toMatchObject({ version: 1, idPrevious: null })
  await clinic.db.query(sql`update egisz_semds set "status" = 'registered' where "id" = ${first?.id}`)
  await past(sql`update examinations set "status" = 'corrected' where "id" = ${id}`)
  const columns = (
    await clinic.db.query<{ name: string }>(sql`select column_name as name from information_schema.columns
      where table_name = 'examinations' and is_generated = 'NEVER' and column_name not in ('id', 'idCorrected', 'status', 'dateSigned')`)
  )
    .map(({ name }) => `"${name}"`)
    .join(', ')
  await past(
    sql`insert into examinations ("idCorrected", "status", "dateSigned", ${raw(columns)})
      select "id", 'signed', now(), ${raw(columns)} from examinations where "id" = ${id}`,
  )
  expect(await collect()).toBe(1)
  const [, second] = await documents()
  expect(second).toMatchObject({ version: 2, idPrevious: first?.id, setUid: first?.setUid })
})

it('provides only approved values of a laboratory order, each with its tube, unit and norm', async () => {
  const { id } = await one<{ id: number }>(sql`select o."id"::int as id from laboratory_orders o
    where o."status" in ('done', 'issued') and not o."deleted" and exists (select from laboratory_order_items i join laboratory_results r on r."idItem" = i."id"
      where i."idOrder" = o."id" and r."status" = 'medical' and r."isMain" and r."valueNum" is not null)
    order by (select count(*) from laboratory_order_items i where i."idOrder" = o."id") desc, o."id" limit 1`)
  const read = await semdSource(clinic.context, 'laboratory')?.read(clinic.db, id)
  const { lab } = (read as SourceData).fields as {
    lab: {
      specimens: { barcode: string; name: string }[]
      panels: {
        name: string
        tests: { value: string; number?: string; unit?: { name: string }; barcode: string; device: string }[]
      }[]
      devices: { code: string }[]
    }
  }
  const tests = lab.panels.flatMap((panel) => panel.tests)
  const { count } = await one<{ count: number }>(sql`select count(*)::int as count from laboratory_results r
    join laboratory_order_items i on i."id" = r."idItem" where i."idOrder" = ${id} and r."isMain" and r."status" in ('medical', 'corrected')
      and i."status" <> 'cancelled' and not i."deleted"`)
  expect(tests).toHaveLength(count)
  for (const test of tests) {
    expect(lab.specimens.map(({ barcode }) => barcode)).toContain(test.barcode)
    expect(lab.devices.map(({ code }) => code)).toContain(test.device)
    if (test.number) expect(test.unit?.name).toBeTruthy()
  }
  // Unapproved values stay in the laboratory.
  await past(sql`update laboratory_results set "status" = 'technical' where "idItem" in
    (select "id" from laboratory_order_items where "idOrder" = ${id})`)
  expect(await semdSource(clinic.context, 'laboratory')?.read(clinic.db, id)).toBeUndefined()
  await past(sql`update laboratory_results set "status" = 'medical' where "status" = 'technical' and "idItem" in
    (select "id" from laboratory_order_items where "idOrder" = ${id})`)
  await past(sql`update laboratory_orders set "doneAt" = now() where "id" = ${id}`)
  expect(await collect()).toBe(1)
  const made = await clinic.context.engine
    .for(systemActor)
    .asSystem.rows(Semd, { 'filter[idSource]': id, 'filter[source]': 'laboratory' })
  expect(made).toHaveLength(1)
  expect(await collect()).toBe(0)
})

it('a tax certificate counts the own payments of a year, less refunds', async () => {
  const admin = clinic.as('admin')
  const { id, year, sum } = await one<{ id: number; year: number; sum: string }>(sql`
    select p."idCustomer"::int as id, extract(year from p."localDate")::int as year,
      sum(case p."kind" when 'refund' then -t."sum" else t."sum" end)::numeric(14, 2)::text as sum
    from payments p join payments_parts t on t."idPayment" = p."id"
    where p."idStatus" = 2 and t."method" in ('cash', 'card', 'sbp', 'transfer', 'online') and extract(year from p."localDate") >= 2024
    group by 1, 2 having sum(case p."kind" when 'refund' then -t."sum" else t."sum" end) > 0
    order by bool_or(p."kind" = 'refund') desc, count(*) desc limit 1`)
  const asked = {
    idCustomer: id,
    payerInn: '500100732259',
    payerSurname: 'Тестов',
    payerName: 'Пётр',
    relation: 'self',
    idUser: 1,
  }
  const made = good(await admin.post('/egisz/semds/tax', { ...asked, year }), 201)
  const { content } = good(await admin.get(`/egisz/semds/${made.id}/content`))
  expect(Buffer.from(content, 'base64').toString()).toContain(sum)
  const never = await admin.post('/egisz/semds/tax', { ...asked, year: 2099 })
  expect([never.status, never.body[0].field]).toEqual([422, 'year'])
  expect((await admin.post('/egisz/semds/tax', { ...asked, year, payerInn: '1' })).body[0].field).toBe('payerInn')
  // Generated again from the given data, not from a record.
  expect(good(await admin.post(`/egisz/semds/${made.id}/check`)).title).toBe(made.title)
})
