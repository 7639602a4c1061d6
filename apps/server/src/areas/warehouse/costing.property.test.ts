/**
 * Property tests of the value of stock: random documents, cancellations and back-dated ones against a reference that
 * knows no batches, no corrections and no SQL.
 */
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type StockWorld, stockWorld } from './testing/stockWorld.ts'

let world: StockWorld
beforeAll(async () => {
  world = await stockWorld()
})
afterAll(() => world.clinic.close())

const query = <R>(text: string, ...values: unknown[]) => world.clinic.db.query<R>({ text, values })
const method = (value: 'average' | 'fifo') =>
  query(
    `insert into common_settings (name, value) values ('costMethod', to_jsonb($1::text)) on conflict (name) do update set value = excluded.value`,
    value,
  )
const post = (id: number) => world.keeper.post(`/warehouse/documents/${id}/post`, { accept: true })
const unpost = (id: number) => world.keeper.post(`/warehouse/documents/${id}/unpost`, {})
const worth = async (idProduct: number) =>
  Object.fromEntries(
    (
      await query<{ id: number; qty: number; cost: number }>(
        `select "idWarehouse" as id, (qty * 1000)::float8 as qty, (cost * 100)::float8 as cost from warehouse_values where "idProduct" = $1`,
        idProduct,
      )
    ).map(({ id, qty, cost }) => [id, [qty, cost]]),
  )

interface Step {
  act: 'receipt' | 'issue' | 'there' | 'back' | 'issueThere' | 'cancel' | 'revaluation'
  qty: number
  kopecks: number
  daysAgo: number
}
const step = fc.record<Step>({
  act: fc.constantFrom(
    'receipt',
    'receipt',
    'receipt',
    'issue',
    'issue',
    'there',
    'back',
    'issueThere',
    'cancel',
    'cancel',
    'revaluation',
  ),
  qty: fc.constantFrom(1, 333, 500, 1_000, 1_500, 3_000, 7_000, 10_000),
  kopecks: fc.integer({ min: 0, max: 99_999 }),
  daysAgo: fc.constantFrom(0, 0, 0, 3, 9),
})
const steps = fc.array(step, { minLength: 6, maxLength: 18 })

/** A document of the reference: what it moves, and what it is worth. */
interface Moved {
  id: number
  /** Receipt: kopecks of the paper. Revaluation: kopecks of a unit. */
  paper: number
  from?: number
  to?: number
  qty: number
  cost: number
  isRevaluation: boolean
}

const round = (a: number, b: number, c: number): number => {
  const twice = (2n * BigInt(a) * BigInt(b)) / BigInt(c)
  return Number((twice + (twice < 0n ? -1n : 1n)) / 2n)
}

/** The mean of a good over documents in the order of posting. */
class Reference {
  documents: Moved[] = []
  /** Value of a warehouse by the documents before a place. */
  private at(place: number, before: number): [qty: number, cost: number] {
    let [qty, cost] = [0, 0]
    for (const one of this.documents.slice(0, before)) {
      if (one.to === place) [qty, cost] = [qty + one.qty, cost + one.cost]
      if (one.from === place)
        [qty, cost] = one.isRevaluation ? [qty, cost + one.cost] : [qty - one.qty, cost - one.cost]
    }
    return [qty, cost]
  }
  private price(one: Moved, [qty, cost]: [number, number]): number {
    if (one.isRevaluation) return round(one.paper, qty, 1000) - cost
    return one.qty === qty ? cost : round(cost, one.qty, qty)
  }
  add(one: Moved): void {
    one.cost = one.from === undefined ? one.paper : this.price(one, this.at(one.from, this.documents.length))
    this.documents.push(one)
  }
  cancel(id: number): void {
    const index = this.documents.findIndex((one) => one.id === id)
    const [gone] = this.documents.splice(index, 1)
    // An issue comes back at what it was worth; an arrival prices again all that came after it.
    const touched = new Set([gone?.to, gone?.isRevaluation ? gone.from : undefined].filter((one) => one !== undefined))
    if (touched.size === 0) return
    const kept = new Set<Moved>()
    for (let at = index; at < this.documents.length; at++) {
      const one = this.documents[at] as Moved
      if (one.from === undefined || !touched.has(one.from) || kept.has(one)) continue
      // A piece that came later only: its issue is taken after it.
      const [has] = this.at(one.from, at)
      const next = this.documents.findIndex((other, place) => place > at && other.to === one.from)
      if (!one.isRevaluation && has < one.qty && next > at) {
        const arrival = this.documents[next] as Moved
        // What comes is what has gone: there and back, of the cancelled document. Both keep their cost.
        if (arrival.from !== undefined && arrival.from === one.to) {
          this.documents.splice(next - 1, 0, ...this.documents.splice(at, 1))
          kept.add(one).add(arrival)
          at--
          continue
        }
        this.documents.splice(next, 0, ...this.documents.splice(at, 1))
        at--
        continue
      }
      one.cost = this.price(one, this.at(one.from, at))
      if (one.to !== undefined) touched.add(one.to)
    }
  }
  value(place: number): [number, number] {
    return this.at(place, this.documents.length)
  }
}

/** Sends the steps, each after the one before. @returns the reference of what was accepted */
async function carry(all: readonly Step[], idProduct: number): Promise<Reference> {
  const { main, room, idSupplier, day } = world
  const reference = new Reference()
  for (const { act, qty: thousandths, kopecks, daysAgo } of all) {
    if (act === 'cancel') {
      const { id } = reference.documents[kopecks % Math.max(1, reference.documents.length)] ?? {}
      if (id === undefined) continue
      const { status } = await unpost(id)
      expect([200, 409]).toContain(status)
      if (status === 200) reference.cancel(id)
      continue
    }
    const places = {
      receipt: { to: main },
      issue: { from: main },
      there: { from: main, to: room },
      back: { from: room, to: main },
      issueThere: { from: room },
      revaluation: { from: main },
    }[act] as { from?: number; to?: number }
    const kind = {
      receipt: 'receipt',
      issue: 'issue',
      there: 'transfer',
      back: 'transfer',
      issueThere: 'issue',
      revaluation: 'revaluation',
    }[act]
    const id = await world.make(
      { kind, localDate: day(-daysAgo), idFrom: places.from, idTo: places.to, idSupplier, reason: 'Проверка' },
      [
        {
          idProduct,
          qty: thousandths / 1000,
          ...(act === 'receipt' && { sum: kopecks / 100 }),
          ...(act === 'revaluation' && { price: kopecks / 100 }),
        },
      ],
    )
    const { status } = await post(id)
    expect([200, 422]).toContain(status)
    if (status === 200)
      reference.add({ id, paper: kopecks, ...places, qty: thousandths, cost: 0, isRevaluation: act === 'revaluation' })
  }
  return reference
}

describe.each(['average', 'fifo'] as const)('by %s', (by) => {
  beforeEach(() => method(by))

  it('the value of stock is that of its documents, and zero pieces are worth zero', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const idProduct = await world.product()
        const reference = await carry(all, idProduct)
        await world.agree()
        const worths = await worth(idProduct)
        for (const place of [world.main, world.room]) {
          const [qty, cost] = reference.value(place)
          if (by === 'average') expect(worths[place] ?? [0, 0]).toEqual([qty, cost])
          else expect(worths[place]?.[0] ?? 0).toBe(qty)
        }
        if (by === 'average' || all.some(({ act }) => act === 'revaluation')) return
        // What came of a batch is what is left of it and what went, to the kopeck; an empty batch is worth nothing.
        const batches = await query<{ bought: number; total: number; empty: number }>(
          `select l.sum::float8 as bought, coalesce(sum(m.cost), 0)::float8 as total,
              (select count(*) from warehouse_stock s where s."idBatch" = b.id and s.qty = 0 and s.cost <> 0)::int as empty
            from warehouse_batches b join warehouse_documents d on d.id = b."idDocument" and d.status = 'posted'
            join warehouse_lines l on l."idDocument" = d.id
            left join warehouse_moves m on m."idBatch" = b.id and m.kind in ('receipt', 'transfer')
            where b."idProduct" = $1 and exists (select 1 from warehouse_stock s where s."idBatch" = b.id)
              and not exists (select 1 from warehouse_moves r where r."idBatch" = b.id and r.kind = 'receipt' and r."idReverses" is not null)
            group by b.id, l.sum`,
          idProduct,
        )
        for (const { bought, total, empty } of batches) expect([total, empty]).toEqual([bought, 0])
      }),
      { numRuns: runs(5, 200), endOnFailure: true },
    )
  })

  it('a cancelled receipt gives its price back, whatever went out since', async () => {
    const idProduct = await world.product()
    const first = await world.receive(idProduct, 10, 100)
    const second = await world.receive(idProduct, 10, 200)
    const issue = await world.make({ kind: 'issue', idFrom: world.main }, [{ idProduct, qty: 10 }])
    good(await post(issue))
    good(await unpost(second.id))
    expect(await worth(idProduct)).toEqual({ [world.main]: [0, 0] })
    expect(good(await world.keeper.get(`/warehouse/documents/${issue}`)).sum).toBe(1000)
    // The next mean is that of what lies there.
    await world.receive(idProduct, 4, 50)
    expect(await worth(idProduct)).toEqual({ [world.main]: [4_000, 20_000] })
    expect((await unpost(first.id)).status).toBe(409)
    await world.agree()
  })
})

it('by average, a line out of several batches is rounded once, also when it is priced again', async () => {
  await method('average')
  const idProduct = await world.product()
  await world.receive(idProduct, 1.5, 42.39)
  await world.receive(idProduct, 10, 30.89)
  const revalue = async (price: number) => {
    const id = await world.make({ kind: 'revaluation', idFrom: world.main, reason: 'Проверка' }, [
      { idProduct, qty: 1, price },
    ])
    good(await post(id))
    return id
  }
  await revalue(41.27)
  const mistaken = await revalue(50)
  const issue = await world.make({ kind: 'issue', idFrom: world.main }, [{ idProduct, qty: 10 }])
  expect(good(await post(issue)).sum).toBe(500)
  good(await unpost(mistaken))
  // 11.5 pieces are worth 474.61; 1.5 and 8.5 of them rounded each would be 412.71.
  expect(good(await world.keeper.get(`/warehouse/documents/${issue}`)).sum).toBe(412.7)
  await world.agree()
})

it('by batch, the sum of a batch is kept: what goes out is its share, the last piece takes the rest', async () => {
  await method('fifo')
  const cheap = await world.product()
  const receive = async (idProduct: number, qty: number, sum: number) => {
    const id = await world.make({ kind: 'receipt', idTo: world.main, idSupplier: world.idSupplier }, [
      { idProduct, qty, sum },
    ])
    good(await post(id))
  }
  const issue = async (idProduct: number, qty: number) => {
    const id = await world.make({ kind: 'issue', idFrom: world.main }, [{ idProduct, qty }])
    return good(await post(id)).sum
  }
  await receive(cheap, 1000, 4)
  expect([await issue(cheap, 500), await issue(cheap, 500)]).toEqual([2, 2])
  const three = await world.product()
  await receive(three, 3, 100)
  await receive(three, 10, 1000)
  const parts = [await issue(three, 1), await issue(three, 1), await issue(three, 1)]
  expect(parts.reduce((sum, one) => sum + Math.round(one * 100), 0)).toBe(10_000)
  expect(await worth(three)).toEqual({ [world.main]: [10_000, 100_000] })
})

it('after a change of method the value of the good is divided, and nothing is left at the end', async () => {
  await method('average')
  const idProduct = await world.product()
  await world.receive(idProduct, 10, 100)
  await world.receive(idProduct, 10, 200)
  const issue = async (qty: number) => {
    const id = await world.make({ kind: 'issue', idFrom: world.main }, [{ idProduct, qty }])
    return good(await post(id)).sum
  }
  expect(await issue(10)).toBe(1500)
  await method('fifo')
  expect([await issue(9), await issue(1)]).toEqual([1350, 150])
  expect(await worth(idProduct)).toEqual({ [world.main]: [0, 0] })
  await world.agree()
})
