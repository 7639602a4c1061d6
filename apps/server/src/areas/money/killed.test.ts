/** A server that is killed (SIGKILL) with a desk's queue, its terminal or an outgoing message in its hands lets them go. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anotherServer, killOthers } from '#testing/anotherServer.ts'
import { good } from '#testing/good.ts'
import { type CashWorld, cashWorld } from './testing/cashWorld.ts'

/** A death is seen after about 5 s; the rest is for a busy machine. A claim by itself would last 60 s. */
const SOON_MS = 30_000
const TIMEOUT = 120_000

let world: CashWorld
let token: string
/** One for each test that kills it; they start at once, which takes a busy machine its time. */
const others: Promise<Awaited<ReturnType<typeof anotherServer>>>[] = []
beforeAll(async () => {
  world = await cashWorld('Клин')
  others.push(anotherServer(world.clinic), anotherServer(world.clinic))
  await world.clinic.app.start()
  token = (await world.cashier.token()) as string
})
afterAll(async () => {
  killOthers()
  await world.clinic.close()
})

const rows = <R>(text: string, ...values: unknown[]) => world.clinic.db.query<R>({ text, values })
const soon = { timeout: SOON_MS, interval: 100 }
const play = async (id: number, device: string, fault: string) =>
  good(await world.keeper.post(`/cash-desks/${id}/simulate`, { device, fault }), 204)

/** A payment that another server takes, and is killed while the device is silent. */
async function dyingOf(device: 'kkt' | 'terminal', method: string, isBegun: () => Promise<unknown[]>) {
  const { idDesk } = await world.openDesk()
  await expect
    .poll(() => rows(`select 1 from fiscal_tasks where "idDesk" = $1 and "status" <> 'done'`, idDesk), soon)
    .toEqual([])
  await play(idDesk, device, 'silentBefore')
  const body = { key: world.key(), idDesk, idCustomer: await world.patient(), parts: [{ method, sum: 100 }] }
  const other = await others.shift()
  if (!other) throw new Error('no other server is left')
  const asked = fetch(`${other.url}/payments/take`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined)
  await expect.poll(isBegun, soon).not.toEqual([])
  await other.kill()
  await asked
  return { idDesk, body }
}

it(
  'the queue of a desk is printed by a survivor within seconds, once',
  async () => {
    const { idDesk } = await dyingOf('kkt', 'cash', () =>
      rows(`select 1 from fiscal_tasks where "kind" = 'sell' and "status" = 'sending'`),
    )
    expect(
      await rows('select 1 from fiscal_printers where "claimedUntil" > now() + interval \'30 seconds\''),
    ).toHaveLength(1)
    await expect
      .poll(
        () => rows(`select "kind" from fiscal_tasks where "idDesk" = $1 and "status" = 'done' order by "id"`, idDesk),
        soon,
      )
      .toEqual([{ kind: 'openShift' }, { kind: 'sell' }])
    expect(await rows('select "kind" from simulated_documents where "idDesk" = $1 order by "fd"', idDesk)).toEqual([
      { kind: 'openShift' },
      { kind: 'sell' },
    ])
  },
  TIMEOUT,
)

it(
  'the terminal is asked again within seconds, and the card is charged once',
  async () => {
    const { idDesk, body } = await dyingOf('terminal', 'card', () =>
      rows('select 1 from terminal_operations where "claimedUntil" > now() + interval \'30 seconds\''),
    )
    expect(await world.cashier.post('/payments/take', body)).toMatchObject({ status: 409, body: { code: 'busy' } })
    await expect.poll(async () => (await world.cashier.post('/payments/take', body)).status, soon).toBeLessThan(300)
    expect(await rows(`select "times" from simulated_charges where "idDesk" = $1 and "kind" = 'pay'`, idDesk)).toEqual([
      { times: 1 },
    ])
  },
  TIMEOUT,
)

it(
  'messages, links and agents that it held are free',
  async () => {
    const dead = randomUUID()
    const [line] = await rows<{ id: number }>(
      `insert into exchange_messages ("dateCreate", "adapter", "direction",
      "operation", "idempotencyKey", "status", "attempts") values (now(), 'webhooks', 'out', 'Проба', $1, 'queued', 0)
      returning "id"::int as id`,
      dead,
    )
    await rows(
      `insert into outbox ("id", "adapter", "lane", "operation", "payload", "state", "claim", "life", "dateDue")
      values ($1, 'webhooks', 'webhooks:killed', 'probe', '{}', 'claimed', $2, $2, now() + interval '1 hour')`,
      line?.id,
      dead,
    )
    const idAgent = good(await world.keeper.post('/desk-agents', { name: 'Осиротевший' }), 201).id
    await rows(
      `insert into desk_agent_lines ("idAgent", "tokenHash", "holder", "seenAt") values ($1, $2, $2 || '/1', now())
      on conflict ("idAgent") do update set "holder" = excluded."holder", "seenAt" = excluded."seenAt"`,
      idAgent,
      dead,
    )
    expect(good(await world.keeper.get(`/desk-agents/${idAgent}`)).isOnline).toBe(true)
    await rows('insert into server_lives ("id", "beat") values ($1, 7)', dead)
    await expect.poll(() => rows('select 1 from server_lives where "id" = $1', dead), soon).toEqual([])
    // It is free, or a live server has claimed it already.
    const held = 'select 1 from outbox where "id" = $1 and "life" = $2 and "dateDue" > now()'
    expect(await rows(held, line?.id, dead)).toEqual([])
    expect(good(await world.keeper.get(`/desk-agents/${idAgent}`)).isOnline).toBe(false)
  },
  TIMEOUT,
)
