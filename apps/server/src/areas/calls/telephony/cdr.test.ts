import { INCOMING, INTERNAL, MISSED, OUTGOING } from '@ordinator/model/areas/calls/call'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Db } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import { type AmiSimulator, startAmiSimulator } from '#testing/amiSimulator.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp, testDb } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type CdrRow, callsOfCdr } from './cdr.ts'
import { keepCall } from './keep.ts'
import type { TrackedCall } from './tracker.ts'

const TRUNK = 'PJSIP/trunk-0000000f'
const PHONE_201 = 'PJSIP/201-0000001a'
const PHONE_202 = 'PJSIP/202-0000001b'
let serial = 0
/** An hour ago, in seconds. */
const ago = () => Math.floor(Date.now() / 1000) - 3_600
const sessionAt = (seconds = ago()) => `${seconds}.${++serial}`

const row = (linkedid: string, more: Partial<CdrRow> = {}): CdrRow => ({
  linkedid,
  uniqueid: linkedid,
  src: '+79051112233',
  dst: '84950000000',
  channel: TRUNK,
  dstchannel: PHONE_201,
  disposition: 'ANSWERED',
  after: 0,
  duration: 30,
  billsec: 20,
  ...more,
})
const callOf = (...rows: CdrRow[]) => callsOfCdr(rows, { from: 0, to: Date.now() })[0]

describe('the rows of one conversation', () => {
  it('when answered are one incoming call of the last participant', () => {
    const session = sessionAt(1_763_990_000)
    const call = callOf(
      row(session, { disposition: 'NO ANSWER', dstchannel: PHONE_202, duration: 15, billsec: 0 }),
      row(session, { after: 15, duration: 45, billsec: 40 }),
    )
    const begin = 1_763_990_000_000
    expect(call).toMatchObject({
      session,
      type: INCOMING,
      contactPhone: '+79051112233',
      localPhone: '201',
      begin,
      answer: begin + 20_000,
      end: begin + 60_000,
      waitS: 20,
    })
    expect(call?.legs.map(({ party, sipPhone }) => [party, sipPhone])).toEqual([
      ['external', null],
      ['operator', '202'],
      ['operator', '201'],
    ])
  })

  it('without an answer, or answered only by a menu or a queue, are one missed call', () => {
    const silent = { disposition: 'NO ANSWER', billsec: 0 }
    expect(callOf(row(sessionAt(), silent), row(sessionAt(), silent))).toMatchObject({ type: MISSED, answer: null })
    expect(callOf(row(sessionAt(), { dstchannel: '', duration: 35, billsec: 35 }))).toMatchObject({
      type: MISSED,
      answer: null,
      waitS: 35,
    })
  })

  it('through the halves of a Local channel are answered by the phone reached', () => {
    const session = sessionAt()
    const half = 'Local/201@from-queue-00000001'
    expect(
      callOf(
        row(session, { dstchannel: `${half};1` }),
        row(session, { uniqueid: sessionAt(), channel: `${half};2`, dstchannel: PHONE_201, after: 2 }),
      ),
    ).toMatchObject({ type: INCOMING, localPhone: '201' })
  })

  it('begun by an employee are outgoing to outside and internal to a colleague', () => {
    const out = { channel: PHONE_201, dst: '89161234567', dstchannel: TRUNK }
    expect(callOf(row(sessionAt(), out))).toMatchObject({
      type: OUTGOING,
      contactPhone: '89161234567',
      localPhone: '201',
      waitS: null,
    })
    expect(callOf(row(sessionAt(), { ...out, disposition: 'BUSY', billsec: 0 }))).toMatchObject({ answer: null })
    const inside = { channel: PHONE_201, dst: '202', dstchannel: PHONE_202 }
    expect(callOf(row(sessionAt(), inside))).toMatchObject({ type: INTERNAL, contactPhone: null, localPhone: '201' })
  })

  it('that are no call, too old or too recent are skipped', () => {
    const now = Date.now()
    const found = (rows: CdrRow[]) => callsOfCdr(rows, { from: now - 7_200_000, to: now - 60_000 })
    expect(
      found([row('no-moment'), row(sessionAt(), { channel: '' }), row(sessionAt(), { channel: 'Local/2@x-1;1' })]),
    ).toEqual([])
    expect(found([row(sessionAt(ago() - 9_000)), row(sessionAt(Math.floor(now / 1000) - 40))])).toEqual([])
    expect(found([row(`pbx-${sessionAt()}`)])).toHaveLength(1)
  })
})

describe('the journal of the exchange', () => {
  let exchange: Db
  let ami: AmiSimulator
  let clinic: Clinic
  let operator: Caller
  let pbx: string

  beforeAll(async () => {
    exchange = await testDb()
    await exchange.query({
      text: `create table cdr (calldate timestamp not null, src text, dst text, channel text, dstchannel text,
        disposition text, duration int, billsec int, uniqueid text, linkedid text)`,
    })
    ami = await startAmiSimulator()
    pbx = new URL(ami.url).hostname
    clinic = await testApp({
      env: { AMI_URL: ami.url, CDR_URL: exchange.url },
      prepare: async (app) => {
        await addPerson(app, 'operator', ['viewCallJournal'], { sipPhone: '201' })
        await addPerson(app, 'colleague', ['viewCallJournal'], { sipPhone: '202' })
      },
    })
    operator = clinic.as('operator')
    await vi.waitFor(() => expect(ami.logins).toBeGreaterThan(0), 60_000)
  })
  afterAll(async () => {
    await clinic.close()
    await ami.close()
    await exchange.end()
  })

  /** @param clockH offset of the exchange's clock from ours in hours: the moment comes from the session */
  const write = (one: CdrRow, clockH = 10) => {
    const at = Number(/(\d+)\.\d+$/.exec(one.linkedid)?.[1]) + clockH * 3_600 + one.after
    return exchange.query({
      text: `insert into cdr values (to_timestamp($1) at time zone current_setting('TimeZone'), $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      values: [
        at,
        one.src,
        one.dst,
        one.channel,
        one.dstchannel,
        one.disposition,
        one.duration,
        one.billsec,
        one.uniqueid,
        one.linkedid,
      ],
    })
  }
  const catchUp = () => clinic.context.jobs.run('calls.catchUp')
  const ours = async (session: string) =>
    good(await operator.get(`/calls?filter[idCallSession]=${session}&expand=user,legs`)).items

  it('provides the calls made without a connection: each once, a missed one waits', async () => {
    const [a, b] = [sessionAt(), sessionAt()]
    await write(row(a, { src: '+79050000001' }))
    for (const dstchannel of [PHONE_201, PHONE_202])
      await write(row(b, { src: '89050000002', dstchannel, disposition: 'NO ANSWER', billsec: 0 }))
    await catchUp()
    await catchUp()
    expect(await ours(a)).toMatchObject([
      { source: 'cdr', callType: INCOMING, state: 'ended', contactPhone: '+79050000001', localPhone: '201' },
    ])
    const [missed, ...more] = await ours(b)
    expect(more).toEqual([])
    expect(missed).toMatchObject({ source: 'cdr', callType: MISSED, recall: true, contactPhone: '+79050000002' })
    expect(missed.legs).toHaveLength(3)
    expect(Date.parse(missed.dateCreate)).toBe(Number(b.split('.')[0]) * 1000)
    // A call back was made in that time too: no waiting.
    const back = { channel: PHONE_201, dst: '89050000002', dstchannel: TRUNK }
    await write(row(sessionAt(Number(b.split('.')[0]) + 600), back))
    await catchUp()
    expect(await ours(b)).toMatchObject([{ recall: false, recallS: 600 }])
  })

  const followed = (session: string, more: Partial<TrackedCall> = {}): TrackedCall => {
    const begin = Number(session.split('.')[0]) * 1000
    const leg = {
      party: 'external',
      sipPhone: null,
      ringAt: begin,
      answerAt: null,
      endAt: null,
      dialStatus: null,
    } as const
    return {
      session,
      type: INCOMING,
      contactPhone: '+79050000003',
      localPhone: null,
      destPhone: null,
      begin,
      answer: null,
      end: begin + 9_000,
      waitS: 9,
      queue: 'Регистратура',
      legs: [{ ...leg, uniqueid: session }],
      ...more,
    }
  }
  const keep = (call: TrackedCall) => keepCall(clinic.context.engine.for(systemActor), pbx, call)

  it('changes no finished call in our journal, and creates no call from its part', async () => {
    const [known, consult] = [sessionAt(), sessionAt()]
    const call = followed(known)
    await keep({ ...call, legs: [...call.legs, { ...(call.legs[0] as never as object), uniqueid: consult } as never] })
    for (const session of [known, consult]) await write(row(session, { channel: PHONE_201, dstchannel: PHONE_202 }))
    await catchUp()
    expect(await ours(known)).toMatchObject([{ source: 'ami', callType: INCOMING, queue: 'Регистратура' }])
    expect(await ours(consult)).toEqual([])
  })

  it('finishes calls that our journal saw begin, and skips those in progress', async () => {
    const [broken, living] = [sessionAt(), sessionAt()]
    await keep(followed(broken, { end: null, waitS: null }))
    ami.emit('Newchannel', { Uniqueid: living, Linkedid: living, Channel: TRUNK, CallerIDNum: '+79050000004' })
    await vi.waitFor(async () => expect(await ours(living)).toMatchObject([{ state: 'ringing' }]), 60_000)
    for (const session of [broken, living]) await write(row(session))
    await catchUp()
    expect(await ours(broken)).toMatchObject([{ state: 'ended', callType: INCOMING, localPhone: '201' }])
    expect(await ours(living)).toMatchObject([{ state: 'ringing', dateEnd: null }])
  })

  it('is read two days back, with any clock of the exchange', async () => {
    const [old, older] = [47, 49].map((hours) => sessionAt(Math.floor(Date.now() / 1000) - hours * 3_600)) as [
      string,
      string,
    ]
    for (const session of [old, older]) await write(row(session), -20)
    await catchUp()
    expect([(await ours(old)).length, (await ours(older)).length]).toEqual([1, 0])
  })

  it('is read once the connection is back', async () => {
    const waits = await clinic.db.query({
      text: `select 1 from jobs.job where name = 'calls.catchUp' and state = 'created'`,
    })
    expect(waits.length).toBeGreaterThan(0)
  })

  it('that is unreadable is reported in the journal of exchange, and stops nothing', async () => {
    await exchange.query({ text: 'alter table cdr rename to gone' })
    await catchUp()
    await exchange.query({ text: 'alter table gone rename to cdr' })
    const entries = await clinic.db.query<{ error: string }>({
      text: `select "errorText" as error from exchange_messages where "adapter" = 'ami' and "operation" = 'Чтение журнала АТС'
        order by "id" desc limit 1`,
    })
    expect(entries).toMatchObject([{ error: 'Журнал АТС не читается' }])
    const later = sessionAt()
    await write(row(later))
    await catchUp()
    expect(await ours(later)).toHaveLength(1)
  })
})
