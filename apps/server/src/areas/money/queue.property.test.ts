/**
 * The queue of receipts reaches a stable state, whatever the register and the desk do, and reports what it waits for.
 */
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import type { Caller, Clinic } from '#testing/harness.ts'
import { statements } from '#testing/statements.ts'
import { type CashWorld, cashWorld } from './testing/cashWorld.ts'

let world: CashWorld
let clinic: Clinic
let one: Caller
beforeAll(async () => {
  world = await cashWorld('Тверь')
  ;({ clinic, one } = world)
})
afterAll(() => clinic.close())

const rows = <R>(text: string, ...values: unknown[]) => clinic.db.query<R>({ text, values })
const key = () => world.key()
const run = () => clinic.context.jobs.run('money.receipts')
const connect = async (id: number, kktMode: 'none' | 'simulator') =>
  good(await world.keeper.put(`/cash-desks/${id}`, { kktMode }))
const play = async (id: number, fault: string | null) =>
  good(await world.keeper.post(`/cash-desks/${id}/simulate`, { device: 'kkt', fault }), 204)
const sell = async (idDesk: number) => {
  const parts = [{ method: 'cash', sum: 100 }]
  return one.post('/payments/take', { key: key(), idDesk, idCustomer: await world.patient(), parts })
}
const state = async (id: number) => good(await one.get(`/cash-desks/${id}/state`))
const close = async (id: number) => {
  const { shift, drawer } = await state(id)
  return shift ? one.post(`/cash-shifts/${shift.id}/close`, { key: key(), counted: drawer }) : undefined
}
const open = (idDesk: number) => one.post('/cash-shifts/open', { key: key(), idDesk })

interface Task {
  key: string
  kind: string
  status: string
  error: string | null
}
const tasks = (idDesk: number) =>
  rows<Task>('select "key", "kind", "status", "error" from fiscal_tasks where "idDesk" = $1 order by "id"', idDesk)
const waits = ({ status }: Task) => ['queued', 'sending', 'unknown'].includes(status)

const written = async () =>
  (await rows<{ n: number }>(`select count(*)::int as n from history where "path" = 'fiscal-tasks'`))[0]?.n as number

/** Waits until no printing worker runs, and checks that one more attempt writes nothing and sends few requests. */
async function atRest(idDesk: number): Promise<Task[]> {
  const idle = async () => {
    await run()
    return rows('select 1 from fiscal_printers where "idDesk" = $1 and "claimedUntil" > now()', idDesk)
  }
  await expect.poll(idle).toEqual([])
  await run()
  const before = [await tasks(idDesk), await written()]
  // Counts over every desk of the clinic that has waiting documents.
  const [desks] = await rows<{ n: number }>(`select count(distinct "idDesk")::int as n from fiscal_tasks
    where "status" in ('queued', 'sending', 'unknown')`)
  expect((await statements(run)).count).toBeLessThanOrEqual(5 + 20 * (desks?.n ?? 0))
  expect([await tasks(idDesk), await written()]).toEqual(before)
  return before[0] as Task[]
}

describe('a queue comes to rest, and continues when it can', () => {
  it('when a register is connected while the shift of its desk is open', async () => {
    const id = await world.desk({ kktMode: 'none' })
    good(await open(id), 201)
    good(await sell(id))
    await connect(id, 'simulator')
    good((await close(id)) as Awaited<ReturnType<typeof close>> & object)
    good(await open(id), 201)
    good(await sell(id))
    const all = await atRest(id)
    expect(all.map(({ kind, status }) => [kind, status])).toEqual([
      ['sell', 'notConnected'],
      ['openShift', 'done'],
      ['closeShift', 'done'],
      ['openShift', 'done'],
      ['sell', 'done'],
    ])
  })

  it('when the connection is lost in the evening and the next shift is opened', async () => {
    const { idDesk } = await world.openDesk()
    await atRest(idDesk)
    await play(idDesk, 'offline')
    good(await sell(idDesk))
    await atRest(idDesk)
    good((await close(idDesk)) as object as never)
    good(await open(idDesk), 201)
    expect((await atRest(idDesk)).filter(waits).map(({ kind, error }) => [kind, error])).toEqual([
      ['sell', 'Нет связи с регистратором чеков'],
      ['closeShift', null],
      ['openShift', null],
    ])
    expect((await state(idDesk)).queue).toMatchObject([{ kind: 'sell' }, { kind: 'closeShift' }, { kind: 'openShift' }])
    await play(idDesk, null)
    expect((await atRest(idDesk)).filter((task) => task.status !== 'done')).toEqual([])
  })

  it('when the shift of the register is not open: a person opens it, or removes the receipt', async () => {
    const { idDesk } = await world.openDesk()
    await atRest(idDesk)
    await rows(`update simulated_devices set "shift" = null, "shiftOpened" = null where "idDesk" = $1`, idDesk)
    const [first, second] = [good(await sell(idDesk)), good(await sell(idDesk))]
    expect((await atRest(idDesk)).filter(waits)).toMatchObject([
      { error: 'Смена регистратора чеков закрыта: откройте её' },
      { error: null },
    ])
    const [task] = (await state(idDesk)).queue
    expect(task.idPayment).toBe(first.id)
    expect((await one.post(`/fiscal-tasks/${task.id}/take-out`, { reason: '' })).status).toBe(422)
    const out = good(await one.post(`/fiscal-tasks/${task.id}/take-out`, { reason: 'Пробит на другой кассе' }))
    expect([out.status, out.error]).toEqual(['cancelled', 'Снят с очереди: Пробит на другой кассе'])
    good(await one.post(`/cash-desks/${idDesk}/queue`, { act: 'openShift' }))
    await expect.poll(async () => (await state(idDesk)).queue).toEqual([])
    const printed = good(await one.get(`/fiscal-tasks?filter[idPayment]=${second.id}`)).items[0]
    expect(printed.status).toBe('done')
    expect((await one.post(`/fiscal-tasks/${printed.id}/take-out`, { reason: 'Ошибка' })).status).toBe(409)
    expect((await clinic.as('nurse').post(`/cash-desks/${idDesk}/queue`, { act: 'repeat' })).status).toBe(403)
  })
})

const acts = [
  ...['open', 'close', 'sell', 'sell', 'connect', 'disconnect', 'offline', 'mend', 'noPaper', 'lostAnswer', 'break'],
  ...['late', 'kill', 'run', 'shut'],
] as const

async function carry(act: string, idDesk: number): Promise<void> {
  if (act === 'open') await open(idDesk)
  else if (act === 'close') await close(idDesk)
  else if (act === 'sell') await sell(idDesk)
  else if (act === 'connect' || act === 'disconnect') await connect(idDesk, act === 'connect' ? 'simulator' : 'none')
  else if (act === 'late')
    await rows(
      `update simulated_devices set "shiftOpened" = now() - interval '25 hours' where "idDesk" = $1 and "shift" is not null`,
      idDesk,
    )
  else if (act === 'shut')
    await rows(`update simulated_devices set "shift" = null, "shiftOpened" = null where "idDesk" = $1`, idDesk)
  else if (act === 'kill')
    await rows(
      `insert into fiscal_printers ("idDesk", "life", "claimedUntil")
       values ($1, '00000000-0000-0000-0000-00000000dead', now() + interval '1 hour')
       on conflict do nothing`,
      idDesk,
    )
  else if (act === 'run') await run()
  else {
    const { kktMode } = good(await world.keeper.get(`/cash-desks/${idDesk}`))
    if (kktMode === 'simulator') await play(idDesk, act === 'mend' ? null : act)
  }
}

const settledAside = ['cancelled', expect.stringMatching(/уже (закрыта|открыта)/), expect.stringMatching(/Shift$/)]

it('every receipt is printed once or refused with a reason, in any order of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...acts), { minLength: 4, maxLength: 14 }), async (order) => {
      const { idDesk } = await world.openDesk()
      for (const act of order) await carry(act, idDesk)
      // The killed worker's claim has expired; a stuck document causes no work.
      await rows(
        `update fiscal_printers set "claimedUntil" = now() - interval '1 hour' where "life" = '00000000-0000-0000-0000-00000000dead'`,
      )
      const [waiting] = (await atRest(idDesk)).filter(waits)
      if (waiting) expect(waiting.error).not.toBeNull()
      // Repair everything, and open the register's shift by hand.
      await connect(idDesk, 'simulator')
      await play(idDesk, null)
      good(await one.post(`/cash-desks/${idDesk}/queue`, { act: 'openShift' }))
      for (const { id } of good(
        await one.get(`/fiscal-tasks?filter[idDesk]=${idDesk}&filter[status][in]=failed,notConnected`),
      ).items)
        good(await one.post(`/fiscal-tasks/${id}/repair`, { as: 'resend' }))
      let all = await atRest(idDesk)
      // The closing was sent again before a receipt of its shift: the receipt says that it waits for a person.
      if (all.find(waits)?.error?.includes('закрыта: откройте её')) {
        good(await one.post(`/cash-desks/${idDesk}/queue`, { act: 'openShift' }))
        all = await atRest(idDesk)
      }
      expect(all.filter(waits)).toEqual([])
      const printed = await rows<{ key: string; times: number }>(
        'select "key", count(*)::int as times from simulated_documents where "idDesk" = $1 group by 1',
        idDesk,
      )
      expect(printed.filter(({ times }) => times > 1)).toEqual([])
      const keys = new Set(printed.map((one) => one.key))
      for (const task of all) {
        expect([task.key, keys.has(task.key)]).toEqual([task.key, task.status === 'done'])
        // An opening or a closing that the register no longer needs reports it; a number taken by another document is
        // left to a person.
        if (task.status === 'conflict') expect(task.error).toMatch(/другой документ/)
        else if (task.status !== 'done') expect([task.status, task.error, task.kind]).toEqual(settledAside)
      }
    }),
    {
      numRuns: runs(8, 300),
      endOnFailure: true,
      examples: [[['lostAnswer', 'shut', 'sell', 'kill', 'kill', 'close', 'disconnect', 'kill']]],
    },
  )
})
