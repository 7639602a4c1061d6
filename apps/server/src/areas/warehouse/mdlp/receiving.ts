/** Incoming documents of МДЛП: their codes, scanned boxes, acceptance and refusal. */

import { DocumentLine, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { notFoundHint } from '@ordinator/model/areas/warehouse/gs1'
import { MdlpDocument, mdlpStatuses } from '@ordinator/model/areas/warehouse/mdlp'
import { mdlpCalls } from '@ordinator/model/areas/warehouse/mdlpCalls'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { readCode } from '../lines.ts'
import { assertMine } from '../scope.ts'
import { setCodes } from './codes.ts'
import { held, type MdlpRow } from './documents.ts'
import { makeOutgoing, todayOf } from './outgoing.ts'

function assertIncoming({ status, direction }: MdlpRow): void {
  if (direction !== 'in' || status !== 'incoming')
    throw new HttpError(409, `Документ «${mdlpStatuses[status as keyof typeof mdlpStatuses]}»: решение уже принято`, {
      code: 'transition',
    })
}

interface DocumentCode {
  sgtin: string
  sscc: string | null
  product: string | null
  price: number | null
  scanned: boolean
}

export const codes = operation(mdlpCalls.codes, async ({ app, records, params }) => {
  await records.row(MdlpDocument, params.id)
  return {
    items: await app.db.reads.query<DocumentCode>(sql`
      select c."sgtin", c."sscc", p."nameService" as product, c."price"::float8 as price, c."scanned"
      from mdlp_document_codes c left join lateral (select "nameService" from services where "gtin" = left(c."sgtin", 14) and not "deleted" order by "id" limit 1) p on true
      where c."idDocument" = ${params.id} order by c."sgtin" limit 25000`),
  }
})

export const scanCode = operation(mdlpCalls.scan, ({ records, params, body }) =>
  records.tx(async (inside, tx) => {
    const document = await held(inside, tx, params.id)
    assertIncoming(document)
    const code = readCode(body.code)
    const which = code.kind === 'box' ? sql`"sscc" = ${code.sscc}` : sql`"sgtin" = ${code.sgtin ?? ''}`
    const found = await tx.query<{ before: boolean }>(sql`
      with found as (select "sgtin", "scanned" from mdlp_document_codes where "idDocument" = ${params.id} and ${which})
      update mdlp_document_codes c set "scanned" = true from found f where c."idDocument" = ${params.id} and c."sgtin" = f."sgtin"
      returning f."scanned" as before`)
    if (found.length === 0)
      throw new ValidationError([
        {
          field: 'code',
          message: code.serial
            ? `Кода нет в этом документе. ${notFoundHint(code.serial)}`
            : 'Кода нет в этом документе',
        },
      ])
    if (found.every(({ before }) => before))
      throw new ValidationError([{ field: 'code', message: 'Этот код уже отсканирован' }])
    const sums = await tx.one<{
      scanned: number
      total: number
    }>(sql`select count(*) filter (where "scanned")::int as scanned,
      count(*)::int as total from mdlp_document_codes where "idDocument" = ${params.id}`)
    return {
      message: `Отсканировано ${sums?.scanned} из ${sums?.total}`,
      scanned: sums?.scanned ?? 0,
      total: sums?.total ?? 0,
    }
  }),
)

export const acceptMdlp = operation(mdlpCalls.accept, ({ app, records, actor, params, body }) =>
  records.tx(async (inside, tx) => {
    const document = await held(inside, tx, params.id)
    assertIncoming(document)
    await assertMine(tx, actor, [body.idWarehouse])
    const rows = await tx.query<{
      sgtin: string
      sscc: string | null
      price: string | null
      scanned: boolean
      idProduct: number | null
      series: string | null
      expiry: string | null
    }>(sql`
      select c."sgtin", c."sscc", c."price"::text as price, c."scanned", (select min(p."id") from services p where p."gtin" = left(c."sgtin", 14) and not p."deleted") as "idProduct",
        k."series", k."expiry"::text as expiry
      from mdlp_document_codes c left join mdlp_codes k on k."sgtin" = c."sgtin" where c."idDocument" = ${params.id} order by c."sgtin"`)
    const taken = body.only === 'all' ? rows : rows.filter(({ scanned }) => scanned)
    if (taken.length === 0)
      throw new ValidationError([
        { field: 'only', message: 'Ничего не отсканировано: откажитесь от документа целиком' },
      ])
    const unknown = taken.find(({ idProduct }) => idProduct === null)
    if (unknown)
      throw new ValidationError([
        { field: 'only', message: `Товара с GTIN ${unknown.sgtin.slice(0, 14)} нет: впишите GTIN в карточку товара` },
      ])
    const system = inside.asSystem
    const supplier = await tx.one<{ id: number }>(
      sql`select "id" from organizations where ("shortName" = ${document.partner} or "fullName" = ${document.partner}) and not "deleted" limit 1`,
    )
    const stock = await system.create(WarehouseDocument, {
      kind: 'receipt',
      localDate: await todayOf(tx),
      idTo: body.idWarehouse,
      idSupplier: supplier?.id ?? null,
      externalNumber: document.number,
      externalDate: document.docDate,
      comment: 'Из МДЛП',
    })
    const groups = [...Map.groupBy(taken, ({ idProduct, price, series }) => `${idProduct}|${price}|${series}`).values()]
    await system.createMany(
      DocumentLine,
      groups.map((group) => ({
        idDocument: stock.id,
        idProduct: group[0]?.idProduct,
        qty: group.length,
        price: group[0]?.price == null ? null : Number(group[0].price),
        sum: group[0]?.price == null ? null : (Math.round(Number(group[0].price) * 100) * group.length) / 100,
        series: group[0]?.series,
        expiry: group[0]?.expiry,
        gtin: group[0]?.sgtin.slice(0, 14),
        sgtins: group.slice(0, 1000).map(({ sgtin }) => sgtin),
      })),
      { pastHooks: 'A draft that is made here' },
    )
    await makeOutgoing(app, inside, tx, {
      schema: 701,
      items: taken.map(({ sgtin }) => ({ sgtin })),
      idWarehouse: body.idWarehouse,
      partner: await senderOf(tx, params.id),
      idAnswerTo: params.id,
      idStockDocument: stock.id,
    })
    const left = rows.filter((row) => !taken.includes(row))
    if (left.length > 0)
      await makeOutgoing(app, inside, tx, {
        schema: 252,
        items: left.map(({ sgtin }) => ({ sgtin })),
        idWarehouse: body.idWarehouse,
        partner: await senderOf(tx, params.id),
        reason: 'Не поступило: расхождение при приёмке',
        idAnswerTo: params.id,
      })
    await setCodes(
      system,
      taken.map(({ sgtin }) => sgtin),
      { status: 'awaiting', idWarehouse: body.idWarehouse },
    )
    const done = await system.update(MdlpDocument, params.id, {
      status: left.length > 0 ? 'partial' : 'processed',
      idStockDocument: stock.id,
    })
    return { document: done, idStockDocument: stock.id }
  }),
)

export const refuse = operation(mdlpCalls.refuse, ({ app, records, params, body }) =>
  records.tx(async (inside, tx) => {
    const document = await held(inside, tx, params.id)
    assertIncoming(document)
    const items = await tx.query<{ sgtin: string }>(
      sql`select "sgtin" from mdlp_document_codes where "idDocument" = ${params.id}`,
    )
    await makeOutgoing(app, inside, tx, {
      schema: 252,
      items,
      idWarehouse: null,
      partner: await senderOf(tx, params.id),
      reason: body.reason,
      idAnswerTo: params.id,
    })
    await setCodes(
      inside.asSystem,
      items.map(({ sgtin }) => sgtin),
      { status: 'foreign' },
    )
    return inside.asSystem.update(MdlpDocument, params.id, {
      status: 'failed',
      errors: [{ message: `Отказ: ${body.reason}` }],
    })
  }),
)

const senderOf = async (tx: Queryable, idDocument: number): Promise<string | null> =>
  (
    await tx.one<{ sender: string | null }>(
      sql`select "facts" ->> 'sender' as sender from mdlp_bodies where "idDocument" = ${idDocument}`,
    )
  )?.sender ?? null

export const openBox = operation(mdlpCalls.openBox, ({ app, records, body }) =>
  records.tx(async (inside, tx) => {
    const code = readCode(body.code)
    if (code.kind !== 'box')
      throw new ValidationError([{ field: 'code', message: 'Это не короб: сканируйте SSCC, 18 цифр' }])
    const packs = await tx.query<{ idWarehouse: number | null }>(
      sql`select "idWarehouse" from mdlp_codes where "sscc" = ${code.sscc} for no key update`,
    )
    if (packs.length === 0) throw new ValidationError([{ field: 'code', message: 'Такого короба у вас нет' }])
    const made = await makeOutgoing(app, inside, tx, {
      schema: 912,
      items: [{ sscc: code.sscc as string }],
      idWarehouse: packs[0]?.idWarehouse ?? null,
      partner: null,
    })
    return made
  }),
)
