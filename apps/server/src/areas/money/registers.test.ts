import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import {
  card,
  cash,
  cashier,
  charge,
  clinic,
  deskOf,
  fault,
  faults,
  keeper,
  key,
  openMoneyClinic,
  owes,
  patient,
  printed,
  receipts,
  refund,
  rows,
  take,
  until,
} from './testing/moneyClinic.ts'

openMoneyClinic()

const sbp = (sum: number) => ({ method: 'sbp', sum })

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
    await until(async () => {
      await clinic.context.jobs.run('money.receipts')
      // A receipt being printed right now is neither queued nor done.
      expect(good(await keeper.get(`/cash-desks/${id}/state`))).toMatchObject({ waiting: 0, unknown: 0 })
    })
    const body = { key: key(), counted: 5950 }
    const closed = good(await cashier.post(`/cash-shifts/${shift}/close`, body))
    expect(closed).toMatchObject({ expected: 6000, counted: 5950, difference: -50 })
    expect(good(await cashier.post(`/cash-shifts/${shift}/close`, body)).id).toBe(shift)
    expect((await cashier.post(`/cash-shifts/${shift}/close`, { ...body, key: key() })).status).toBe(409)
    const z = await until(async () => {
      const report = good(await keeper.get(`/cash-shifts/${shift}/report`))
      expect(report.kkt).not.toBeNull()
      return report
    })
    expect(z.kkt).toEqual(z.crm)
    expect([z.card, z.terminal]).toEqual([40_500, 40_000])
    // The nightly job compares the shift with both, and reports each difference once.
    const warnings = async () => {
      for (let nights = 0; nights < 2; nights++) await clinic.context.jobs.run('money.reconcile')
      const found = await rows<{ words: string }>(
        `select "words" from money_differences where "key" ~ $1 order by "key"`,
        `^(register|terminal)-${shift}-`,
      )
      return found.map(({ words }) => words.replaceAll('\u00a0', ' ').replace(/^.*?: /, ''))
    }
    const byTerminal = 'на терминале меньше, чем в кассе, на 500,00 ₽'
    expect(await warnings()).toEqual([byTerminal])
    await rows(
      `update cash_shifts set "closing" = jsonb_set("closing", '{kkt,sell,cash}', to_jsonb(("closing"#>>'{kkt,sell,cash}')::int + 700)) where "id" = $1`,
      shift,
    )
    expect(await warnings()).toEqual(['Z-отчёт регистратора расходится с кассой на 7,00 ₽', byTerminal])
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
    await until(async () => good(await cashier.post(`/cash-shifts/${shift}/close`, { key: key(), counted: 0 })))
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
      await until(async () => {
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
    await until(async () => {
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
    const task = await until(async () => {
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
    const setStatus = (status: string) => rows('update fiscal_tasks set "status" = $2 where "id" = $1', task.id, status)
    await setStatus('sending')
    expect((await repair({ as: 'correction', correction })).body).toMatchObject({ message: 'Этот чек ещё в очереди' })
    await setStatus('failed')
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
    await until(async () => {
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
    const task = await until(async () => {
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
      const { status, body: answer } = await cashier.post('/payments/take', body)
      expect([status, answer.message]).toEqual([409, 'Оплата не прошла: Недостаточно средств'])
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
    const z = await until(async () => {
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
