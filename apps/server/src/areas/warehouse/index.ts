import { Climate } from '@ordinator/model/areas/warehouse/climate'
import { Batch, Stock, StockMove } from '@ordinator/model/areas/warehouse/stock'
import { Warehouse } from '@ordinator/model/areas/warehouse/warehouse'
import sql from 'sql-template-tag'
import type { Area } from '#records/area.ts'
import { records } from '#records/define.ts'
import { startAlerts } from './alerts.ts'
import { demo } from './demo.ts'
import { documents, lines } from './documents.ts'
import { goodsNames } from './goodsMatch.ts'
import { importFile } from './importFile.ts'
import { check, count, countStart, counts, recount, sheet } from './inventory.ts'
import { lineList, scan } from './lines.ts'
import { differences, mdlpCodes, mdlpDocuments, state } from './mdlp/documents.ts'
import { code, login, mdlpAdapters, startMdlp, sync } from './mdlp/exchange.ts'
import { send } from './mdlp/outgoing.ts'
import { acceptMdlp, codes, openBox, refuse, scanCode } from './mdlp/receiving.ts'
import { schemas } from './mdlp/schemaSets.ts'
import { content, recall, retry, sign } from './mdlp/signing.ts'
import { order, orderDrafts } from './order.ts'
import { accept, copy, post, unpost } from './posting.ts'
import { holdSeries } from './recalls.ts'
import { balance, card, patients, pku, summary } from './reports.ts'
import { byWarehouse, isMine } from './scope.ts'

export { unitCostsAt, writtenOff } from './balances.ts'
export { settleMaterials } from './materials.ts'

const batches = records(Batch, {
  scope: {
    unless: 'viewAllWarehouses',
    // Scope of a batch: it is, or was, in a warehouse of the user.
    view: ({ row, me }) => sql`exists (select 1 from warehouse_stock s where s."idBatch" = ${row}."id"
      and ${isMine(sql`s."idWarehouse"`, me)})`,
  },
  found: {
    on: 'batches',
    group: 'Партии товаров',
    by: ['series'],
    opens: ({ row }) => sql`'/warehouse/batches?open=' || ${row}."id"`,
    hint: ({ row }) => sql`(select p."nameService" from services p where p."id" = ${row}."idProduct")`,
  },
  hooks: {
    async afterUpdate({ records: inside, tx }, row, before) {
      await holdSeries(inside, tx, row, before)
    },
  },
  computed: {
    onHand: ({ row, andOwnBranch }) => {
      const own = andOwnBranch(sql`(select w."idFilial" from warehouses w where w."id" = s."idWarehouse")`)
      return sql`(select coalesce(sum(s."qty"), 0) from warehouse_stock s where s."idBatch" = ${row}."id"${own})`
    },
  },
})

const stock = records(Stock, {
  scope: byWarehouse,
  computed: { free: ({ row }) => sql`${row}."qty" - ${row}."reserved"` },
})

/** Goods: the stock ledger, documents, inventories, norms, marked goods. */
export const warehouse: Area = {
  name: 'warehouse',
  title: 'Склад',
  records: [
    records(Warehouse),
    documents,
    lines,
    batches,
    stock,
    records(StockMove, { scope: byWarehouse }),
    counts,
    goodsNames,
    records(Climate, { scope: byWarehouse }),
    mdlpDocuments,
    mdlpCodes,
  ],
  counts: [balance],
  operations: [
    lineList,
    post,
    accept,
    unpost,
    copy,
    scan,
    importFile,
    countStart,
    sheet,
    count,
    recount,
    check,
    card,
    summary,
    order,
    orderDrafts,
    patients,
    pku,
    codes,
    scanCode,
    acceptMdlp,
    refuse,
    send,
    retry,
    recall,
    content,
    sign,
    code,
    login,
    sync,
    openBox,
    differences,
    state,
    schemas,
  ],
  adapters: mdlpAdapters,
  demo,
  start(app) {
    startAlerts(app)
    startMdlp(app)
  },
}
