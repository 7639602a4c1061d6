/** A server killed (SIGKILL) at any moment of posting and of the exchange with МДЛП loses and duplicates nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { runs } from '@ordinator/model/testing/runs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anotherServer, killOthers } from '#testing/anotherServer.ts'
import { good } from '#testing/good.ts'
import { type MdlpSimulator, startMdlpSimulator } from '#testing/mdlpSimulator.ts'
import { type StockWorld, stockWorld } from './testing/stockWorld.ts'

const ROUNDS = runs(2, 12)
const TIMEOUT = 240_000
const GTIN = '04607143560598'

let mdlp: MdlpSimulator
let world: StockWorld

beforeAll(async () => {
  mdlp = await startMdlpSimulator()
  world = await stockWorld({ env: { MDLP_URL: mdlp.url } })
})
afterAll(async () => {
  killOthers()
  await world.clinic.close()
  await mdlp.close()
})

const query = <R>(text: string, ...values: unknown[]) => world.clinic.db.query<R>({ text, values })

/** Another server of the same clinic, whose jobs run on their own. */
const another = () => anotherServer(world.clinic, { MDLP_URL: mdlp.url })

it(
  'posts a document completely or not at all, and once under repeated requests',
  async () => {
    const goods = [await world.product(), await world.product(), await world.product()]
    for (const idProduct of goods) await world.receive(idProduct, 1_000, 10)
    const documents: number[] = []
    for (let at = 0; at < ROUNDS * 8; at++)
      documents.push(
        await world.make(
          at % 4 === 3
            ? { kind: 'transfer', idFrom: world.main, idTo: world.room }
            : { kind: 'issue', idFrom: world.main },
          goods.map((idProduct) => ({ idProduct, qty: 1 })),
        ),
      )
    const token = (await world.keeper.token()) as string
    for (let round = 0; round < ROUNDS; round++) {
      const other = await another()
      const asked = documents.map((id) =>
        fetch(`${other.url}/warehouse/documents/${id}/post`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ accept: true }),
        }).catch(() => undefined),
      )
      await sleep(20 + Math.random() * 400)
      await other.kill()
      await Promise.all(asked)
      await world.agree()
      expect(
        await query(
          `select d."id" from warehouse_documents d where d."id" = any ($1)
            and (d."status" = 'posted') <> exists (select 1 from warehouse_moves m where m."idDocument" = d."id")`,
          documents,
        ),
      ).toEqual([])
    }
    for (const id of documents) good(await world.keeper.post(`/warehouse/documents/${id}/post`, { accept: true }))
    await world.agree()
    const gone = documents.length
    for (const idProduct of goods) expect(await world.stock(idProduct, world.main)).toBe(1_000 - gone)
    const numbers = await query<{ number: string }>(
      'select "number" from warehouse_documents where "id" = any ($1)',
      documents,
    )
    expect(new Set(numbers.map(({ number }) => number)).size).toBe(gone)
  },
  TIMEOUT,
)

it(
  'a document of МДЛП is imported once, and its packs match the states of МДЛП',
  async () => {
    for (const [name, value] of Object.entries({
      mdlpMode: 'simulator',
      signaturePlugin: 'simulator',
      mdlpClientId: 'clinic',
      mdlpUser: 'chief',
    }))
      await query('insert into common_settings (name, value) values ($1, $2::jsonb)', name, JSON.stringify(value))
    const drug = await world.product({ nameService: 'Кеторолак', gtin: GTIN, isMarked: true })
    const pack = (n: number) => `${GTIN}Kill${String(n).padStart(9, '0')}`
    const count = ROUNDS * 3
    const packs = Array.from({ length: count }, (_, n) => pack(n))
    const receipt = await world.make({ kind: 'opening', idTo: world.main }, [
      { idProduct: drug, qty: count, price: 1, sgtins: packs },
    ])
    good(await world.keeper.post(`/warehouse/documents/${receipt}/post`, {}))
    const [own] = good(await world.keeper.get('/signatures/simulator/certificates')).items
    const thumbprint = own?.thumbprint ?? ''
    const made: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const other = await another()
      for (let at = 0; at < 3; at++) {
        const sgtin = packs[round * 3 + at] as string
        const issue = await world.make({ kind: 'issue', idFrom: world.main }, [
          { idProduct: drug, qty: 1, sgtins: [sgtin] },
        ])
        good(await world.keeper.post(`/warehouse/documents/${issue}/post`, {}))
        const { id } = good(await world.keeper.post(`/warehouse/documents/${issue}/mdlp`, {}))
        const { content } = good(await world.keeper.get(`/mdlp/documents/${id}/content`))
        const { signature } = good(await world.keeper.post('/signatures/simulator/sign', { thumbprint, content }))
        mdlp.mood = at === 1 ? 'lost' : 'accepts'
        good(await world.keeper.post(`/mdlp/documents/${id}/sign`, { signature }))
        made.push(id)
      }
      await sleep(Math.random() * 800)
      await other.kill()
      await later()
    }
    mdlp.mood = 'accepts'
    await expect
      .poll(
        async () => {
          await later()
          await world.clinic.context.outbox.run('mdlp')
          return (await query(`select 1 from outbox where "adapter" = 'mdlp'`)).length
        },
        { timeout: 60_000 },
      )
      .toBe(0)
    expect(
      await query(`select "id" from mdlp_documents where "id" = any ($1) and "status" <> 'processed'`, made),
    ).toEqual([])
    const sent = mdlp.documents.map(({ xml }) => /<sgtin>([^<]+)/.exec(xml)?.[1])
    expect(sent.toSorted()).toEqual(packs)
    expect(
      await query(`select 1 from mdlp_codes where "sgtin" = any ($1) and "status" <> 'out_of_circulation'`, packs),
    ).toEqual([])
  },
  TIMEOUT,
)

/** Moves time forward: claims of killed processes expire, retries and receipts are due. */
async function later(): Promise<void> {
  await query(`update outbox set "dateDue" = now() where "state" in ('waiting', 'awaiting', 'claimed')`)
  await query('delete from outbox_lanes')
}
