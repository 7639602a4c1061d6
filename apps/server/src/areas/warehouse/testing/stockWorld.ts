/** A clinic with two warehouses, a supplier, goods and warehouse staff. */
import type { Service } from '@ordinator/model/areas/catalogue/service'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { Organization } from '@ordinator/model/areas/filials/organization'
import { Warehouse } from '@ordinator/model/areas/warehouse/warehouse'
import type { Create } from '@ordinator/model/entity'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, type TestOptions, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { STOCK_DIFFERENCES } from './stockBooks.ts'

export interface StockWorld {
  clinic: Clinic
  keeper: Caller
  main: number
  room: number
  idFilial: number
  idSupplier: number
  /** YYYY-MM-DD; days from today. */
  day(days?: number): string
  product(body?: Partial<Create<typeof Service>>): Promise<number>
  make(body: object, lines?: readonly object[]): Promise<number>
  /** A posted receipt of one good. @returns its document and batch */
  receive(
    idProduct: number,
    qty: number,
    price: number,
    more?: { expiry?: string; series?: string; localDate?: string; idTo?: number },
  ): Promise<{ id: number; idBatch: number }>
  /** The stock by the derived rows. */
  stock(idProduct: number, idWarehouse?: number): Promise<number>
  /** Checks the books: rows equal moves, values equal both, nothing is negative. */
  agree(): Promise<void>
}

export async function stockWorld(options: TestOptions = {}): Promise<StockWorld> {
  let made = { main: 0, room: 0, idFilial: 0, idSupplier: 0, count: 0 }
  const clinic = await testApp({
    ...options,
    async prepare(app) {
      const records = app.engine.for(systemActor)
      const filial = await records.create(Filial, {
        nameFilial: 'Центр',
        timeZone: 'Europe/Moscow',
        mdlpPlace: '00000000100931',
      } as never)
      const supplier = await records.create(Organization, {
        shortName: 'Протек',
        kind: 'supplier',
        inn: '7724053916',
      } as never)
      const main = await records.create(Warehouse, { name: 'Основной', idFilial: filial.id })
      const room = await records.create(Warehouse, { name: 'Процедурный', idFilial: filial.id, kind: 'procedure' })
      await addPerson(app, 'keeper', [
        'warehouseDashboard',
        'editWarehouse',
        'viewAllWarehouses',
        'viewStockReport',
        'viewServices',
        'editServices',
        'editMdlp',
      ])
      made = { main: main.id, room: room.id, idFilial: filial.id, idSupplier: supplier.id, count: 0 }
      await options.prepare?.(app)
    },
  })
  const keeper = clinic.as('keeper')
  const { main, idSupplier } = made
  const query = <R>(text: string, ...values: unknown[]) => clinic.db.query<R>({ text, values })
  const world: StockWorld = {
    clinic,
    keeper,
    ...made,
    day: (days = 0) => plusDays(dayIn('Europe/Moscow', Date.now()), days),
    product: async (body = {}) =>
      good(
        await keeper.post('/services', {
          nameService: `Товар ${++made.count}`,
          serviceCategory: 1,
          unit: 'шт.',
          ...body,
        }),
        201,
      ).id,
    async make(body, lines = []) {
      const { id } = good(await keeper.post('/warehouse/documents', { localDate: world.day(), ...body }), 201)
      for (const line of lines) good(await keeper.post('/warehouse/lines', { idDocument: id, ...line }), 201)
      return id
    },
    async receive(idProduct, qty, price, { expiry, series, localDate, idTo = main } = {}) {
      const id = await world.make({ kind: 'receipt', idTo, idSupplier, ...(localDate && { localDate }) }, [
        { idProduct, qty, price, expiry, series },
      ])
      good(await keeper.post(`/warehouse/documents/${id}/post`, {}))
      const [batch] = await query<{ id: number }>('select id from warehouse_batches where "idDocument" = $1', id)
      return { id, idBatch: batch?.id as number }
    },
    async stock(idProduct, idWarehouse) {
      const [row] = await query<{ qty: number }>(
        'select coalesce(sum(qty), 0)::float8 as qty from warehouse_stock where "idProduct" = $1 and ($2::bigint is null or "idWarehouse" = $2)',
        idProduct,
        idWarehouse ?? null,
      )
      return row?.qty ?? 0
    },
    async agree() {
      const wrong = await query(STOCK_DIFFERENCES)
      if (wrong.length > 0) throw new Error(`the books disagree: ${JSON.stringify(wrong.slice(0, 5))}`)
    },
  }
  return world
}
