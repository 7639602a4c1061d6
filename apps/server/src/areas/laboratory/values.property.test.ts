/**
 * Random histories of an order beside an independent reference: after each step every value of every message is in
 * one place, flags are of the patient's current card, derived values of their sources, critical ones have a call.
 */
import { LabDevice } from '@ordinator/model/areas/laboratory/device'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import type { Clinic } from '#testing/harness.ts'
import { type Device, takeMessage } from './intake.ts'
import { type Laboratory, makeLaboratory } from './testing/laboratory.ts'
import { type Code, codes, type Measured, Reference, type Value } from './testing/reference.ts'

const STEPS = 40
let made: Laboratory
let second: Clinic
let device: Device
let idControl: number
/** The code of HDL, whose expected unit changes. */
let idCode: number
const units: Record<Code, string> = { CHOL: 'mmol/l', HDL: 'mmol/l' }
let number = 0
const norms = { femaleHigh: 60 }
const femaleNorms: number[] = []

beforeAll(async () => {
  made = await makeLaboratory()
  const { post, ids, clinic } = made
  const mapped = { idDevice: ids.device, code: '454/', idAnalyte: ids.HDL, unit: 'mmol/l' }
  idCode = (await post('laboratory/device-codes', mapped)).id
  for (const code of ['CHOL', 'HDL', 'LDL']) {
    femaleNorms.push(
      (await post('laboratory/norms', { idAnalyte: ids[code], sex: 'female', low: 2, high: 6, criticalHigh: 8 })).id,
    )
    const ofBoys = { sex: 'male', ageTo: 18 * 365, low: 1.5, high: 7, criticalHigh: 9.5 }
    await post('laboratory/norms', { idAnalyte: ids[code], ...ofBoys })
  }
  idControl = (
    await post('laboratory/controls', {
      ...{ name: 'QC', lot: '1', idDevice: ids.device, idAnalyte: ids.CHOL, mean: 5, sd: 1 },
    })
  ).id
  device = await clinic.context.engine.for(systemActor).asSystem.row(LabDevice, ids.device as number)
  second = await clinic.secondProcess()
  // A server that is killed before its commit: the transaction of a message fails at its end.
  await clinic.db.query({
    text: `create table lab_dying ("on" boolean not null); insert into lab_dying values (false);
      create function lab_die() returns trigger language plpgsql as $$ begin
        if (select "on" from lab_dying) then raise exception 'dead'; end if; return null; end $$;
      create constraint trigger lab_die after insert on laboratory_raw deferrable initially deferred
        for each row execute function lab_die()`,
  })
}, 120_000)
afterAll(async () => {
  await second?.close()
  await made?.clinic.close()
})

interface Found {
  id: number
  code: Code | 'LDL'
  value: string
  kind: string
  status: string
  isMain: boolean
  flag: string | null
  preliminary: boolean
  callDue: boolean
  calledAt: string | null
  review: string | null
  tube: string | null
}

class History {
  id = 0
  idCustomer = 0
  items: { id: number; name: string }[] = []
  tubes: string[] = []
  readonly reference = new Reference(norms, units)
  /** What was put aside: its id and the message. */
  readonly #strays: { id: number; message: number; preliminary: boolean }[] = []
  readonly #lab = made.lab
  #held = false
  #last: (() => Promise<void>) | undefined

  async begin(): Promise<void> {
    await this.mapping('mmol/l')
    await this.control('5')
    this.idCustomer = await this.#card('male')
    this.id = (await made.order({ idCustomer: this.idCustomer })).id
    await this.#lines()
  }

  #card = async (gender: string): Promise<number> =>
    (await made.post('customers', { surname: 'Случайный', gender, birthday: '01.02.1980' })).id

  async #lines(): Promise<void> {
    const { items, samples } = await made.linesOf(this.id)
    this.items = items
    this.tubes = samples.map(({ barcode }: { barcode: string }) => barcode)
  }

  rows = (): Promise<Found[]> =>
    made.clinic.db.query<Found>(sql`select r."id", a."code", r."value", r."kind", r."status", r."isMain", r."flag", r."preliminary",
        r."callDue", r."calledAt", r."review"->>'why' as review, s."status" as tube
      from laboratory_results r join laboratory_order_items i on i."id" = r."idItem" join laboratory_analytes a on a."id" = r."idAnalyte"
        left join laboratory_samples s on s."id" = r."idSample" where i."idOrder" = ${this.id} order by r."id"`)

  async mains(...statuses: string[]): Promise<Found[]> {
    return (await this.rows()).filter(({ isMain, status }) => isMain && statuses.includes(status))
  }

  /** A message with one value, perhaps after a control; sent again by `again`. */
  async say(measured: Measured, how: 'once' | 'twice' | 'dying', withControl: boolean, other: boolean): Promise<void> {
    const message = ++number
    const tubes = this.tubes.length
    const text = this.#text(measured, message, withControl)
    const take = (one: Clinic) => takeMessage(one.context, device, Buffer.from(text))
    const send = async (isRepeat: boolean) => {
      if (how === 'dying' && !isRepeat) {
        await made.clinic.db.query(sql`update lab_dying set "on" = true`)
        await expect(take(made.clinic)).rejects.toThrow('dead')
        await made.clinic.db.query(sql`update lab_dying set "on" = false`)
      }
      const before = await this.#places()
      const taken =
        how === 'twice' && !isRepeat
          ? await Promise.all([take(made.clinic), take(second)])
          : [await take(other ? second : made.clinic)]
      // The bytes name the tube of their time.
      const isFormer = measured.tube === 'former' || this.tubes.length > tubes
      const fate = this.reference.device({ ...measured, tube: isFormer ? 'former' : 'now' }, message)
      if (withControl && !isRepeat) this.#held = false
      const after = await this.#places()
      const wanted = { results: 0, strays: 0, controls: withControl && !isRepeat ? 1 : 0 }
      if (fate.startsWith('stray')) wanted.strays = 1
      else if (fate !== 'same') wanted.results = 1
      const grown = (key: keyof typeof wanted) => after[key] - before[key]
      expect([fate, grown('results'), grown('strays'), grown('controls')]).toEqual([
        ...[fate, wanted.results, wanted.strays, wanted.controls],
      ])
      if (fate.startsWith('stray')) {
        expect(`stray:${after.reason}`).toBe(fate)
        if (measured.text !== '') this.#strays.push({ id: after.latest, message, preliminary: measured.status === 'P' })
      }
      if (fate === 'same' && (isRepeat || !withControl)) expect(taken.at(-1)?.state).toBe('repeat')
    }
    await send(false)
    this.#last = () => send(true)
  }

  again = async (): Promise<void> => this.#last?.()

  #text({ code, text, status, unit, tube }: Measured, message: number, withControl: boolean): string {
    const barcode = tube === 'former' ? this.tubes.at(-2) : this.tubes.at(-1)
    const name = code === 'CHOL' ? '798/' : '454/'
    const control = withControl ? 'O|1|QC||^^^798/|||||||Q\rR|1|^^^798/|5.0|mmol/l||N||F\r' : ''
    return `H|\\^&|||c311|||||||P|1|${message}\rP|1\r${control}O|1|${barcode}||^^^${name}\rR|1|^^^${name}|${text}|${unit ? 'mmol/l' : 'mg/dl'}||N||${status}\rL|1|N\r`
  }

  async #places() {
    const [found] = await made.clinic.db.query<{
      results: number
      strays: number
      controls: number
      reason: string
      latest: number
    }>(sql`
      select (select count(*)::int from laboratory_results where "idMessage" is not null) as results,
        (select count(*)::int from laboratory_strays) as strays, (select count(*)::int from laboratory_control_runs) as controls,
        (select "reason" from laboratory_strays order by "id" desc limit 1) as reason,
        (select max("id")::int from laboratory_strays) as latest`)
    return found as { results: number; strays: number; controls: number; reason: string; latest: number }
  }

  /** A person attaches what was put aside last to the tube of now. */
  async attach(code: Code, tenths: number): Promise<void> {
    const last = this.#strays.findLast(({ message }) => this.reference.aside.get(message) === 'open')
    if (!last) return
    const answer = await this.#lab.post(`/laboratory/strays/${last.id}/settle`, {
      ...{ barcode: this.tubes.at(-1), idAnalyte: made.ids[code], value: text(tenths), reason: 'Пробирка та же' },
    })
    const expected = this.reference.attach({ code, tenths }, last.message, last.preliminary)
    expect([answer.status === 200, answer.text]).toEqual([expected, answer.text])
  }

  /** The mapping of the code of HDL expects another unit. */
  async mapping(unit: string): Promise<void> {
    good(await this.#lab.put(`/laboratory/device-codes/${idCode}`, { unit }))
    units.HDL = unit
  }

  async control(value: string): Promise<void> {
    good(await this.#lab.post('/laboratory/control-runs', { idControl, value }), 201)
    this.#held = Number(value) > 8
  }

  async take(): Promise<void> {
    const wanted = this.reference.tube === 'planned' && !this.reference.cancelled
    const answer = await made.scan(this.tubes.at(-1) as string, 'take')
    expect(answer.status === 200).toBe(wanted)
    if (wanted) this.reference.tube = 'taken'
  }

  async reject(): Promise<void> {
    if (this.reference.tube !== 'taken') return
    const answer = await made.scan(this.tubes.at(-1) as string, 'reject', { reason: 'hemolysis' })
    if (answer.status !== 200) return
    const before = this.tubes.length
    await this.#lines()
    this.reference.reject(this.tubes.length > before)
  }

  async hand(code: Code, tenths: number | null): Promise<void> {
    const value = tenths === null ? { value: 'не получилось', noResult: true } : { value: text(tenths) }
    const idItem = this.items.find(({ name }) => name === code)?.id
    const answer = await this.#lab.post('/laboratory/results/enter', {
      values: [{ idItem, idAnalyte: made.ids[code], ...value }],
    })
    const { main, beside } = this.reference.cells[code]
    const isSame = main && main.tenths === tenths && !main.preliminary && beside.length === 0
    if (isSame && this.reference.tube === 'taken') return
    expect([answer.status === 200, answer.text]).toEqual([this.reference.hand(code, tenths), answer.text])
  }

  async choose(code: Code): Promise<void> {
    const [row] = (await this.rows()).filter((one) => one.code === code && !one.isMain && one.status === 'raw')
    if (!row) return
    const answer = await this.#lab.post(`/laboratory/results/${row.id}/choose`)
    expect(answer.status === 200).toBe(this.reference.choose(code, 0))
  }

  async anew(code: Code): Promise<void> {
    const row = (await this.mains('raw', 'technical')).find((one) => one.code === code)
    if (!row) return
    good(await this.#lab.post('/laboratory/results/repeat', { ids: [row.id] }))
    expect(this.reference.anew(code)).toBe(true)
  }

  async correct(code: Code, tenths: number): Promise<void> {
    const row = (await this.mains('medical', 'corrected')).find((one) => one.code === code)
    if (!row) return
    const answer = await this.#lab.post(`/laboratory/results/${row.id}/correct`, {
      value: text(tenths),
      reason: 'Проверка',
    })
    const mayBe = row.review !== 'tube' && this.reference.correct(code, tenths)
    expect([answer.status === 200, answer.text]).toEqual([mayBe, answer.text])
  }

  async review(accept: boolean): Promise<void> {
    const row = (await this.rows()).find((one) => one.isMain && one.review !== null)
    if (!row) return
    good(await this.#lab.post(`/laboratory/results/${row.id}/review`, { accept, reason: 'Проверка' }))
    if (row.code === 'LDL') return
    const { main, asked } = this.reference.cells[row.code]
    if (!accept) return this.reference.leave(row.code)
    const tenths = row.review === 'device' ? asked?.tenths : row.review === 'tube' ? null : main?.tenths
    this.reference.publish(row.code, tenths ?? null)
  }

  async call(): Promise<void> {
    const row = (await this.rows()).find(({ callDue }) => callDue)
    if (!row) return
    const body = { to: 'Врач', at: new Date().toISOString(), readBack: true }
    good(await this.#lab.post(`/laboratory/results/${row.id}/critical`, body))
  }

  async technical(): Promise<void> {
    const rows = await this.mains('raw')
    if (rows.length === 0) return
    const answer = await this.#lab.post('/laboratory/results/technical', { ids: rows.map(({ id }) => id) })
    const stopped = codes.some((code) => this.#stops(code, 'raw')) || rows.some(({ preliminary }) => preliminary)
    expect([answer.status === 200, answer.text]).toEqual([!stopped, answer.text])
    if (stopped) return
    for (const cell of Object.values(this.reference.cells))
      if (cell.main?.state === 'raw') cell.main.state = 'technical'
  }

  #stops(code: Code, state: Value['state']): boolean {
    const { main, beside } = this.reference.cells[code]
    return main?.state === state && (beside.length > 0 || main.preliminary)
  }

  async medical(): Promise<void> {
    const rows = await this.mains('technical')
    if (rows.length === 0) return
    const answer = await this.#lab.post('/laboratory/results/medical', { ids: rows.map(({ id }) => id) })
    const now = (await this.rows()).filter(({ id }) => rows.some((one) => one.id === id))
    const held =
      this.#held && rows.some(({ code }) => code === 'CHOL') && this.reference.cells.CHOL.main?.message !== undefined
    const uncalled = now.some(({ callDue }) => callDue)
    const waits =
      rows.every(({ code }) => code === 'LDL') &&
      codes.some((code) => this.reference.cells[code].main?.state !== 'published')
    const stopped = held || uncalled || waits || codes.some((code) => this.#stops(code, 'technical'))
    expect([answer.status === 200, answer.text]).toEqual([!stopped, answer.text])
    if (stopped) return
    for (const cell of Object.values(this.reference.cells))
      if (cell.main?.state === 'technical') cell.main.state = 'published'
  }

  async sex(gender: 'male' | 'female', byMerge: boolean): Promise<void> {
    if (byMerge) {
      const kept = await this.#card(gender)
      const answer = await this.#lab.post(`/customers/${kept}/merge`, { idMerged: this.idCustomer, take: [] })
      // A long run outlives the password.
      if (answer.status === 403) return
      good(answer)
      this.idCustomer = kept
    } else good(await this.#lab.put(`/customers/${this.idCustomer}`, { gender }))
    if (byMerge) this.reference.isChild = false
    this.reference.sex = gender
    await made.clinic.context.jobs.run('laboratory.rejudge')
  }

  async birthday(isChild: boolean): Promise<void> {
    const birthday = isChild ? '01.02.2015' : '01.02.1980'
    good(await this.#lab.put(`/customers/${this.idCustomer}`, { birthday }))
    this.reference.isChild = isChild
    await made.clinic.context.jobs.run('laboratory.rejudge')
  }

  async norm(high: number): Promise<void> {
    for (const id of femaleNorms) good(await this.#lab.put(`/laboratory/norms/${id}`, { high: high / 10 }))
    if (norms.femaleHigh !== high) this.#isNormNew = true
    norms.femaleHigh = high
    await made.clinic.context.jobs.run('laboratory.rejudge')
  }

  async cancel(): Promise<void> {
    const answer = await this.#lab.post(`/laboratory/orders/${this.id}/cancel`, { reason: 'patient' })
    if (answer.status === 200) this.reference.cancelled = true
  }

  async check(): Promise<void> {
    const rows = await this.rows()
    const standing = (one: Found) => (one.isMain ? one.status !== 'dropped' : one.status === 'raw')
    for (const code of codes) {
      const { main, beside, asked } = this.reference.cells[code]
      const row = rows.find((one) => one.code === code && one.isMain && one.status !== 'dropped')
      expect(row && shape(row), `${code} of ${this.id}`).toEqual(main && wanted(main))
      const others = rows
        .filter((one) => one.code === code && !one.isMain && one.status === 'raw')
        .map(({ value }) => value)
      expect(others, `beside ${code}`).toEqual([...beside, ...(asked ? [asked] : [])].map(({ tenths }) => text(tenths)))
      if (row && row.kind === 'number') this.#checkFlag(row, main?.tenths ?? null)
    }
    const ldl = rows.find((one) => one.code === 'LDL' && one.isMain && one.status !== 'dropped')
    const derived = this.reference.derived()
    const isPublished = ldl && ['medical', 'corrected'].includes(ldl.status)
    if (isPublished && ldl.review === null && ldl.kind === 'number')
      expect(ldl.value).toBe(derived === undefined ? undefined : (derived / 10).toFixed(2))
    if (!isPublished && this.reference.tube === 'taken' && !this.reference.cancelled && this.#isLineOpen(rows))
      expect(ldl?.value).toBe(derived === undefined ? undefined : (derived / 10).toFixed(2))
    const [aside] = await made.clinic.db.query<{ open: number }>(sql`select count(*)::int as open from laboratory_strays
      where "status" = 'open' and "barcode" = any (${this.tubes}::text[])`)
    expect(aside?.open, 'put aside').toBe(this.reference.open)
    for (const one of rows) {
      const isCritical = standing(one) && (one.flag === 'HH' || one.flag === 'LL')
      expect(one.callDue, `call of ${one.value}`).toBe(isCritical && one.calledAt === null)
      if (one.isMain && (one.status === 'medical' || one.status === 'corrected') && one.kind === 'number')
        expect(this.#left || one.review !== null || (one.tube !== 'planned' && one.tube !== 'rejected'), 'tube').toBe(
          true,
        )
    }
    const [charged] = await made.clinic.db.query<{
      n: number
      most: number
    }>(sql`select count(*)::int as n, max(c)::int as most from (
      select count(*) as c from laboratory_order_items i join coupon_services l on l."id" = i."idCouponService"
      where i."idOrder" = ${this.id} group by i."idTest") x`)
    expect(charged).toEqual({ n: 3, most: 1 })
  }

  #isLineOpen = (rows: readonly Found[]): boolean =>
    rows.some(({ code, status }) => code === 'LDL' && status !== 'dropped')

  #checkFlag({ flag, status, review }: Found, tenths: number | null): void {
    const isPublished = status === 'medical' || status === 'corrected'
    if (isPublished && (review !== null || this.#left)) return
    // A published value keeps the norm of its day.
    if (isPublished && this.#isNormNew) return
    expect(flag).toBe(this.reference.flag(tenths))
  }

  /** A review was left as it is: the published flag is the approver's decision. */
  #left = false
  #isNormNew = false
  leave(): void {
    this.#left = true
  }
}

const text = (tenths: number | null): string => (tenths === null ? 'не получилось' : (tenths / 10).toFixed(1))
const shape = ({ value, kind, status, preliminary }: Found) => ({
  value: kind === 'none' ? null : value,
  state: status === 'medical' || status === 'corrected' ? 'published' : status,
  preliminary,
})
const wanted = ({ tenths, state, preliminary }: Value) => ({
  value: tenths === null ? null : text(tenths),
  state,
  preliminary,
})

const step = fc.record({
  kind: fc.nat({ max: 107 }),
  code: fc.constantFrom<Code>(...codes),
  tenths: fc.constantFrom(12, 15, 30, 45, 48, 55, 65, 85, 95),
  status: fc.constantFrom<Measured['status']>('F', 'F', 'F', 'P', 'P', 'C', 'X'),
  form: fc.nat({ max: 19 }),
  how: fc.constantFrom<'once' | 'twice' | 'dying'>('once', 'once', 'once', 'once', 'twice', 'dying'),
  yes: fc.boolean(),
  other: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function play(history: History, { kind, code, tenths, status, form, how, yes, other }: Step): Promise<void> {
  const measured: Measured = {
    ...{ code, status, unit: form !== 0, tube: form === 1 && history.reference.hadFormer ? 'former' : 'now' },
    text: form === 2 ? '' : form === 3 ? '-----' : text(tenths),
    tenths: form === 2 || form === 3 ? null : tenths,
  }
  if (kind < 30) return history.say(measured, how, form > 16, other)
  if (kind < 36) return history.again()
  if (kind < 46) return history.take()
  if (kind < 54) return history.hand(code, form === 4 ? null : tenths)
  if (kind < 60) return history.choose(code)
  if (kind < 64) return history.anew(code)
  if (kind < 73) return history.technical()
  if (kind < 80) return history.call()
  if (kind < 88) return history.medical()
  if (kind < 91) return history.correct(code, tenths)
  if (kind < 93) {
    if (!yes) history.leave()
    return history.review(yes)
  }
  if (kind < 96) return form > 11 ? history.birthday(yes) : history.sex(yes ? 'male' : 'female', other && form < 6)
  if (kind < 97) return history.norm(yes ? 60 : 70)
  if (kind < 98) return history.control(yes ? '9' : '5')
  if (kind < 99) return history.reject()
  if (kind < 100) return yes && other ? history.cancel() : undefined
  if (kind < 105) return history.attach(code, tenths)
  return history.mapping(yes ? 'mmol/l' : 'mg/dl')
}

it(
  'equals the reference after each step of a random history',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
        const history = new History()
        await history.begin()
        await history.take()
        for (const [at, one] of steps.entries()) {
          await play(history, one)
          await history.check().catch((error: unknown) => {
            throw new Error(`after step ${at}: ${JSON.stringify(one)}`, { cause: error })
          })
        }
      }),
      { numRuns: runs(2, 250), endOnFailure: true },
    )
  },
  runs(60_000, 7_200_000),
)
