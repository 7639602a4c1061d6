/** Time of a receipt from the button to «напечатан», with a cash register that prints instantly. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { startKktSimulator } from '../apps/server/src/testing/kktSimulator.ts'
import type { BenchClinic } from './clinic.ts'
import { type Ask, must, type Place } from './connectPlace.ts'
import { type Line, median, ms } from './table.ts'

export const RECEIPTS = 30
const OVER_MS = 300

export async function timeOfReceipts(
  ask: Ask,
  { client }: BenchClinic,
  kkts: Awaited<ReturnType<typeof startKktSimulator>>[],
  place: Place,
): Promise<Line[]> {
  const [kkt] = kkts
  const [idDesk] = place.idDesks
  if (!kkt) throw new Error('no register')
  kkt.mood = 'works'
  for (const one of kkts) one.printMs = 0
  for (let tries = 0; tries < 100; tries++) {
    const { rows } = await client.query(`select 1 from desk_agents where "dateSeen" > now() - interval '1 minute'`)
    if (rows.length) break
    await sleep(200)
  }
  const times: number[] = []
  const taken: number[] = []
  const own: number[] = []
  for (let at = 0; at < RECEIPTS; at++) {
    own.push(await timeOfRegister(kkt.url))
    const began = performance.now()
    const { id } = await must(
      ask('POST', '/payments/take', {
        ...{ key: `bench-time-${at}`, idDesk, idCustomer: place.customers[0] },
        parts: [{ method: 'cash', sum: 10 }],
      }),
    )
    taken.push(performance.now() - began)
    for (;;) {
      const { rows } = await client.query(`select 1 from fiscal_tasks where "idPayment" = $1 and "status" = 'done'`, [
        id,
      ])
      if (rows.length) break
      if (performance.now() - began > 60_000) throw new Error('a receipt was not printed within a minute')
      await sleep(5)
    }
    times.push(performance.now() - began)
  }
  const [whole, self] = [median(times), median(own)]
  const over = whole - self
  return [
    {
      what: 'a receipt: the button → printed, above the register’s own time, median',
      product: ms(over),
      yardstick: ms(self),
      ratio: whole / self,
      goal: { text: `≤ ${OVER_MS} ms`, met: over <= OVER_MS },
    },
    { what: 'of it until the payment is taken', product: ms(median(taken)) },
  ]
}

/** The register alone, asked directly as a receipt asks it: its state, then a document; each is posted and read. */
async function timeOfRegister(url: string): Promise<number> {
  const began = performance.now()
  for (const types of [['getFnInfo', 'getFnStatus', 'getShiftStatus'], ['getFnStatus']]) {
    const uuid = randomUUID()
    const body = JSON.stringify({ uuid, request: types.map((type) => ({ type })) })
    const headers = { 'content-type': 'application/json' }
    await (await fetch(`${url}/api/v2/requests`, { method: 'POST', headers, body })).text()
    await (await fetch(`${url}/api/v2/requests/${uuid}`)).text()
  }
  return performance.now() - began
}
