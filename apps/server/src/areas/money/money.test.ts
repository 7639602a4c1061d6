/** Money over HTTP: payments, refunds and debts; nothing is taken or printed twice after any failure. */

import { Organization } from '@ordinator/model/areas/filials/organization'
import { describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import type { Answer } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import {
  account,
  card,
  cash,
  cashier,
  charge,
  chief,
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
    const messages = faults(await take(id, await patient(), parts, more)).map((text) =>
      String(text).replaceAll(/\s/g, ' '),
    )
    expect(messages).toContain(message)
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
    const answer = await cashier.get(`/payments?filter[id]=${paid.id}&expand=parts`)
    expect(JSON.stringify([paid, task, answer.body])).not.toContain('79991234567')
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
    const refusalOf = async (parts: object[]) => String(faults(await refund(paid.id, parts))).replaceAll(/\s/g, ' ')
    expect(await refusalOf([cash(600.01)])).toBe('parts.0.sum: Больше, чем было оплачено: можно вернуть 600,00 ₽')
    expect(await refusalOf([{ method: 'transfer', sum: 1 }])).toBe(
      'parts.0.method: Деньги возвращают тем же способом, которым платили',
    )
    good(await refund(paid.id, [cash(100), card(400)]))
    expect(await refusalOf([card(0.01)])).toBe('parts.0.sum: Больше, чем было оплачено: можно вернуть 0,00 ₽')
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
    await until(async () => {
      const [device0] = await rows<{ fault: string | null }>(
        `select "fault" from simulated_devices where "idDesk" = $1 and "device" = $2`,
        id,
        device,
      )
      expect(device0?.fault).toBeNull()
    })
    if (moment === 'silentAfter')
      await until(async () => {
        const left = await rows(
          device === 'terminal'
            ? `select 1 from simulated_charges where "idDesk" = $1 and "kind" = 'pay'`
            : `select 1 from simulated_documents where "idDesk" = $1 and "fd" = 3`,
          id,
        )
        expect(left).toHaveLength(1)
      })
    const second = await clinic.secondProcess()
    try {
      const survivor = second.withToken((await cashier.token()) as string)
      // While the first process may still be running, no other interferes.
      if (device === 'terminal') expect((await survivor.post('/payments/take', body)).body.code).toBe('busy')
      await muchLater()
      const paid = good(await survivor.post('/payments/take', body))
      expect(good(await survivor.post('/payments/take', body)).id).toBe(paid.id)
      await until(async () => {
        await second.context.jobs.run('money.receipts')
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
      await second.close()
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
