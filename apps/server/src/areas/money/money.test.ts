/** Money over HTTP: payments, refunds and debts; nothing is taken or printed twice after any failure. */
import { Organization } from '@ordinator/model/areas/filials/organization'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import type { Answer, Caller, Clinic } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type CashWorld, cashWorld } from './testing/cashWorld.ts'

let world: CashWorld
let clinic: Clinic
let keeper: Caller
let cashier: Caller
let chief: Caller

beforeAll(async () => {
  world = await cashWorld('Владивосток', 'Asia/Vladivostok')
  ;({ clinic, keeper, cashier, chief } = world)
})
afterAll(() => clinic.close())

const key = () => world.key()
const patient = () => world.patient()
const charge = (idCustomer: number, sum: number) => world.charge(idCustomer, sum)
const deskOf = async (more: object = {}): Promise<{ id: number; shift: number }> => {
  const { idDesk, idShift } = await world.openDesk(more)
  return { id: idDesk, shift: idShift }
}
const take = (idDesk: number, idCustomer: number, parts: object[], more: object = {}) =>
  cashier.post('/payments/take', { key: key(), idDesk, idCustomer, parts, ...more })
const cash = (sum: number) => ({ method: 'cash', sum })
const card = (sum: number) => ({ method: 'card', sum })
const sbp = (sum: number) => ({ method: 'sbp', sum })
const refund = (id: number, parts: object[], who = cashier) =>
  who.post(`/payments/${id}/refund`, { key: key(), parts, reason: 'Ошибка кассира' })
const account = async (id: number) => good(await cashier.get(`/customers/${id}/account`))
const owes = async (id: number) => {
  const { debt, advance } = await account(id)
  return [debt, advance]
}
const faults = ({ status, body }: Answer): string[] =>
  status === 422
    ? body.map(({ field, message }: { field: string; message: string }) => `${field}: ${message}`)
    : [String(status)]
const fault = (id: number, device: 'kkt' | 'terminal', name: string | null) =>
  keeper.post(`/cash-desks/${id}/simulate`, { device, fault: name }).then((answer) => good(answer, 204))
const receipts = async (idPayment: number) =>
  good(await keeper.get(`/fiscal-tasks?filter[idPayment]=${idPayment}&sort=id`)).items
/** Prints the waiting documents as the job does, until the queue has the given status. */
const printed = (idPayment: number, status = 'done') =>
  seen(async () => {
    await clinic.context.jobs.run('money.receipts')
    const [task] = await receipts(idPayment)
    expect(task.status).toBe(status)
    return task
  })
/** Waits until the check passes; the timeout allows for a slow machine. */
const seen = <T>(holds: () => T | Promise<T>) => vi.waitFor(holds, { timeout: 60_000, interval: 50 })
const rows = <R>(text: string, ...values: unknown[]) => clinic.db.query<R>({ text, values })
/** Expires all claims, so that other processes may take over. */
const muchLater = () =>
  Promise.all([
    rows(`update terminal_operations set "claimedUntil" = now() - interval '1 hour'`),
    rows(`update fiscal_printers set "claimedUntil" = now() - interval '1 hour'`),
  ])

describe('the ledger', () => {
  it('rejects changes of entries and unbalanced transactions', async () => {
    const { id } = await deskOf()
    await take(id, await patient(), [cash(100)])
    for (const text of [
      'update ledger_entries set "amount" = 1',
      'delete from ledger_entries',
      'delete from ledger_txs',
    ])
      await expect(rows(text)).rejects.toThrow('append-only')
    const account = `(select min("id") from ledger_accounts)`
    await expect(
      rows(`with t as (insert into ledger_txs ("key", "kind", "localDate") values ('odd', 'charge', now()) returning "id")
        insert into ledger_entries ("idTx", "idAccount", "amount") select "id", ${account}, 5 from t`),
    ).rejects.toThrow('not balanced')
  })

  it('turns charges and payments into a debt and an advance', async () => {
    const { id } = await deskOf()
    const who = await patient()
    expect(await owes(who)).toEqual([0, 0])
    await charge(who, 3000)
    good(await take(id, who, [cash(1000)]))
    expect(await owes(who)).toEqual([2000, 0])
    good(await take(id, who, [cash(500), card(2500.5)]))
    expect(await owes(who)).toEqual([0, 1000.5])
    const { lines } = await account(who)
    expect(
      lines.map(({ kind, sum, balance }: { kind: string; sum: number; balance: number }) => [kind, sum, balance]),
    ).toEqual([
      ['payment', -3000.5, -1000.5],
      ['payment', -1000, 2000],
      ['correction', 3000, 3000],
    ])
  })

  it('shows an account only to users with the right to money', async () => {
    expect((await clinic.as('nurse').get(`/customers/${await patient()}/account`)).status).toBe(403)
    expect((await clinic.as('nurse').get('/payments')).status).toBe(403)
    expect((await chief.post('/payments/1/refund', {})).status).toBe(403)
    expect((await cashier.post('/payments/1/decide', { approve: true })).status).toBe(403)
    expect((await cashier.post('/ledger/correct', {})).status).toBe(403)
  })
})

describe('a payment', () => {
  it('is made once by a key, in sequence and concurrently', async () => {
    const { id } = await deskOf()
    const who = await patient()
    const body = { key: key(), idDesk: id, idCustomer: who, parts: [cash(700)], received: 1000 }
    const answers = await Promise.all(Array.from({ length: 6 }, () => cashier.post('/payments/take', body)))
    expect(new Set(answers.map((answer) => good(answer).id)).size).toBe(1)
    expect(good(answers[0] as Answer)).toMatchObject({
      sum: 700,
      change: 300,
      idStatus: 2,
      methods: ['cash'],
      receipt: expect.any(String),
    })
    expect(await owes(who)).toEqual([0, 700])
    expect((await cashier.post('/payments/take', { ...body, parts: [cash(701)] })).status).toBe(409)
  })

  it.each([
    [[{ method: 'cash', sum: 10.005 }], {}, 'parts.0.sum: Не больше 2 знаков после запятой: копейки целые'],
    [[cash(-5)], {}, 'parts.0.sum: Сумма должна быть больше нуля'],
    [[cash(0)], {}, 'parts.0.sum: Сумма должна быть больше нуля'],
    [[cash(1e15)], {}, 'parts.0.sum: Не больше 10 000 000 ₽ за одну операцию'],
    [[{ method: 'cash', sum: 'сто' }], {}, 'parts.0.sum: Нужна сумма в рублях'],
    [[], {}, 'parts: Укажите, чем платят'],
    [[cash(1), cash(2)], {}, 'parts.1.method: «Наличные» уже есть: сложите суммы'],
    [
      [1, 2].map((sum) => ({ method: 'certificate', sum, certificate: `ДАР-${sum}` })),
      {},
      'parts.1.certificate: За раз платят одним сертификатом: другой проведите отдельной оплатой',
    ],
    [[cash(500)], { received: 400 }, 'received: Получено меньше, чем платят наличными: не хватает 100,00 ₽'],
    [[card(500)], { received: 500 }, 'received: Наличными не платят: сдачи не будет'],
    [[{ method: 'insurer', sum: 5 }], {}, 'parts.0.sum: Так можно закрыть только долг: сейчас он 0,00 ₽'],
    [[cash(5)], { idCustomer: 999_999 }, 'idCustomer: Запись не найдена'],
  ])('is refused at its field: %j %j', async (parts, more, message) => {
    const { id } = await deskOf()
    const told = faults(await take(id, await patient(), parts, more)).map((text) => String(text).replaceAll(/\s/g, ' '))
    expect(told).toContain(message)
    expect(await rows('select 1 from payments where "idDesk" = $1', id)).toEqual([])
  })

  it('requires a shift of today', async () => {
    const { id, shift } = await deskOf()
    await rows(`update cash_shifts set "dateOpened" = now() - interval '25 hours' where "id" = $1`, shift)
    const { status, body } = await take(id, await patient(), [cash(5)])
    expect([status, body.message]).toEqual([409, 'Смена открыта больше 24 часов: закройте её и откройте новую'])
  })

  it('gives a receipt of its settlement: a debt first, the rest ahead', async () => {
    const { id } = await deskOf()
    const who = await patient()
    await charge(who, 300)
    const paid = good(await take(id, who, [cash(200), card(300)], { contact: '+79991234567' }))
    const { task, fd, fpd } = await printed(paid.id)
    expect([fd, fpd]).toEqual([2, expect.any(String)])
    expect(task).toMatchObject({
      total: 500_00,
      items: [
        { settlement: 'creditPayment', amount: 300_00 },
        { settlement: 'advance', amount: 200_00 },
      ],
      payments: [
        { type: 'cash', sum: 200_00 },
        { type: 'electronically', sum: 300_00 },
      ],
    })
  })

  it("sends its receipt to the patient's address, and passes the address only to the register", async () => {
    const { id } = await deskOf()
    const paid = good(await take(id, await patient(), [cash(200)], { contact: '+79991234567' }))
    const task = await printed(paid.id)
    expect(
      await rows('select "receipt"->>\'contact\' as to from simulated_documents where "key" = $1', task.key),
    ).toEqual([{ to: '+79991234567' }])
    const told = await cashier.get(`/payments?filter[id]=${paid.id}&expand=parts`)
    expect(JSON.stringify([paid, task, told.body])).not.toContain('79991234567')
    expect((await cashier.get('/payments?filter[contact]=%2B79991234567')).status).toBe(400)
  })

  it('may use the advance of a family member', async () => {
    const { id } = await deskOf()
    const [head, child] = [await patient(), await patient()]
    good(await take(id, head, [cash(1000)]))
    await charge(child, 600)
    const advance = (sum: number) => take(id, child, [{ method: 'advance', sum }], { idPayer: head })
    expect(String(faults(await advance(700)))).toContain('parts.0.sum: Так можно закрыть только долг')
    good(await advance(600))
    // No more than the head's advance, whatever the debt.
    const other = await patient()
    await charge(other, 2000)
    const more = await take(id, other, [{ method: 'advance', sum: 400.01 }], { idPayer: head })
    expect(faults(more).map((text) => text.replaceAll(/\s/g, ' '))).toEqual([
      'parts.0.sum: Аванс плательщика — 400,00 ₽',
    ])
    expect([await owes(head), await owes(child)]).toEqual([
      [0, 400],
      [0, 0],
    ])
  })
})

describe('a letter of an insurer', () => {
  it('pays up to its limit; a refused sum goes back to the patient or is written off (example 16)', async () => {
    const { id } = await deskOf()
    const who = await patient()
    const insurer = await clinic.context.engine
      .for(systemActor)
      .create(Organization, { shortName: 'Страховая', kind: 'insurer' })
    const letter = good(
      await cashier.post('/guarantee-letters', {
        idCustomer: who,
        idInsurer: insurer.id,
        number: '77',
        dateFrom: '2020-01-01',
        dateTo: '2099-12-31',
        limit: 5000,
      }),
      201,
    )
    const pay = (sum: number) => take(id, who, [{ method: 'insurer', sum, idGuarantee: letter.id }])
    await charge(who, 3500)
    good(await pay(3500))
    // A line of 2000: 1500 by the letter, 500 by the patient.
    await charge(who, 2000)
    expect(String(faults(await pay(2000))).replaceAll(/\s/g, ' ')).toBe('parts.0.sum: По письму осталось 1 500,00 ₽')
    good(await pay(1500))
    expect(await owes(who)).toEqual([500, 0])
    const settle = (as: string, sum: number) =>
      keeper.post(`/guarantee-letters/${letter.id}/settle`, { key: key(), as, sum })
    expect(good(await settle('patient', 400))).toMatchObject({ used: 4600 })
    expect(await owes(who)).toEqual([900, 0])
    expect(String(faults(await settle('paid', 4601)))).toContain('sum: По письму страховая должна')
    good(await settle('writeOff', 100))
    good(await settle('paid', 4500))
    expect(String(faults(await settle('paid', 1)))).toContain('sum:')
    const held = await rows<{ sum: string }>(
      `select coalesce(sum(e."amount"), 0)::text as sum from ledger_accounts a join ledger_entries e on e."idAccount" = a."id"
       where a."kind" = 'insurer' and a."idInsurer" = $1`,
      insurer.id,
    )
    expect(held).toEqual([{ sum: '0' }])
  })
})

describe('a refund', () => {
  it('uses the original method and never exceeds the payment', async () => {
    const { id } = await deskOf()
    const who = await patient()
    const paid = good(await take(id, who, [cash(600), card(400)]))
    const told = async (parts: object[]) => String(faults(await refund(paid.id, parts))).replaceAll(/\s/g, ' ')
    expect(await told([cash(600.01)])).toBe('parts.0.sum: Больше, чем было оплачено: можно вернуть 600,00 ₽')
    expect(await told([{ method: 'transfer', sum: 1 }])).toBe(
      'parts.0.method: Деньги возвращают тем же способом, которым платили',
    )
    good(await refund(paid.id, [cash(100), card(400)]))
    expect(await told([card(0.01)])).toBe('parts.0.sum: Больше, чем было оплачено: можно вернуть 0,00 ₽')
    expect(await owes(who)).toEqual([0, 500])
    // Of five concurrent requests for the rest, one succeeds.
    const all = await Promise.all(Array.from({ length: 5 }, () => refund(paid.id, [cash(500)])))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422])
    expect(await owes(who)).toEqual([0, 0])
  })

  it('over the limit of the desk waits for approval by another person', async () => {
    const { id } = await deskOf({ refundLimit: 1000 })
    const who = await patient()
    const paid = good(await take(id, who, [cash(3000)]))
    const asked = good(await refund(paid.id, [cash(1500)]))
    expect(asked.idStatus).toBe(4)
    expect(await owes(who)).toEqual([0, 3000])
    await addPerson(clinic.context, 'both', ['refundPayments', 'refundAbove', 'takePayments', 'viewAllCashDesks'])
    const both = clinic.as('both')
    const own = good(await refund(paid.id, [cash(1001)], both))
    expect((await both.post(`/payments/${own.id}/decide`, { approve: true })).status).toBe(403)
    expect(good(await chief.post(`/payments/${own.id}/decide`, { approve: false })).idStatus).toBe(3)
    expect(good(await chief.post(`/payments/${asked.id}/decide`, { approve: true })).idStatus).toBe(2)
    expect((await chief.post(`/payments/${asked.id}/decide`, { approve: true })).status).toBe(409)
    expect(await owes(who)).toEqual([0, 1500])
  })

  it('takes no more from a drawer than it holds', async () => {
    const { id, shift } = await deskOf()
    const paid = good(await take(id, await patient(), [cash(900)]))
    good(await cashier.post(`/cash-shifts/${shift}/cash`, { key: key(), kind: 'out', sum: 500, reason: 'Инкассация' }))
    expect(String(faults(await refund(paid.id, [cash(900)]))).replaceAll(/\s/g, ' ')).toBe(
      'parts.0.sum: В кассе только 400,00 ₽',
    )
  })
})

describe('a shift', () => {
  it('counts the drawer, and compares the books with the register and the terminal (example 18)', async () => {
    const { id, shift } = await deskOf({ refundLimit: 100_000 })
    const who = await patient()
    const move = (kind: string, sum: number) =>
      cashier.post(`/cash-shifts/${shift}/cash`, { key: key(), kind, sum, reason: 'Размен' })
    good(await move('in', 5000))
    const paid = good(await take(id, who, [cash(12_300)]))
    good(await refund(paid.id, [cash(1300)]))
    expect(String(faults(await move('out', 16_000.01)))).toContain('sum: В кассе только')
    good(await move('out', 10_000))
    good(await take(id, who, [card(40_500)]))
    const x = good(await keeper.get(`/cash-shifts/${shift}/report`))
    expect(x).toMatchObject({ cashIn: 5000, cashOut: 10_000, drawer: 6000, card: 40_500, terminal: 40_500 })
    // A refund of 500 at the terminal itself.
    await rows(`insert into simulated_charges values ($1, 'by hand', 'refund', 50000)`, id)
    await seen(async () => {
      await clinic.context.jobs.run('money.receipts')
      // A receipt being printed right now is neither queued nor done.
      expect(good(await keeper.get(`/cash-desks/${id}/state`))).toMatchObject({ waiting: 0, unknown: 0 })
    })
    const body = { key: key(), counted: 5950 }
    const closed = good(await cashier.post(`/cash-shifts/${shift}/close`, body))
    expect(closed).toMatchObject({ expected: 6000, counted: 5950, difference: -50 })
    expect(good(await cashier.post(`/cash-shifts/${shift}/close`, body)).id).toBe(shift)
    expect((await cashier.post(`/cash-shifts/${shift}/close`, { ...body, key: key() })).status).toBe(409)
    const z = await seen(async () => {
      const report = good(await keeper.get(`/cash-shifts/${shift}/report`))
      expect(report.kkt).not.toBeNull()
      return report
    })
    expect(z.kkt).toEqual(z.crm)
    expect([z.card, z.terminal]).toEqual([40_500, 40_000])
    // The night compares the shift with both, and tells each difference once.
    const told = async () => {
      for (let nights = 0; nights < 2; nights++) await clinic.context.jobs.run('money.reconcile')
      const found = await rows<{ words: string }>(
        `select "words" from money_differences where "key" ~ $1 order by "key"`,
        `^(register|terminal)-${shift}-`,
      )
      return found.map(({ words }) => words.replaceAll('\u00a0', ' ').replace(/^.*?: /, ''))
    }
    const byTerminal = 'на терминале меньше, чем в кассе, на 500,00 ₽'
    expect(await told()).toEqual([byTerminal])
    await rows(
      `update cash_shifts set "closing" = jsonb_set("closing", '{kkt,sell,cash}', to_jsonb(("closing"#>>'{kkt,sell,cash}')::int + 700)) where "id" = $1`,
      shift,
    )
    expect(await told()).toEqual(['Z-отчёт регистратора расходится с кассой на 7,00 ₽', byTerminal])
    const next = good(await cashier.post('/cash-shifts/open', { key: key(), idDesk: id }), 201)
    expect(next).toMatchObject({ number: 2, opening: 5950 })
  })

  it('is opened only when none is open, whatever the order in which shifts were entered', async () => {
    const { id, shift } = await deskOf()
    // As the past of a demo clinic, or of another program, which is entered after the open shift.
    await rows(
      `insert into cash_shifts ("idDesk", "number", "localDate", "dateOpened", "dateClosed", "opening")
        select "idDesk", 7, "localDate" - 9, "dateOpened" - interval '9 days', "dateOpened" - interval '8 days', 0
        from cash_shifts where "id" = $1`,
      shift,
    )
    const open = () => cashier.post('/cash-shifts/open', { key: key(), idDesk: id })
    expect(await open()).toMatchObject({
      status: 409,
      body: { code: 'shift', message: 'Смена этой кассы уже открыта' },
    })
    good(await cashier.post(`/cash-shifts/${shift}/close`, { key: key(), counted: 0 }))
    expect(good(await open(), 201)).toMatchObject({ number: 8 })
  })

  it('is opened once under concurrent requests', async () => {
    const { id, shift } = await deskOf()
    // While the opening itself is being printed, its outcome is unknown.
    await seen(async () => good(await cashier.post(`/cash-shifts/${shift}/close`, { key: key(), counted: 0 })))
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => cashier.post('/cash-shifts/open', { key: key(), idDesk: id })),
    )
    expect(opened.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  })
})

describe('a register', () => {
  it.each(['noPaper', 'driveFull', 'offline'])(
    '%s: the receipt waits, money is posted, and it is printed later',
    async (name) => {
      const { id } = await deskOf()
      const who = await patient()
      await fault(id, 'kkt', name)
      const paid = good(await take(id, who, [cash(100)]))
      expect(await owes(who)).toEqual([0, 100])
      await seen(async () => {
        const state = good(await cashier.get(`/cash-desks/${id}/state`))
        expect([state.waiting > 0, state.trouble]).toEqual([true, expect.stringMatching(/бумаги|заполнен|связи/)])
      })
      await fault(id, 'kkt', null)
      await printed(paid.id)
    },
  )

  it('that is not connected is a normal state of the receipt; once connected, it prints on request', async () => {
    const { id } = await deskOf({ kktMode: 'none' })
    const paid = good(await take(id, await patient(), [cash(100)]))
    expect((await receipts(paid.id))[0]).toMatchObject({ status: 'notConnected', error: null })
    expect(good(await cashier.get(`/payments/${paid.id}`)).receipt).toBe('notConnected')
    expect(good(await cashier.get(`/cash-desks/${id}/state`))).toMatchObject({ trouble: null, waiting: 0, unknown: 0 })
    const [task] = await receipts(paid.id)
    const again = () => keeper.post(`/fiscal-tasks/${task.id}/repair`, { as: 'resend' })
    expect((await again()).body.message).toContain('не подключён')
    good(await keeper.put(`/cash-desks/${id}`, { kktMode: 'simulator' }))
    good(await again())
    await printed(paid.id)
  })

  it('is queried at once after a lost reply, without a person', async () => {
    const { id, shift } = await deskOf()
    await printed(good(await take(id, await patient(), [cash(5)])).id)
    await fault(id, 'kkt', 'lostAnswer')
    const paid = good(await take(id, await patient(), [cash(100)]))
    // No job runs here: the printing worker itself queries.
    expect((await printed(paid.id)).fd).toBeGreaterThan(0)
    // A closing waits for the running print, and prints the counted sum.
    const last = good(await take(id, await patient(), [cash(45)]))
    good(await cashier.post(`/cash-shifts/${shift}/close`, { key: key(), counted: 140 }))
    expect(good(await cashier.get(`/payments/${last.id}`)).receipt).toBe('done')
    expect(good(await cashier.get(`/cash-shifts/${shift}/report`))).toMatchObject({
      counted: 140,
      difference: -10,
      drawer: 150,
    })
  })

  it('with a shift over 24 hours closes it first, and prints the receipt in the next one', async () => {
    const { id, shift } = await deskOf()
    const first = good(await take(id, await patient(), [cash(10)]))
    await printed(first.id)
    await rows(`update simulated_devices set "shiftOpened" = now() - interval '25 hours' where "idDesk" = $1`, id)
    const late = good(await take(id, await patient(), [cash(20)]))
    await seen(async () => {
      await clinic.context.jobs.run('money.receipts')
      expect((await receipts(late.id))[0]).toMatchObject({
        status: 'queued',
        error: 'Смена длится больше 24 часов: закройте её и откройте новую',
      })
    })
    good(await cashier.post(`/cash-shifts/${shift}/close`, { key: key(), counted: 30 }))
    good(await cashier.post('/cash-shifts/open', { key: key(), idDesk: id }), 201)
    expect((await printed(late.id)).fd).toBe(5)
  })

  it('another document under the number is a conflict that a person settles (example 17)', async () => {
    const { id, shift } = await deskOf()
    await printed(good(await take(id, await patient(), [cash(5)])).id)
    await fault(id, 'kkt', 'break')
    const paid = good(await take(id, await patient(), [cash(100)]))
    const task = await seen(async () => {
      const [sent] = await receipts(paid.id)
      expect(sent.status).toBe('unknown')
      return sent
    })
    // Another document is printed in between.
    await rows(`insert into simulated_documents values ($1, $2, 'by hand', 'sell', 1)`, id, task.expectedFd)
    await rows(
      `update simulated_devices set "lastFd" = $2 where "idDesk" = $1 and "device" = 'kkt'`,
      id,
      task.expectedFd,
    )
    await printed(paid.id, 'conflict')
    const close = await cashier.post(`/cash-shifts/${shift}/close`, { key: key(), counted: 105 })
    expect(close.body.message).toContain('разберите его')
    expect((await cashier.post(`/fiscal-tasks/${task.id}/repair`, { as: 'resend' })).status).toBe(403)
    expect(faults(await keeper.post(`/fiscal-tasks/${task.id}/repair`, { as: 'done' }))[0]).toContain('fd:')
    good(await keeper.post(`/fiscal-tasks/${task.id}/repair`, { as: 'resend' }))
    await printed(paid.id)
  })
})

describe('a receipt of correction', () => {
  const correction = { type: 'self', date: '2026-03-01', number: 'СЗ-15', reason: 'Чек не пробит: не было связи' }
  const documents = (idDesk: number) =>
    rows<{ kind: string; receipt: { correction?: object; payments: object[] } }>(
      `select "kind", "receipt" from simulated_documents where "idDesk" = $1 and "kind" like '%Correction' order by "fd"`,
      idDesk,
    )
  const unprinted = async () => {
    const { id, shift } = await deskOf({ kktMode: 'none' })
    const paid = good(await take(id, await patient(), [cash(300), card(700)]))
    const [task] = await receipts(paid.id)
    expect(task.status).toBe('notConnected')
    good(await keeper.put(`/cash-desks/${id}`, { kktMode: 'simulator' }))
    await rows(
      `insert into simulated_devices ("idDesk", "device", "shift", "shiftOpened", "lastShift") values ($1, 'kkt', 1, now(), 1)`,
      id,
    )
    return { id, shift, paid, task }
  }

  it('reports a payment without a printed receipt once, under concurrent requests', async () => {
    const { id, shift, paid, task } = await unprinted()
    const repair = (body: object, who = keeper) => who.post(`/fiscal-tasks/${task.id}/repair`, body)
    expect((await repair({ as: 'correction', correction }, cashier)).status).toBe(403)
    // A receipt in progress cannot be replaced by another one, whatever the screen still shows.
    const becomes = (status: string) => rows('update fiscal_tasks set "status" = $2 where "id" = $1', task.id, status)
    await becomes('sending')
    expect((await repair({ as: 'correction', correction })).body).toMatchObject({ message: 'Этот чек ещё в очереди' })
    await becomes('failed')
    expect(faults(await repair({ as: 'correction' }))).toEqual(['correction: Укажите, почему нужен чек коррекции'])
    expect(faults(await repair({ as: 'correction', correction: { ...correction, date: '2999-01-01' } }))).toEqual([
      'correction.date: Этот день ещё не наступил',
    ])
    for (const [field, wrong] of [
      ['number', ' '],
      ['reason', ''],
      ['date', '2026-02-29'],
    ] as const)
      expect(faults(await repair({ as: 'correction', correction: { ...correction, [field]: wrong } }))[0]).toContain(
        `correction.${field}`,
      )
    const many = await Promise.all([1, 2, 3].map(() => repair({ as: 'correction', correction })))
    for (const { status } of many) expect([200, 409]).toContain(status)
    await printed(paid.id)
    expect((await repair({ as: 'correction', correction })).status).toBe(409)
    expect(await documents(id)).toEqual([
      {
        kind: 'sellCorrection',
        receipt: expect.objectContaining({
          correction,
          payments: [
            { type: 'cash', sum: 300_00 },
            { type: 'electronically', sum: 700_00 },
          ],
        }),
      },
    ])
    // Z lists it apart from the receipts, and so do our books.
    const report = good(await cashier.get(`/cash-shifts/${shift}/report`))
    expect(report.crm.sell).toEqual({ cash: 0, electronically: 0 })
    expect([report.drawer, report.corrections]).toMatchObject([300, [{ sum: 1000, number: 'СЗ-15', status: 'done' }]])
    good(await cashier.post(`/cash-shifts/${shift}/close`, { key: key(), counted: 300 }))
    await seen(async () => {
      await clinic.context.jobs.run('money.receipts')
      const { kkt, crm } = good(await cashier.get(`/cash-shifts/${shift}/report`))
      expect(kkt).toEqual(crm)
    })
  })

  it('of a sum without a payment is requested by a key, and moves no money', async () => {
    const { id, shift } = await deskOf()
    const body = { key: key(), kind: 'sellReturn', means: 'cash', sum: 450.5, correction }
    const ask = (more: object = {}, who = keeper) => who.post(`/cash-desks/${id}/correct-receipt`, { ...body, ...more })
    expect((await ask({}, cashier)).status).toBe(403)
    await fault(id, 'kkt', 'lostAnswer')
    const many = await Promise.all([1, 2, 3].map(() => ask()))
    expect(new Set(many.map((one) => good(one, 201).id)).size).toBe(1)
    const task = await seen(async () => {
      await clinic.context.jobs.run('money.receipts')
      const found = good(await keeper.get(`/fiscal-tasks/${many[0]?.body.id}`))
      expect(found.status).toBe('done')
      return found
    })
    expect(task.task).toMatchObject({ total: 450_50, payments: [{ type: 'cash', sum: 450_50 }], correction })
    expect((await ask({ sum: 451 })).status).toBe(409)
    expect(await documents(id)).toHaveLength(1)
    expect(good(await cashier.get(`/cash-desks/${id}/state`)).drawer).toBe(0)
    good(await cashier.post(`/cash-shifts/${shift}/close`, { key: key(), counted: 0 }))
    expect((await ask({ key: key() })).body).toMatchObject({ code: 'shift' })
  })
})

describe('a terminal', () => {
  const times = (idDesk: number) =>
    rows<{ kind: string; amount: number; times: number }>(
      `select "kind", "amount"::int, "times" from simulated_charges where "idDesk" = $1 and "kind" <> 'never' order by "operation"`,
      idDesk,
    )

  it('leaves nothing after a decline', async () => {
    const { id } = await deskOf()
    const who = await patient()
    await fault(id, 'terminal', 'decline')
    const body = { key: key(), idDesk: id, idCustomer: who, parts: [cash(10), card(500)] }
    for (let asked = 0; asked < 2; asked++) {
      const { status, body: told } = await cashier.post('/payments/take', body)
      expect([status, told.message]).toEqual([409, 'Оплата не прошла: Недостаточно средств'])
    }
    expect([await owes(who), await times(id)]).toEqual([[0, 0], []])
  })

  it('does not begin the second of two operations after the first is declined', async () => {
    const { id } = await deskOf()
    const who = await patient()
    await fault(id, 'terminal', 'decline')
    expect((await take(id, who, [card(500), sbp(200)])).body).toMatchObject({ code: 'declined' })
    expect([await owes(who), await times(id)]).toEqual([[0, 0], []])
  })

  it('carries out card and СБП of one payment: one receipt, a refund by each, and matching books', async () => {
    const { id, shift } = await deskOf({ refundLimit: 100_000 })
    const who = await patient()
    await charge(who, 1000)
    const paid = good(await take(id, who, [cash(100), card(600), sbp(300)]))
    expect(paid).toMatchObject({ idStatus: 2, sum: 1000, methods: ['cash', 'card', 'sbp'] })
    expect((await printed(paid.id)).task.payments).toEqual([
      { type: 'cash', sum: 100_00 },
      { type: 'electronically', sum: 900_00 },
    ])
    expect(await times(id)).toMatchObject([
      { kind: 'pay', amount: 600_00, times: 1 },
      { kind: 'pay', amount: 300_00, times: 1 },
    ])
    const over = faults(await refund(paid.id, [card(100), sbp(300.01)])).map((text) => text.replaceAll(/\s/g, ' '))
    expect(over).toEqual(['parts.1.sum: Больше, чем было оплачено: можно вернуть 300,00 ₽'])
    const back = good(await refund(paid.id, [card(100), sbp(300)]))
    expect(back).toMatchObject({ idStatus: 2, sum: 400 })
    expect((await printed(back.id)).task.payments).toEqual([{ type: 'electronically', sum: 400_00 }])
    expect(await owes(who)).toEqual([400, 0])
    good(await cashier.post(`/cash-shifts/${shift}/close`, { key: key(), counted: 100 }))
    const z = await seen(async () => {
      const report = good(await keeper.get(`/cash-shifts/${shift}/report`))
      expect(report.kkt).not.toBeNull()
      return report
    })
    expect([z.kkt, z.terminal]).toEqual([z.crm, z.card])
    expect(z.crm).toMatchObject({ sell: { electronically: 900_00 }, sellReturn: { electronically: 400_00 } })
  })

  it('is queried after a lost reply to the first operation, and then carries out the second', async () => {
    const { id } = await deskOf()
    const who = await patient()
    await fault(id, 'terminal', 'lostAnswer')
    const body = { key: key(), idDesk: id, idCustomer: who, parts: [card(500), sbp(200)] }
    expect((await cashier.post('/payments/take', body)).body).toMatchObject({ code: 'unknown', sum: 500 })
    expect(good(await cashier.post('/payments/take', body))).toMatchObject({ idStatus: 2, sum: 700 })
    expect(await times(id)).toMatchObject([{ times: 1 }, { times: 1 }])
    expect(await owes(who)).toEqual([0, 700])
  })

  it.each(['lostAnswer', 'break'])('%s: is queried before it is charged again', async (name) => {
    const { id, shift } = await deskOf()
    const who = await patient()
    await fault(id, 'terminal', name)
    const body = { key: key(), idDesk: id, idCustomer: who, parts: [card(500)] }
    const lost = await cashier.post('/payments/take', body)
    expect([lost.status, lost.body.code]).toEqual([409, 'unknown'])
    expect((await cashier.post(`/cash-shifts/${shift}/close`, { key: key(), counted: 0 })).body.message).toContain(
      'спросите терминал',
    )
    const again = await Promise.all(Array.from({ length: 4 }, () => cashier.post('/payments/take', body)))
    expect(again.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(again.every(({ status, body }) => status === 200 || body.code === 'busy')).toBe(true)
    expect(await times(id)).toEqual([{ kind: 'pay', amount: 50_000, times: 1 }])
    expect(await owes(who)).toEqual([0, 500])
  })
})

describe('a process that is killed between two steps', () => {
  const deaths = [
    ['terminal', 'silentBefore'],
    ['terminal', 'silentAfter'],
    ['kkt', 'silentBefore'],
    ['kkt', 'silentAfter'],
  ] as const
  it.each(deaths)('at the %s, %s: another process takes the money once and prints it once', async (device, moment) => {
    const { id } = await deskOf()
    const who = await patient()
    await printed(good(await take(id, await patient(), [cash(1)])).id)
    await fault(id, device, moment)
    const body = { key: key(), idDesk: id, idCustomer: who, parts: [cash(10), card(500)] }
    // The killed process sends no response.
    const dead = cashier.post('/payments/take', body)
    void dead.catch(() => undefined)
    await seen(async () => {
      const [device0] = await rows<{ fault: string | null }>(
        `select "fault" from simulated_devices where "idDesk" = $1 and "device" = $2`,
        id,
        device,
      )
      expect(device0?.fault).toBeNull()
    })
    if (moment === 'silentAfter')
      await seen(async () => {
        const left = await rows(
          device === 'terminal'
            ? `select 1 from simulated_charges where "idDesk" = $1 and "kind" = 'pay'`
            : `select 1 from simulated_documents where "idDesk" = $1 and "fd" = 3`,
          id,
        )
        expect(left).toHaveLength(1)
      })
    const twin = await clinic.twin()
    try {
      const survivor = twin.withToken((await cashier.token()) as string)
      // While the first process may still be running, no other interferes.
      if (device === 'terminal') expect((await survivor.post('/payments/take', body)).body.code).toBe('busy')
      await muchLater()
      const paid = good(await survivor.post('/payments/take', body))
      expect(good(await survivor.post('/payments/take', body)).id).toBe(paid.id)
      await seen(async () => {
        await twin.context.jobs.run('money.receipts')
        expect((await receipts(paid.id)).map(({ status }: { status: string }) => status)).toEqual(['done'])
      })
      expect(await owes(who)).toEqual([0, 510])
      const charged = await rows(
        `select sum("amount" * "times")::int as sum from simulated_charges where "idDesk" = $1 and "kind" = 'pay'`,
        id,
      )
      expect(charged).toEqual([{ sum: 50_000 }])
      const papers = await rows(
        `select count(*)::int as n from simulated_documents where "idDesk" = $1 and "key" = $2`,
        id,
        `payment-${paid.id}`,
      )
      expect(papers).toEqual([{ n: 1 }])
    } finally {
      await twin.close()
    }
  })

  it("and no retry: the job settles by the terminal's state", async () => {
    const { id } = await deskOf()
    const [charged, never] = [await patient(), await patient()]
    await fault(id, 'terminal', 'lostAnswer')
    expect((await take(id, charged, [card(70)])).status).toBe(409)
    await fault(id, 'terminal', 'break')
    expect((await take(id, never, [card(80)])).status).toBe(409)
    await muchLater()
    await clinic.context.jobs.run('money.settle')
    expect([await owes(charged), await owes(never)]).toEqual([
      [0, 70],
      [0, 0],
    ])
  })

  it('is settled even if the one before it cannot be', async () => {
    const { id } = await deskOf()
    const [stuck, next] = [await patient(), await patient()]
    for (const who of [stuck, next]) {
      await fault(id, 'terminal', 'lostAnswer')
      expect((await take(id, who, [card(70)])).status).toBe(409)
    }
    await muchLater()
    await rows(`create function no_posting() returns trigger language plpgsql as
      $$ begin if new."idCustomer" = tg_argv[0]::bigint and new."idStatus" = 2 then raise 'no posting'; end if; return new; end $$`)
    await rows(
      `create trigger no_posting before update on payments for each row execute function no_posting('${stuck}')`,
    )
    try {
      await clinic.context.jobs.run('money.settle')
      expect([await owes(stuck), await owes(next)]).toEqual([
        [0, 0],
        [0, 70],
      ])
    } finally {
      await rows('drop function no_posting cascade')
    }
    await muchLater()
    await clinic.context.jobs.run('money.settle')
    expect(await owes(stuck)).toEqual([0, 70])
  })
})
