import { Semd as SemdEntity } from '@ordinator/model/areas/egisz/semd'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { soapOf } from '#testing/egiszSimulator.ts'
import { good } from '#testing/good.ts'
import { gost } from '#testing/gost.ts'
import type { Caller } from '#testing/harness.ts'
import { queueRegistration } from './register.ts'
import { chief, clinic, doctor, make, openEgiszClinic, type Semd, simulator } from './testing/egiszClinic.ts'

openEgiszClinic()

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
    const bodies = good(await chief.post(`/exchange/messages/${line.id}/open`, { reason: 'Проверка' }))
    expect(bodies.request).toContain(semd.localUid)
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
    const answerAll = async (id: number, messageId: string, localUid: string) => {
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
      await answerAll(id, await messageOf(id), localUid)
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
      const counts = await db.one(sql`select
        (select count(*)::int from exchange_messages where "adapter" = 'egisz' and "idempotencyKey" = ${`register-${semd.localUid}`}) as messages,
        (select count(*)::int from egisz_operations where "idSemd" = ${semd.id}) as operations,
        (select count(*)::int from outbox o join exchange_messages m using ("id") where m."idEntity" = ${semd.id} and m."entityType" = 'egisz/semds') as left`)
      expect(counts, `dead at ${at}`).toEqual({ messages: 1, operations: 1, left: 0 })
    }
    expect(deaths).toBeGreaterThan(10)
    for (const table of tables) await db.query({ text: `drop trigger aa_egisz_death on ${table}` })
  })
})
