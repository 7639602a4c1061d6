/** Jobs are idle when nothing changes, even if outside systems do not answer. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CashWorld, cashWorld } from '#areas/money/testing/cashWorld.ts'
import { good } from '#testing/good.ts'
import { statements } from '#testing/statements.ts'

/** Statements per second of all jobs together, with the beat of the process (life.ts), and how long they are counted. */
const MOST_A_SECOND = 7
/** In the minute in which jobs of every 5, 10 and 60 minutes run too; the mean of an hour stays at about 5. */
const MOST_WITH_RARE_JOBS = 12
const COUNTED_MS = 60_000
const RARE_MS = 5 * 60_000
const MOST_WINDOWS = 3
/** A port without a listener. */
const NOBODY = '127.0.0.1:1'

let world: CashWorld
beforeAll(async () => {
  world = await cashWorld('Псков', 'Europe/Moscow', {
    outbound: { allow: ['127.0.0.1'], timeout: 500 },
    env: { SMS_URL: `http://${NOBODY}`, AMI_URL: `ami://a:b@${NOBODY}` },
  })
  await world.clinic.app.start()
})
afterAll(() => world.clinic.close())

const desks: number[] = []
/** A desk in a stuck state: a sale, a closing and an opening wait for the cash register. */
async function stuck(fault: string): Promise<void> {
  const { one, key } = world
  const { idDesk, idShift } = await world.openDesk()
  desks.push(idDesk)
  await expect.poll(async () => good(await one.get(`/cash-desks/${idDesk}/state`)).queue).toEqual([])
  good(await one.post(`/cash-desks/${idDesk}/simulate`, { device: 'kkt', fault }), 204)
  const parts = [{ method: 'cash', sum: 100 }]
  good(await one.post('/payments/take', { key: key(), idDesk, idCustomer: await world.patient(), parts }))
  await one.post(`/cash-shifts/${idShift}/close`, { key: key(), counted: 100 })
  await one.post('/cash-shifts/open', { key: key(), idDesk })
}

const written = async () =>
  (await world.clinic.db.one<{ n: number }>({ text: 'select count(*)::int as n from history' }))?.n

test('all jobs together send few statements and write no history, in every state that is stuck', async () => {
  for (const fault of ['offline', 'noPaper', 'driveFull']) await stuck(fault)
  // The first pass of the rollups makes their tables.
  await expect
    .poll(() => world.clinic.db.one({ text: `select count(*) > 0 as made from report_rollups` }))
    .toEqual({ made: true })
  // Recent changes are still being processed.
  await expect
    .poll(async () => {
      const before = await written()
      await sleep(1_000)
      return (await written()) === before
    })
    .toBe(true)
  // A job that runs each minute may still settle something in the first window.
  for (let windows = 1; ; windows++) {
    const before = await written()
    const [began, beganAt] = [performance.now(), Date.now()]
    const { count, texts } = await statements(() => sleep(COUNTED_MS))
    const seconds = (performance.now() - began) / 1_000
    if ((await written()) !== before && windows < MOST_WINDOWS) continue
    expect(await written()).toBe(before)
    const hasRare = Math.floor(beganAt / RARE_MS) !== Math.floor(Date.now() / RARE_MS)
    const most = hasRare ? MOST_WITH_RARE_JOBS : MOST_A_SECOND
    expect(count / seconds, texts().slice(0, 10).join('\n')).toBeLessThanOrEqual(most)
    return
  }
})
