import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Finding, Semd as SemdEntity } from '@ordinator/model/areas/egisz/semd'
import { need } from '@ordinator/model/testing/needs'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { type EgiszSimulator, smallDictionary, soapOf, startEgisz } from '#testing/egiszSimulator.ts'
import { good } from '#testing/good.ts'
import { gost } from '#testing/gost.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { inputsAt } from '#testing/inputs.ts'
import { addPerson } from '#testing/people.ts'
import { queueRegistration } from './register.ts'
import { registerSemdSource, type SourceData } from './sources.ts'

const TOKEN = 'a-token-of-the-register'
let simulator: EgiszSimulator
let clinic: Clinic
let url: string
let chief: Caller
let doctor: Caller
let idDoctor: number
let idCustomer: number
/** Laboratory data of a record, set by the tests. */
const told = new Map<number, Partial<SourceData>>()

beforeAll(async () => {
  simulator = await startEgisz({ token: TOKEN })
  clinic = await testApp({
    env: { EGISZ_URL: simulator.url },
    prepare: async (app) => {
      await addPerson(app, 'chief', [
        'mainSettings',
        'manageSignatures',
        'viewReportEgiszOperationsLog',
        'viewReportEgiszMessages',
        'viewCustomers',
        'editCustomers',
      ])
      await addPerson(app, 'doctor', ['editExaminations', 'viewExaminations'])
      await addPerson(app, 'stranger', ['editExaminations'])
    },
  })
  url = await clinic.listen()
  chief = clinic.as('chief')
  doctor = clinic.as('doctor')
  idDoctor = (await clinic.db.one<{ id: number }>(sql`select "id"::int as id from users where "login" = 'doctor'`))
    ?.id as number
  good(
    await chief.put('/settings/common', {
      egiszMode: 'simulator',
      egiszOid: '1.2.643.5.1.13.13.12.2.63.9999',
      egiszCallback: `${url}/egisz/callback`,
      egiszCallbackToken: TOKEN,
      egiszSend: true,
      signaturePlugin: 'simulator',
      _versions: {},
    }),
  )
  idCustomer = good(
    await chief.post('/customers', { surname: 'Тестова', name: 'Анна', gender: 'female', snils: '112-233-445 95' }),
    201,
  ).id
  good(
    await chief.post('/egisz/documents', { kind: 'laboratory', code: '9001', edition: 1, dateFrom: '2026-01-01' }),
    201,
  )
  registerSemdSource(clinic.context, {
    kind: 'laboratory',
    read: async (_db, id) => ({
      title: `Исследование ${id}`,
      idCustomer,
      idUser: idDoctor,
      idFilial: null,
      date: '2026-11-26T09:30:00+04:00',
      fields: {},
      ...told.get(id),
    }),
    mend: { result: { label: 'Результат исследования', link: '/laboratory/:id' } },
  })
  const edition = good(
    await chief.post('/egisz/editions', {
      code: '9001',
      name: 'Четвёртый вид',
      typeCode: '7',
      typeName: 'Протокол',
      templateId: '1.2.3',
    }),
    201,
  )
  await put(edition.id, 'template', 'fourth.xml', TEMPLATE)
  await put(edition.id, 'xsd', 'CDA.xsd', XSD)
  await put(edition.id, 'schematron', 'fourth.sch', SCHEMATRON)
})
afterAll(async () => {
  await clinic.close()
  await simulator.close()
})
beforeEach(() => {
  simulator.mood = 'takes'
  simulator.moodOf = undefined
})

/** A document type that no code refers to. */
const TEMPLATE = `<?xml version="1.0" encoding="UTF-8"?>
<ClinicalDocument xmlns="urn:hl7-org:v3"><id>{{document.number}}</id><patient snils="{{patient.snils!}}">{{patient.surname!}}</patient>{{#result}}<result code="{{code}}" codeSystem="1.2.3.4" displayName="{{name}}">{{value}}</result>{{/result}}{{^result}}{{result!}}{{/result}}</ClinicalDocument>`
const XSD = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:hl7-org:v3" elementFormDefault="qualified"><xs:element name="ClinicalDocument"><xs:complexType><xs:sequence>
<xs:element name="id" type="xs:string"/><xs:element name="patient"><xs:complexType><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="snils" use="required"><xs:simpleType><xs:restriction base="xs:string"><xs:pattern value="[0-9]{11}"/></xs:restriction></xs:simpleType></xs:attribute></xs:extension></xs:simpleContent></xs:complexType></xs:element>
<xs:element name="result"><xs:complexType><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="code"/><xs:attribute name="codeSystem"/><xs:attribute name="displayName"/></xs:extension></xs:simpleContent></xs:complexType></xs:element>
</xs:sequence></xs:complexType></xs:element></xs:schema>`
const SCHEMATRON = `<schema xmlns="http://purl.oclc.org/dsdl/schematron" queryBinding="xslt2"><pattern><rule context="ClinicalDocument/result"><assert test=". != 'плохо'">У9-1. Результат не может быть плохим.</assert><assert test="string-length(.) &lt; 20">У9-2. Результат слишком длинный.</assert></rule></pattern></schema>`

async function put(id: number, kind: string, name: string, text: string) {
  return chief.put(`/egisz/editions/${id}/files`, { kind, name, content: Buffer.from(text).toString('base64') })
}

let records = 0
const RESULT = { code: '1', name: 'Норма', value: 'хорошо' }
async function make(fields: Record<string, unknown> = { result: RESULT }) {
  const id = ++records
  told.set(id, { fields })
  return good(await doctor.post('/egisz/semds/make', { source: 'laboratory', id }), 201) as Semd
}
interface Semd {
  id: number
  status: string
  findings: Finding[]
  localUid: string
  emdrId: string | null
  error: string | null
  version: number
  dueRole: string | null
}
const read = async (id: number): Promise<Semd> => good(await chief.get(`/egisz/semds/${id}`))

const certificates = new Map<Caller, Promise<string[]>>()
/** The simulator's certificates of a person, each registered at the clinic. */
async function certificatesOf(who: Caller): Promise<string[]> {
  const { items } = good(await who.get('/signatures/simulator/certificates')) as {
    items: { thumbprint: string; certificate: string }[]
  }
  for (const [at, { certificate }] of items.entries())
    good(
      await who.post('/signatures/certificates/add', { certificate, purpose: at === 0 ? 'doctor' : 'organization' }),
      201,
    )
  return items.map(({ thumbprint }) => thumbprint)
}
async function signatureOf(who: Caller, content: string, at = 0): Promise<string> {
  if (!certificates.has(who)) certificates.set(who, certificatesOf(who))
  const thumbprint = (await certificates.get(who))?.[at] ?? ''
  return good(await who.post('/signatures/simulator/sign', { thumbprint, content })).signature
}
async function sign(who: Caller, id: number, role: 'doctor' | 'organization') {
  const { content, digest } = good(await who.get(`/egisz/semds/${id}/content`)) as { content: string; digest: string }
  return who.post(`/egisz/semds/${id}/sign`, {
    role,
    digest,
    signature: await signatureOf(who, content, role === 'doctor' ? 0 : 1),
  })
}
async function signAll(id: number) {
  good(await sign(doctor, id, 'doctor'))
  return good(await sign(chief, id, 'organization')) as Semd
}
/** Sends all due messages at any time, and applies replies. */
async function exchange() {
  const { outbox } = clinic.context
  await clinic.db.query(sql`update outbox set "dateDue" = now() where "state" in ('waiting', 'claimed')`)
  await clinic.db.query(sql`delete from outbox_lanes`)
  await outbox.run('egisz')
  await outbox.applyAnswers()
}
async function answered() {
  const statuses = await simulator.answer()
  await clinic.context.outbox.applyAnswers()
  return statuses
}

describe('a document', () => {
  it('of a type unknown to the code is generated by its template, and reports all errors at once', async () => {
    const semd = await make({ result: { code: '7', name: 'Нет такого', value: 'плохо' } })
    expect(semd.status).toBe('draft')
    expect(semd.findings).toMatchObject([{ source: 'schematron', code: 'У9-1', severity: 'error' }])
    const bare = await make({})
    expect(bare.findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          source: 'data',
          code: 'result',
          link: `/laboratory/${records}`,
          mend: 'Заполните: Результат исследования',
        }),
        expect.objectContaining({ source: 'schema', message: expect.stringContaining('не хватает') }),
      ]),
    )
    // The next check accepts the corrected value.
    told.set(records, { fields: { result: RESULT } })
    expect(good(await doctor.post(`/egisz/semds/${bare.id}/check`))).toMatchObject({
      status: 'validated',
      findings: [],
      dueRole: 'doctor',
    })
  })

  it('is unique per record, and visible to its doctor only', async () => {
    const semd = await make()
    const again = await doctor.post('/egisz/semds/make', { source: 'laboratory', id: records })
    expect([again.status, again.body.code]).toEqual([409, `exists:${semd.id}`])
    expect((await clinic.as('stranger').get(`/egisz/semds/${semd.id}`)).status).toBe(404)
  })

  it("is validated by the severities of the clinic's rules", async () => {
    const rule = good(
      await chief.post('/egisz/rules', {
        source: 'schematron',
        code: 'У9-1',
        severity: 'warning',
        reason: 'Противоречит примерам',
      }),
      201,
    )
    const semd = await make({ result: { ...RESULT, value: 'плохо' } })
    expect([semd.status, semd.findings.map(({ severity }) => severity)]).toEqual(['validated', ['warning']])
    good(await chief.put(`/egisz/rules/${rule.id}`, { severity: 'off' }))
    expect(good(await doctor.post(`/egisz/semds/${semd.id}/check`)).findings).toEqual([])
    good(await chief.delete(`/egisz/rules/${rule.id}`), 204)
  })
})

describe.runIf(gost.there)('signatures', gost.options, () => {
  it('are made by the doctor and then by the clinic, over the exact bytes, and by no other', async () => {
    const semd = await make()
    expect((await sign(chief, semd.id, 'organization')).body.code).toBe('order')
    expect((await sign(chief, semd.id, 'doctor')).status).toBe(403)
    const { content, digest } = good(await doctor.get(`/egisz/semds/${semd.id}/content`))
    const other = await signatureOf(doctor, Buffer.from(`${Buffer.from(content, 'base64')} `).toString('base64'))
    const wrong = await doctor.post(`/egisz/semds/${semd.id}/sign`, { role: 'doctor', digest, signature: other })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('изменён после подписания')])
    const stale = await doctor.post(`/egisz/semds/${semd.id}/sign`, {
      role: 'doctor',
      digest: 'a'.repeat(64),
      signature: other,
    })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    expect(good(await sign(doctor, semd.id, 'doctor'))).toMatchObject({
      status: 'signedDoctor',
      dueRole: 'organization',
    })
    expect((await doctor.post(`/egisz/semds/${semd.id}/check`)).status).toBe(409)
    await expect(
      clinic.db.query(sql`update egisz_semd_contents set "body" = 'x' where "idSemd" = ${semd.id}`),
    ).rejects.toThrow('fixed')
    expect(good(await sign(chief, semd.id, 'organization'))).toMatchObject({ status: 'sent' })
    const { signatures } = good(await chief.get(`/egisz/semds/${semd.id}/details`))
    expect(signatures.map(({ role, state, kind }: Record<string, string>) => [role, state, kind])).toEqual([
      ['doctor', 'valid', 'test'],
      ['organization', 'valid', 'test'],
    ])
    await exchange()
    await answered()
  })
})

describe.runIf(gost.there)('the register', gost.options, () => {
  it('accepts a document, and reports its result later', async () => {
    const semd = await make()
    await signAll(semd.id)
    await exchange()
    expect((await read(semd.id)).status).toBe('accepted')
    expect(await answered()).toEqual([200])
    const done = await read(semd.id)
    expect(done).toMatchObject({ status: 'registered', emdrId: simulator.documents.get(semd.localUid)?.emdrId })
    const { items } = good(await chief.get('/egisz/operations?limit=1'))
    expect(items[0]).toMatchObject({ operation: 'register', status: 'done', emdrId: done.emdrId })
    // The message body contains patient data: it needs a reason to open.
    const line = good(await chief.get('/exchange/messages?filter[operation]=Регистрация ЭМД&limit=1')).items[0]
    const said = good(await chief.post(`/exchange/messages/${line.id}/open`, { reason: 'Проверка' }))
    expect(said.request).toContain(semd.localUid)
  })

  it('refusals end a document at once with every reason and correction; a new version replaces it', async () => {
    simulator.mood = 'refusesAtOnce'
    const semd = await make()
    await signAll(semd.id)
    await exchange()
    const refused = await read(semd.id)
    expect([refused.status, refused.findings.map(({ code, link }) => [code, link])]).toEqual([
      'rejected',
      [
        ['VALIDATION_ERROR', '/customers'],
        ['STAFF_NOT_FOUND', '/settings/egisz-staff'],
      ],
    ])
    simulator.mood = 'takes'
    const next = good(await doctor.post(`/egisz/semds/${semd.id}/revise`), 201) as Semd
    expect([next.version, next.status, (await read(semd.id)).status]).toEqual([2, 'validated', 'replaced'])
    await signAll(next.id)
    await exchange()
    await answered()
    expect((await read(next.id)).status).toBe('registered')
  })

  it.each(['silent', 'down', 'garbage', 'twice', 'early', 'duplicate'] as const)(
    'that is %s accepts it once',
    async (mood) => {
      simulator.mood = mood
      const semd = await make()
      await signAll(semd.id)
      await exchange()
      simulator.mood = 'takes'
      await exchange()
      await answered()
      await exchange()
      await answered()
      expect(await read(semd.id)).toMatchObject({
        status: 'registered',
        emdrId: simulator.documents.get(semd.localUid)?.emdrId,
      })
    },
  )

  it('that never answers an accepted document gets it again after a day, or its cancellation at once', async () => {
    const [late, wrong] = [await make(), await make()]
    for (const { id } of [late, wrong]) await signAll(id)
    await exchange()
    expect((await chief.post(`/egisz/semds/${late.id}/send`)).body.message).toContain('24 ч')
    await clinic.db.query(
      sql`update egisz_semds set "dateSent" = "dateSent" - interval '25 hours' where "id" = ${late.id}`,
    )
    good(await chief.post(`/egisz/semds/${late.id}/send`))
    good(await chief.post(`/egisz/semds/${wrong.id}/cancel`, { reason: 'Ошибка пациента' }))
    await exchange()
    await answered()
    expect(await read(late.id)).toMatchObject({
      status: 'registered',
      emdrId: simulator.documents.get(late.localUid)?.emdrId,
    })
    expect((await read(wrong.id)).status).toBe('cancelled')
    expect(simulator.documents.get(wrong.localUid)?.cancelled).toBe(true)
  })

  it('requests the file of a document, and cancels one', async () => {
    const semd = await make()
    await signAll(semd.id)
    await exchange()
    await answered()
    const file = await simulator.knock(
      soapOf('ask-1', `<getDocumentFile><localUid>${semd.localUid}</localUid></getDocumentFile>`),
    )
    expect([file.status, file.text.match(/<signature /g)?.length]).toEqual([200, 2])
    const document = Buffer.from(/<document>([^<]*)</.exec(file.text)?.[1] ?? '', 'base64').toString()
    expect(document).toContain(semd.localUid)
    good(await chief.post(`/egisz/semds/${semd.id}/cancel`, { reason: 'Ошибка пациента' }))
    await exchange()
    await answered()
    expect((await read(semd.id)).status).toBe('cancelled')
    expect(simulator.documents.get(semd.localUid)?.cancelled).toBe(true)
  })
})

describe('a server that is killed', () => {
  const tables = [
    'egisz_semds',
    'egisz_operations',
    'egisz_events',
    'exchange_messages',
    'exchange_contents',
    'outbox',
    'outbox_answers',
    'history',
  ]
  it("between any two writes sends a document once, loses nothing and ends in the register's state", async () => {
    const { context, db } = clinic
    await db.query(sql`create sequence egisz_death_steps`)
    await db.query(sql`create table egisz_death ("at" int)`)
    await db.query(sql`create function egisz_death() returns trigger language plpgsql as $$
      begin
        if exists (select from egisz_death) and nextval('egisz_death_steps') >= (select "at" from egisz_death) then raise 'dead'; end if;
        return case tg_op when 'DELETE' then old else new end;
      end $$`)
    for (const table of tables)
      await db.query({
        text: `create trigger aa_egisz_death before insert or update or delete on ${table} for each row execute function egisz_death()`,
      })
    // The reply is delivered by hand and repeated until accepted, as the register does.
    simulator.mood = 'mute'
    const system = context.engine.for(systemActor)
    const tellAll = async (id: number, messageId: string, localUid: string) => {
      const emdrId = simulator.documents.get(localUid)?.emdrId
      if (!emdrId) return
      const { status } = await simulator.knock(
        soapOf(
          `answer-${messageId}`,
          `<registerDocumentResult><relatesToMessage>${messageId}</relatesToMessage><localUid>${localUid}</localUid><status>success</status><emdrId>${emdrId}</emdrId></registerDocumentResult>`,
        ),
      )
      if (status !== 200) throw new Error(`the answer of ${id} was not taken`)
      await context.outbox.applyAnswers()
    }
    const messageOf = async (id: number) =>
      (
        await db.one<{ id: string }>(
          sql`select "correlationId" as id from exchange_messages where "adapter" = 'egisz' and "direction" = 'out' and "entityType" = 'egisz/semds' and "idEntity" = ${id}`,
        )
      )?.id ?? ''
    /** All steps of a document after its last signature, resumable from any point. */
    const walk = async (id: number, localUid: string) => {
      if (!(await messageOf(id)))
        await system.tx(async (own, tx) => {
          await queueRegistration(context, { records: own, tx }, await own.asSystem.row(SemdEntity, id), 'sign')
        })
      await exchange()
      await tellAll(id, await messageOf(id), localUid)
    }
    let deaths = 0
    for (let at = 1; ; at++) {
      const semd = await make()
      await db.query(sql`update egisz_semds set "status" = 'signedOrg', "dueRole" = null where "id" = ${semd.id}`)
      await db.query(sql`select setval('egisz_death_steps', 1, false)`)
      await db.query(sql`insert into egisz_death values (${at})`)
      await walk(semd.id, semd.localUid).catch(() => undefined)
      await db.query(sql`delete from egisz_death`)
      const steps = await db.one<{ n: number }>(
        sql`select case when "is_called" then "last_value" else 0 end::int as n from egisz_death_steps`,
      )
      if ((steps?.n ?? 0) < at) break
      deaths++
      await walk(semd.id, semd.localUid)
      await exchange()
      const emdrId = simulator.documents.get(semd.localUid)?.emdrId
      expect(await read(semd.id), `dead at ${at}`).toMatchObject({ status: 'registered', emdrId })
      const told = await db.one(sql`select
        (select count(*)::int from exchange_messages where "adapter" = 'egisz' and "idempotencyKey" = ${`register-${semd.localUid}`}) as messages,
        (select count(*)::int from egisz_operations where "idSemd" = ${semd.id}) as operations,
        (select count(*)::int from outbox o join exchange_messages m using ("id") where m."idEntity" = ${semd.id} and m."entityType" = 'egisz/semds') as left`)
      expect(told, `dead at ${at}`).toEqual({ messages: 1, operations: 1, left: 0 })
    }
    expect(deaths).toBeGreaterThan(10)
    for (const table of tables) await db.query({ text: `drop trigger aa_egisz_death on ${table}` })
  })
})

describe('the callback of the register', () => {
  const hostile: [string, string][] = [
    ['entities', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ['depth', `${'<a>'.repeat(400)}${'</a>'.repeat(400)}`],
    ['two bodies', soapOf('m', '<a/>').replace('</s:Envelope>', '<s:Body><b/></s:Body></s:Envelope>')],
    [
      'two signatures',
      soapOf('m', '<registerDocumentResult/>').replace(
        '</s:Header>',
        '<ds:SignedInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/><ds:SignedInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/></s:Header>',
      ),
    ],
    ['an external entity', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'],
    ['very many tags', `<a>${'<b/>'.repeat(300_000)}</a>`],
    ['another root', '<registerDocumentResult><status>success</status></registerDocumentResult>'],
    ['another message', soapOf('m', '<shutDown/>')],
    ['no relation', soapOf('m', '<registerDocumentResult><status>success</status></registerDocumentResult>')],
    ['nothing', ''],
  ]
  const knock = async (body: string, token = TOKEN) => {
    const answer = await fetch(`${url}/egisz/callback`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/soap+xml', authorization: `Bearer ${token}` },
    })
    return { status: answer.status, text: await answer.text() }
  }

  it.each(hostile)('refuses %s, with a message', async (_, body) => {
    const { status, text } = await knock(body)
    expect(status).toBe(400)
    expect(text).toContain('Fault')
  })

  it('refuses a stranger, stores unmatched messages, and recognizes a repeat', async () => {
    const body = soapOf(
      'stray-1',
      '<registerDocumentResult><relatesToMessage>nobody</relatesToMessage><status>success</status><emdrId>1</emdrId></registerDocumentResult>',
    )
    expect((await knock(body, 'wrong')).status).toBe(401)
    expect((await knock(body)).text).toContain('success')
    expect((await knock(body)).text).toContain('repeat')
    const kept = await clinic.db.query<{ state: string }>(
      sql`select "state" from outbox_answers where "relatesTo" = 'nobody'`,
    )
    expect(kept).toEqual([{ state: 'new' }])
  })
})

describe('a dictionary of НСИ', () => {
  it('is loaded completely, activated, and unchanged if a page is missing', async () => {
    simulator.dictionaries.set('1.2.3.4', smallDictionary('1.1', { '1': 'Норма', '2': 'Отклонение' }))
    const { id } = good(await chief.post('/egisz/dictionaries', { oid: '1.2.3.4', name: 'Результаты' }), 201)
    const load = async () => {
      good(await chief.post(`/egisz/dictionaries/${id}/load`), 202)
      await clinic.context.jobs.drain()
      return good(await chief.get(`/egisz/dictionaries/${id}`))
    }
    expect(await load()).toMatchObject({ state: 'loaded', version: '1.1', rows: 2 })
    const semd = await make({ result: { code: '9', name: 'Чудо', value: 'да' } })
    expect(semd.findings).toMatchObject([{ source: 'dictionary', severity: 'error', code: '1.2.3.4' }])
    const named = await make({ result: { code: '1', name: 'Иначе', value: 'да' } })
    expect(named.findings).toMatchObject([{ source: 'dictionary', severity: 'warning' }])
    simulator.dictionaries.set('1.2.3.4', smallDictionary('1.2', { '1': 'Норма', '9': 'Чудо' }))
    simulator.failPage = 1
    expect(await load()).toMatchObject({ state: 'failed', version: '1.1' })
    expect(good(await chief.get(`/egisz/dictionaries/${id}/terms?q=отк`)).items).toEqual([
      { code: '2', name: 'Отклонение' },
    ])
    simulator.failPage = undefined
    expect(await load()).toMatchObject({ state: 'loaded', version: '1.2' })
    expect(good(await doctor.post(`/egisz/semds/${semd.id}/check`)).findings).toEqual([])
    // Two loads at once leave it whole.
    const many = Object.fromEntries(Array.from({ length: 1_100 }, (_, at) => [String(at), `Строка ${at}`]))
    simulator.dictionaries.set('1.2.3.4', smallDictionary('1.3', many))
    await Promise.all([1, 2].map(() => clinic.context.jobs.run('egisz.dictionary', { id })))
    expect(good(await chief.get(`/egisz/dictionaries/${id}`))).toMatchObject({
      state: 'loaded',
      version: '1.3',
      rows: 1_100,
    })
    const [stored] = await clinic.db.query<{ rows: number; codes: number }>(sql`select count(*)::int as rows,
      count(distinct "code")::int as codes from egisz_terms where "idDictionary" = ${id} and "version" = '1.3'`)
    expect(stored).toEqual({ rows: 1_100, codes: 1_100 })
    good(await chief.delete(`/egisz/dictionaries/${id}`), 204)
  })
})

describe('editions', () => {
  it('refuse unreadable files', async () => {
    const { items } = good(await chief.get('/egisz/editions?limit=1'))
    const { id } = items[0]
    const wrong: [string, string, string][] = [
      ['template', 'a.xml', '<a>{{#b}}</a>'],
      ['template', 'a.xml', '{{> nowhere}}'],
      ['xsd', 'b.xsd', '<a/>'],
      ['xsd', 'c.xsd', '<!DOCTYPE x><xs:schema/>'],
      ['schematron', 'c.sch', 'not xml'],
    ]
    for (const [kind, name, text] of wrong)
      expect((await put(id, kind, name, text)).status, `${kind} ${text}`).toBe(422)
    expect((await put(id, 'xsd', '../../etc/passwd', XSD)).status).toBe(422)
  })
})

it('figures count the results of documents', async () => {
  const figures = good(await chief.get('/egisz/figures?from=2026-11-01&to=2026-11-30'))
  expect(figures.total).toBeGreaterThan(0)
  expect(figures.byStatus.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(figures.total)
})

it('figures of messages and of events agree with their journals', async () => {
  const period = 'from=2000-01-01&to=2099-01-01'
  const one = async <R>(query: ReturnType<typeof sql>) => (await clinic.db.one<R>(query)) as R
  const ofMessages = good(await chief.get(`/egisz/figures/messages?${period}`))
  const messages = await one<{ total: number; incoming: number; failed: number; repeated: number }>(sql`
    select count(*)::int as total, (count(*) filter (where "direction" = 'in'))::int as incoming,
      (count(*) filter (where "status" in ('rejected', 'network_error', 'dead')))::int as failed,
      (count(*) filter (where "attempts" > 1))::int as repeated
    from exchange_messages where "adapter" in ('egisz', 'nsi')`)
  expect(messages.total).toBeGreaterThan(0)
  expect(messages.failed).toBeGreaterThan(0)
  expect(ofMessages).toMatchObject({ ...messages, isCut: false })
  expect(ofMessages.errors.length).toBeGreaterThan(0)
  const ofEvents = good(await chief.get(`/egisz/figures/events?${period}`))
  const events = await one<{ total: number; errors: number; kinds: number }>(sql`
    select count(*)::int as total, (count(*) filter (where "level" = 'error'))::int as errors, count(distinct "kind")::int as kinds
    from egisz_events`)
  expect(ofEvents.total).toBe(events.total)
  expect(ofEvents.byLevel.find(({ level }: { level: string }) => level === 'error')?.count ?? 0).toBe(events.errors)
  expect(ofEvents.byKind).toHaveLength(events.kinds)
  const before = good(await chief.get('/egisz/figures/messages?from=1999-01-01&to=1999-01-02'))
  expect(before).toMatchObject({ total: 0, failedShare: null, medianMs: null, errors: [] })
  expect((await doctor.get(`/egisz/figures/messages?${period}`)).status).toBe(403)
})

/** The ministry's own schemas are beside the sources on some machines, and not in the repository. */
const INPUTS = inputsAt('cda')
const rules = need('Схемы СЭМД министерства (папка inputs/cda рядом с кодом)', INPUTS)
describe.runIf(rules.there)("by the ministry's schemas and rules", rules.options, () => {
  const folder = INPUTS as string
  const filesIn = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((one) =>
      one.isDirectory() ? filesIn(join(path, one.name)) : [join(path, one.name)],
    )
  it.each([
    ['consultation', '119'],
    ['laboratory', '186'],
    ['taxCertificate', '193'],
  ] as const)('%s has no findings, and broken values are found', async (name, code) => {
    const { sampleData } = await import('./testing/sampleData.ts')
    const { makeDocument, readDocumentTemplate } = await import('@ordinator/model/areas/egisz/documentTemplate')
    const { templateParts } = await import('./editions.ts')
    const { xmlOf } = await import('#platform/xml/xml.ts')
    const { schematronOf } = await import('#platform/xml/schematron.ts')
    const template = readFileSync(new URL(`./templates/${name}.xml`, import.meta.url), 'utf8')
    const { xml, missing } = makeDocument(readDocumentTemplate(template, templateParts()), sampleData(name))
    const files = Object.fromEntries(
      filesIn(join(folder, code)).map((path) => [
        relative(join(folder, code), path),
        new Uint8Array(readFileSync(path)),
      ]),
    )
    const rules = gunzipSync(readFileSync(join(folder, `${code}.sch.gz`))).toString('utf8')
    const app = clinic.context
    expect(missing).toEqual([])
    expect(await xmlOf(app).validate(Buffer.from(xml), { main: 'CDA.xsd', files }, { who: 1 })).toEqual([])
    expect(await schematronOf(app).check(xml, rules, 1)).toEqual([])
    const start = performance.now()
    const broken = await schematronOf(app).check(xml.replace(/<languageCode code="ru-RU"\/>/, ''), rules, 1)
    expect(broken.length).toBeGreaterThan(0)
    console.log(
      `${code}: ${Object.keys(files).length} files of the schema, ${rules.match(/<(assert|report)/g)?.length} rules, the second check took ${Math.round(performance.now() - start)} ms, sha ${createHash('sha256').update(rules).digest('hex').slice(0, 8)}`,
    )
  })
})
