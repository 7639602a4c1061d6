import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import type { Answer } from '#testing/harness.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import {
  anotherDesk,
  claim,
  clinic,
  complete,
  consent,
  desk,
  finish,
  insure,
  keeper,
  openPayersClinic,
  payer,
  today,
  year,
} from './testing/payersClinic.ts'

openPayersClinic()

const faults = ({ status, body }: Answer): string[] =>
  status === 422
    ? body.map((one: { field: string; message: string }) => `${one.field}: ${one.message.replace(/\s/g, ' ')}`)
    : [`${status}`]

/** Sends a bank statement of payments by the payer, each with a number and purpose of its own. */
async function statement({ inn }: { inn: string }, ...sums: string[]): Promise<Answer> {
  const own = '40702810938000000001'
  const day = today.split('-').reverse().join('.')
  const lines = [
    ...['1CClientBankExchange', 'Кодировка=UTF-8', `РасчСчет=${own}`],
    ...sums.flatMap((sum) => [
      ...['СекцияДокумент=Платежное поручение', `Номер=${sum.length}`, `Дата=${day}`, `Сумма=${sum}`],
      ...[`ПлательщикСчет=40702810000000000002`, `ПлательщикИНН=${inn}`, 'Плательщик1=Страховая'],
      ...[`ПолучательСчет=${own}`, `ДатаПоступило=${day}`, `НазначениеПлатежа=Оплата ${sum}`, 'КонецДокумента'],
    ]),
    'КонецФайла',
  ]
  const answer = await clinic.app.server.inject({
    method: 'POST',
    url: '/expenses/statements/upload?name=kl_to_1c.txt',
    payload: Buffer.from(lines.join('\r\n')),
    headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${await keeper.token()}` },
  })
  return { status: answer.statusCode, body: JSON.parse(answer.body) } as Answer
}

it('collects a month, reports everything missing at once, freezes what was sent, and follows cuts to the last kopeck', async () => {
  const one = await payer()
  const who = await insure(one)
  const visits = [await desk.visit([1], { idCustomer: who }), await desk.visit([1], { idCustomer: who })]
  for (const { id } of visits) good(await finish(id))
  const collect = () => keeper.post('/payer-registries/collect', { idContract: one.idContract, month: today })
  const registry = good(await collect())
  expect(registry).toMatchObject({ state: 'draft', lines: 2, claimed: 2000, open: 2000 })
  expect(good(await collect()).id).toBe(registry.id)
  const { items } = good(await keeper.get(`/payer-registries/${registry.id}/lacks`))
  expect(items).toHaveLength(2)
  expect(items[0].lacks).toContain('нет диагноза')
  expect((await keeper.post(`/payer-registries/${registry.id}/send`, {})).body).toMatchObject({ code: 'lacks' })
  await complete(one.idContract)
  await consent(who)
  const sent = good(await keeper.post(`/payer-registries/${registry.id}/send`, {}))
  expect(sent).toMatchObject({ state: 'sent', dateSent: today })
  expect((await keeper.get(`/payer-registries/${registry.id}/file?format=xlsx`)).status).toBe(200)
  expect((await keeper.get(`/payer-registries/${registry.id}/file?format=dbf`)).status).toBe(200)
  const lines = good(await keeper.get(`/payer-registries/lines?filter[idRegistry]=${registry.id}&sort=id`)).items
  const decide = (body: object) => keeper.post(`/payer-registries/${registry.id}/decide`, { lines: [], ...body })
  expect(faults(await decide({ lines: [{ id: lines[0].id, cut: 300 }] }))).toEqual(['lines.0.reason: Укажите причину'])
  const answers = importFiles(clinic, 'payer-cuts')
  const table = (...rows: string[]) => csv('№;Полис;Снято;Принято;Причина;Код дефекта', ...rows)
  const asked = { idRegistry: registry.id }
  // An error is reported at its row, and the rest is written; the same table again changes nothing.
  const wrong = table('1;;1200;;Много;1', '2;чужой;0;;;', '9;;0;;;', '1;;300;600;Не сходится;', '2;;200;;;')
  const preview = good(await answers.preview(keeper, wrong, asked))
  expect(preview.errors.map(({ row, field, message }) => `${row} ${field}: ${message.replace(/\s/g, ' ')}`)).toEqual([
    '1 Снято: Заявлено только 1 000,00 ₽',
    expect.stringMatching(/^2 Полис: В строке № 2 реестра полис П-\d+$/),
    '3 №: В реестре нет строки № 9',
    '4 Снято: Снято и принято вместе — не 1000.00, как заявлено',
    '5 Причина: Укажите причину',
  ])
  const written = async () =>
    good(await keeper.get(`/payer-registries/lines?filter[idRegistry]=${registry.id}&sort=id`)).items.map(
      (line: Record<string, unknown>) => [line.state, line.accepted, line.cut, line.reason, line.reasonCode],
    )
  for (const time of ['first', 'again']) {
    await answers.take(keeper, table('1;;;750;;2.1'), asked)
    expect([time, await written()]).toEqual([
      time,
      [
        ['cut', 750, 250, 'Код 2.1', '2.1'],
        ['claimed', 0, 0, null, null],
      ],
    ])
  }
  const cut = { id: lines[0].id, cut: 300, reason: 'Нет показаний', code: '2.1' }
  expect(good(await decide({ lines: [cut], isRestAccepted: true }))).toMatchObject({
    claimed: 2000,
    accepted: 1700,
    cut: 300,
    open: 0,
  })
  const pay = (id: number, sum: number) =>
    keeper.post(`/payer-registries/${id}/pay`, { key: desk.key(), sum, date: today, document: '15' })
  expect(faults(await pay(registry.id, 1700.01))).toEqual(['sum: Принято и не оплачено 1 700,00 ₽'])
  const debts = async () => good(await keeper.get(`/reports/payer-debts?by=age&is=payer:${one.idPayer}`)).total.values
  expect(await debts()).toEqual({ debt: 1700, accepted: 1700, overdue: 0, registries: 1 })
  good(await pay(registry.id, 700))
  expect(await debts()).toMatchObject({ debt: 1000, accepted: 1000 })
  const settle = (id: number, as: string) =>
    keeper.post(`/payer-registries/lines/${id}/settle`, { key: desk.key(), as, reason: 'По акту' })
  good(await settle(lines[0].id, 'reissue'))
  const again = good(await collect())
  expect(again).toMatchObject({ state: 'draft', lines: 1, claimed: 300 })
  await complete(one.idContract)
  good(await keeper.post(`/payer-registries/${again.id}/send`, {}))
  const [row] = good(await keeper.get(`/payer-registries/lines?filter[idRegistry]=${again.id}`)).items
  expect(row).toMatchObject({ idReissueOf: lines[0].id, sum: 300 })
  good(
    await keeper.post(`/payer-registries/${again.id}/decide`, { lines: [{ id: row.id, cut: 100, reason: 'Дубль' }] }),
  )
  good(await settle(row.id, 'patient'))
  expect((await settle(row.id, 'writeOff')).status).toBe(409)
  good(await pay(again.id, 200))
  // The rest comes by a bank statement: the whole finds its registry, a part is sorted by a person.
  const { body: rest } = await statement(one, '600.00', '400.00')
  expect(rest).toMatchObject({ added: 2, matched: 0 })
  const [part, last] = good(await keeper.get('/expenses/statement-lines?filter[state]=new&sort=-sum')).items
  const sort = (line: number, body: object) => keeper.post(`/expenses/statement-lines/${line}/sort`, body)
  expect(good(await sort(part.id, { as: 'registry', idRegistry: registry.id }))).toMatchObject({ state: 'matched' })
  expect((await sort(part.id, { as: 'registry', idRegistry: registry.id })).status).toBe(409)
  good(await sort(last.id, { as: 'ignored' }))
  expect(faults(await sort(last.id, { as: 'registry', idRegistry: again.id }))).toEqual([
    'idRegistry: Принято и не оплачено 0,00 ₽',
  ])
  expect((await statement(one, '400.00', '1.00')).body).toMatchObject({ added: 1, repeated: 1 })
  good(await pay(registry.id, 300))
  expect((await statement(one, '100.00')).body).toMatchObject({ added: 1, matched: 1 })
  expect([await claim(one), await desk.owes(who)]).toEqual([0, [100, 0]])
  expect(good(await keeper.get(`/payer-registries/${registry.id}`))).toMatchObject({ state: 'closed', paid: 1700 })
  const report = good(await keeper.get(`/reports/payers?from=${year}-01-01&until=${year}-12-31&by=payer`))
  expect((await debts()).debt).toBe(0)
  await clinic.db.query({
    text: `insert into payroll_service_costs ("idService", "materials", "laboratory") values ($1, 250, 50)`,
    values: [desk.idService],
  })
  const own = good(
    await keeper.get(`/reports/payers?from=${year}-01-01&until=${year}-12-31&by=programme&is=payer:${one.idPayer}`),
  )
  // Two services cost 600; what was claimed again cost nothing more.
  expect(own.total.values).toMatchObject({ accepted: 1900, margin: 1300, paid: 1900 })
  const { claimed, accepted, cut: off, open } = report.total.values
  expect(claimed).toBe(accepted + off + open)
})

interface Turn {
  act:
    | 'visit'
    | 'send'
    | 'answer'
    | 'rest'
    | 'reissue'
    | 'patient'
    | 'writeOff'
    | 'pay'
    | 'bank'
    | 'take'
    | 'refund'
    | 'undo'
  which: number
  part: number
}
const turn = fc.record<Turn>({
  act: fc.constantFrom(
    ...(['visit', 'visit', 'send', 'send', 'answer', 'answer', 'rest', 'reissue', 'reissue'] as const),
    ...(['patient', 'writeOff', 'pay', 'pay', 'bank', 'take', 'refund', 'undo'] as const),
  ),
  which: fc.nat(5),
  /** Of a sum, in percent. */
  part: fc.integer({ min: 1, max: 100 }),
})
/** What is allowed to refuse. */
const STATUSES = [200, 201, 204, 409, 422]

it("keeps claimed = accepted + cut + open and the payer's account = registries − payments, whatever is answered, paid, claimed again or refunded", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 60_00 }),
      fc.array(fc.array(turn, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 8 }),
      async (copay, all) => {
        await anotherDesk()
        const one = await payer({ copay: copay / 100 })
        const who = await insure(one)
        await consent(who)
        const visits: number[] = []
        const payments: number[] = []
        const month = { idContract: one.idContract, month: today }
        const sent = async (): Promise<{ id: number; accepted: number; paid: number }[]> =>
          good(await keeper.get(`/payer-registries?filter[idContract]=${one.idContract}&filter[state]=sent&sort=id`))
            .items
        const lines = async (state?: string): Promise<{ id: number; idRegistry: number; sum: number }[]> =>
          good(
            await keeper.get(
              `/payer-registries/lines?filter[registry.idContract]=${one.idContract}${state ? `&filter[state]=${state}` : ''}&sort=id`,
            ),
          ).items
        const pick = <T>(some: readonly T[], which: number): T | undefined => some[which % Math.max(1, some.length)]
        const decide = (idRegistry: number, body: object) =>
          keeper.post(`/payer-registries/${idRegistry}/decide`, { lines: [], ...body })
        const acts: Record<Turn['act'], (of: Turn) => Promise<Answer | undefined>> = {
          async visit() {
            const { id } = await desk.visit([1], { idCustomer: who })
            visits.push(id)
            return finish(id)
          },
          async send() {
            const registry = await keeper.post('/payer-registries/collect', month)
            await complete(one.idContract)
            return keeper.post(`/payer-registries/${registry.body.id}/send`, {})
          },
          async answer({ which, part }) {
            const line = pick(await lines(), which)
            const cut = line && Math.round(line.sum * part) / 100
            return line && decide(line.idRegistry, { lines: [{ id: line.id, cut, reason: 'Дубль' }] })
          },
          async rest({ which }) {
            const registry = pick(await sent(), which)
            return registry && decide(registry.id, { isRestAccepted: true })
          },
          reissue: (of) => settle('reissue', of),
          patient: (of) => settle('patient', of),
          writeOff: (of) => settle('writeOff', of),
          async pay({ which, part }) {
            const registry = pick(await sent(), which)
            const sum = registry && Math.round((registry.accepted - registry.paid) * part) / 100
            const body = { key: desk.key(), sum, date: today, document: '15' }
            return registry && sum ? keeper.post(`/payer-registries/${registry.id}/pay`, body) : undefined
          },
          async bank({ which }) {
            const registry = pick(await sent(), which)
            const sum = registry && registry.accepted - registry.paid
            return sum ? statement(one, sum.toFixed(2)) : undefined
          },
          async take({ part }) {
            const answer = await desk.take(who, part)
            if (answer.status === 200) payments.push(answer.body.id)
            return answer
          },
          async refund({ which, part }) {
            const payment = pick(payments, which)
            return payment ? desk.refund(payment, part) : undefined
          },
          async undo({ which }) {
            const visit = pick(visits, which)
            return visit ? desk.to(visit, 'inProgress') : undefined
          },
        }
        async function settle(as: string, { which }: Turn): Promise<Answer | undefined> {
          const line = pick(await lines('cut'), which)
          const body = { key: desk.key(), as, reason: 'По акту' }
          return line && keeper.post(`/payer-registries/lines/${line.id}/settle`, body)
        }
        for (const group of all) {
          await Promise.all(
            group.map(async (of) => {
              const answer = await acts[of.act](of)
              if (answer) expect(STATUSES, `${of.act} ${JSON.stringify(answer.body)}`).toContain(answer.status)
            }),
          )
          for (const { claimed, accepted, cut, open, paid } of good(
            await keeper.get(`/payer-registries?filter[idContract]=${one.idContract}`),
          ).items) {
            expect(Math.round(claimed * 100)).toBe(Math.round((accepted + cut + open) * 100))
            for (const sum of [accepted, cut, open, paid, accepted - paid]) expect(sum).toBeGreaterThanOrEqual(0)
          }
          const [sums] = await clinic.db.query<Record<string, number>>({
            text: `select
              (select coalesce(sum(l."insurer"), 0) from coupon_services l join insured_persons i on i."id" = l."idInsured"
                join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"
                where i."idContract" = $1 and l."completed" and not exists (select 1 from payer_registries_lines z
                  join payer_registries y on y."id" = z."idRegistry" where z."idCouponService" = l."id" and y."state" <> 'draft'))::float8 as unsent,
              (select coalesce(sum(z."sum" - z."cut" + case
                  when z."state" = 'cut' and not exists (select 1 from payer_moves m where m."idLine" = z."id") then z."cut"
                  when z."state" = 'reissued' and not exists (select 1 from payer_registries_lines n
                    join payer_registries x on x."id" = n."idRegistry" where n."idReissueOf" = z."id" and x."state" <> 'draft') then z."cut"
                  else 0 end), 0)
                from payer_registries_lines z join payer_registries y on y."id" = z."idRegistry"
                where y."idContract" = $1 and y."state" <> 'draft')::float8 as asked,
              (select coalesce(sum(m."amount") filter (where m."as" = 'paid'), 0) from payer_moves m
                join payer_registries y on y."id" = m."idRegistry" where y."idContract" = $1)::float8 as paid,
              (select coalesce(sum(m."amount") filter (where m."as" = 'patient'), 0) from payer_moves m
                join payer_registries y on y."id" = m."idRegistry" where y."idContract" = $1)::float8 as charged,
              (select coalesce(sum(round(l."price" * l."qty", 2) - l."discount" - l."insurer"), 0) from coupon_services l
                join coupons c on c."id" = l."idCoupon" where c."idAppointment" = any ($2::bigint[]) and l."completed")::float8 as own,
              (select coalesce(sum(case p."kind" when 'payment' then p."sum" else -p."sum" end), 0) from payments p
                where p."idCustomer" = $3 and p."idStatus" = 2)::float8 as got,
              (select count(*) from payer_registries_lines z join payer_registries y on y."id" = z."idRegistry"
                where y."idContract" = $1 and z."accepted" <> coalesce((select sum(a."amount") from payer_answers a
                  where a."idLine" = z."id"), 0))::int as unsettled`,
            values: [one.idContract, visits, who],
          })
          const { unsent = 0, asked = 0, paid = 0, charged = 0, own = 0, got = 0, unsettled } = sums ?? {}
          expect(Math.round((await claim(one)) * 100)).toBe(Math.round((unsent + asked - paid) * 100))
          const [debt, advance] = await desk.owes(who)
          expect(Math.round((debt - advance) * 100)).toBe(Math.round((own + charged - got) * 100))
          expect(unsettled).toBe(0)
        }
      },
    ),
    { numRuns: runs(3, 40), endOnFailure: true },
  )
})
