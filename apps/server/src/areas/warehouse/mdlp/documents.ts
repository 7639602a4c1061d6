/** Documents of МДЛП: incoming ones to accept or refuse, outgoing ones of stock documents, and their codes. */
import { randomUUID } from 'node:crypto'
import { mdlpCalls } from '@ordinator/model/areas/warehouse/calls'
import { DocumentLine, documentKinds, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { notFoundHint } from '@ordinator/model/areas/warehouse/gs1'
import {
  type CodeStatus,
  codeStatuses,
  MdlpCode,
  MdlpDocument,
  type MdlpSchema,
  mdlpStatuses,
  recalledBy250,
} from '@ordinator/model/areas/warehouse/mdlp'
import type { BodyOf } from '@ordinator/model/call'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import { checkSignature } from '#areas/signatures/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { badRequest, HttpError, ValidationError } from '#platform/errors.ts'
import { type XmlFault, type XsdSchema, xmlOf } from '#platform/xml/xml.ts'
import { checkedZip } from '#platform/zip.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { readCode } from '../lines.ts'
import { assertMine, isMine, seenBy } from '../scope.ts'
import { queueDocument } from './adapter.ts'
import { dropDocument, schemaOfKind, setCodes } from './codes.ts'
import { type Destruction, type MdlpItem, writeDocument } from './xml.ts'

export type MdlpRow = Row<typeof MdlpDocument>

export const mdlpDocuments = records(MdlpDocument, {
  computed: {
    codesCount: ({ row }) => sql`(select count(*)::int from mdlp_document_codes c where c."idDocument" = ${row}."id")`,
  },
})

export const mdlpCodes = records(MdlpCode, {
  scope: {
    unless: 'viewAllWarehouses',
    view: ({ row, me }) => sql`(${row}."idWarehouse" is null or ${isMine(sql`${row}."idWarehouse"`, me)})`,
  },
})

/** The document, locked. */
async function held(records: Records, tx: Tx, id: number): Promise<MdlpRow> {
  await tx.query(sql`select 1 from mdlp_documents where "id" = ${id} for no key update`)
  return records.row(MdlpDocument, id)
}

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
      })) as never,
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
    } as never)
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
    } as never)
  }),
)

const senderOf = async (tx: Queryable, idDocument: number): Promise<string | null> =>
  (
    await tx.one<{ sender: string | null }>(
      sql`select "facts" ->> 'sender' as sender from mdlp_bodies where "idDocument" = ${idDocument}`,
    )
  )?.sender ?? null
const todayOf = async (tx: Queryable): Promise<string> =>
  (await tx.one<{ day: string }>(sql`select ${clinicToday}::text as day`))?.day ?? ''

export const send = operation(mdlpCalls.send, ({ app, records, params, body }) =>
  records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from warehouse_documents where "id" = ${params.id} for no key update`)
    const document = await inside.row(WarehouseDocument, params.id)
    if (!['posted', 'inTransit'].includes(document.status))
      throw new HttpError(409, 'Сначала проведите документ', { code: 'transition' })
    const plan = schemaOfKind[document.kind]
    if (!plan)
      throw new HttpError(409, `О документе «${documentKinds[document.kind]}» в МДЛП не сообщают`, { code: 'mdlp' })
    if (body.destruction && document.kind !== 'writeOff')
      throw new ValidationError([{ field: 'destruction', message: 'На уничтожение передают списанное' }])
    const known = await tx.one<{ id: number }>(
      sql`select "id" from mdlp_documents where "idStockDocument" = ${params.id} and "direction" = 'out'
        and "status" not in ('failed', 'cancelled') and "schema" <> '250' limit 1`,
    )
    if (known) return inside.row(MdlpDocument, known.id)
    const items = await tx.query<{ sgtin: string; cost: string | null }>(sql`
      select s as sgtin, round(l."sum" / l."qty", 2)::text as cost from warehouse_lines l, unnest(l."sgtins") s where l."idDocument" = ${params.id} order by l."id"`)
    if (items.length === 0)
      throw new ValidationError([
        { field: 'lines', message: 'В строках документа нет кодов маркировки: отсканируйте их' },
      ])
    const gone = await tx.one<{ sgtin: string; status: CodeStatus }>(sql`select "sgtin", "status" from mdlp_codes
      where "sgtin" = any (${items.map(({ sgtin }) => sgtin)}::text[])
        and "status" in ('out_of_circulation', 'shipped', 'foreign', 'destroying', 'awaiting') order by "id" limit 1`)
    if (gone && document.kind !== 'receipt')
      throw new ValidationError([
        {
          field: 'lines',
          message:
            gone.status === 'awaiting'
              ? `Код ${gone.sgtin} ждёт ответа МДЛП по другому документу: сообщите после него`
              : `Код ${gone.sgtin}: ${codeStatuses[gone.status].toLowerCase()}`,
        },
      ])
    const idWarehouse = document.idFrom ?? document.idTo
    const partner =
      document.kind === 'transfer' ? await placeOf(tx, document.idTo) : await supplierPlace(tx, document.idSupplier)
    if (['415', '416', '431'].includes(plan.schema) && !partner)
      throw new ValidationError([
        {
          field: 'idSupplier',
          message:
            document.kind === 'transfer'
              ? 'У склада-получателя нет места деятельности МДЛП'
              : 'У поставщика нет места деятельности: впишите его в «Соответствиях» (Честный ЗНАК)',
        },
      ])
    const { mdlpIssue } = await readCommonSettings(tx)
    const schema = body.destruction ? '541' : plan.schema === '531' && mdlpIssue === 'registrar' ? '10531' : plan.schema
    const made = await makeOutgoing(app, inside, tx, {
      schema: Number(schema) as MdlpSchema,
      items,
      idWarehouse,
      partner,
      number: document.number,
      date: document.localDate,
      idStockDocument: document.id,
      ...(body.destruction && { destruction: await destructionOf(tx, body.destruction, document.reason) }),
    })
    await track(inside, document.id, idWarehouse)
    return made
  }),
)

async function destructionOf(
  tx: Queryable,
  { idOrganization, ...asked }: NonNullable<BodyOf<typeof mdlpCalls.send>['destruction']>,
  reason: string | null,
): Promise<Destruction> {
  const found = await tx.one<{ inn: string | null; kpp: string | null }>(
    sql`select "inn", "kpp" from organizations where "id" = ${idOrganization} and not "deleted"`,
  )
  if (!found?.inn || !found.kpp)
    throw new ValidationError([
      { field: 'destruction.idOrganization', message: 'У организации, которая уничтожает, нужны ИНН и КПП' },
    ])
  const why = reason ?? ''
  return {
    ...asked,
    inn: found.inn,
    kpp: found.kpp,
    reason: /срок/i.test(why) ? '5' : /отзыв|отозв/i.test(why) ? '6' : /бой|порч/i.test(why) ? '4' : undefined,
  }
}

/** Creates pack records of a document's lines, waiting for confirmation by МДЛП. */
async function track(inside: Records, idDocument: number, idWarehouse: number | null): Promise<void> {
  await inside.asSystem.createFrom(
    MdlpCode,
    sql`warehouse_lines l, unnest(l."sgtins") s("sgtin") where l."idDocument" = ${idDocument}
      and not exists (select 1 from mdlp_codes k where k."sgtin" = s."sgtin")`,
    {
      sgtin: sql`s."sgtin"`,
      gtin: sql`left(s."sgtin", 14)`,
      idProduct: sql`l."idProduct"`,
      series: sql`l."series"`,
      expiry: sql`l."expiry"`,
      status: 'awaiting',
      idWarehouse,
      idLine: sql`l."id"`,
    } as never,
  )
  await inside.asSystem.updateWhere(
    MdlpCode,
    ({ row }) =>
      sql`${row}."sgtin" in (select s from warehouse_lines l, unnest(l."sgtins") s where l."idDocument" = ${idDocument})`,
    { status: 'awaiting' } as never,
  )
}

const placeOf = async (tx: Queryable, idWarehouse: number | null): Promise<string | null> =>
  (
    await tx.one<{ place: string | null }>(sql`select coalesce(w."mdlpPlace", f."mdlpPlace") as place from warehouses w
    join filials f on f."id" = w."idFilial" where w."id" = ${idWarehouse}`)
  )?.place ?? null
/** The place of a supplier, from «Соответствия». */
const supplierPlace = async (tx: Queryable, idSupplier: number | null): Promise<string | null> =>
  (
    await tx.one<{ code: string }>(
      sql`select "code" from exchange_mappings where "system" = 'mdlp' and "idOrganization" = ${idSupplier} and not "deleted" limit 1`,
    )
  )?.code ?? null

interface Making {
  schema: MdlpSchema
  items: readonly MdlpItem[]
  idWarehouse: number | null
  partner: string | null
  number?: string | null
  date?: string | null
  reason?: string
  idAnswerTo?: number
  idStockDocument?: number
  destruction?: Destruction
  recalled?: { operationId: string; schema: string }
}

/**
 * Writes a document and validates it by the clinic's schemas before it is signed. Disposals reported by a registrar
 * need no document of ours: they wait for the registrar's.
 * @throws ValidationError with the errors
 */
async function makeOutgoing(app: AppContext, inside: Records, tx: Tx, making: Making): Promise<MdlpRow> {
  const { mdlpVersion } = await readCommonSettings(tx)
  const place =
    making.idWarehouse === null
      ? ((
          await tx.one<{ place: string }>(
            sql`select "facts" ->> 'receiver' as place from mdlp_bodies where "idDocument" = ${making.idAnswerTo ?? null}`,
          )
        )?.place ?? null)
      : await placeOf(tx, making.idWarehouse)
  if (!place)
    throw new ValidationError([
      {
        field: 'idWarehouse',
        message: 'У склада нет места деятельности МДЛП: впишите его в настройках склада или филиала',
      },
    ])
  const byRegistrar = making.schema === 10531
  const { schema, items, number = null, date = null, partner, destruction, recalled } = making
  const xml = byRegistrar
    ? ''
    : writeDocument({
        schema,
        version: mdlpVersion || '1.37',
        place,
        partner,
        at: new Date().toISOString(),
        number,
        date,
        reason: making.reason ?? null,
        items,
        ...(destruction && { destruction }),
        ...(recalled && { recalled }),
      })
  const faults = byRegistrar ? [] : await faultsBySchema(app, tx, xml, mdlpVersion, inside.actor.id)
  if (faults.length > 0)
    throw new ValidationError(
      faults.slice(0, 20).map(({ message }) => ({ field: 'xml', message: `По схеме МДЛП ${mdlpVersion}: ${message}` })),
    )
  const made = await inside.asSystem.create(MdlpDocument, {
    schema: String(schema),
    direction: 'out',
    status: byRegistrar ? 'device' : 'draft',
    requestId: randomUUID(),
    partner,
    number,
    docDate: date,
    idStockDocument: making.idStockDocument ?? null,
    idAnswerTo: making.idAnswerTo ?? null,
    idAuthor: inside.actor.id || null,
  } as never)
  const sscc = items.find((item) => item.sscc)?.sscc ?? null
  await tx.query(
    sql`insert into mdlp_bodies ("idDocument", "xml", "facts") values (${made.id}, ${xml}, ${JSON.stringify({ receiver: place, sender: partner, sscc })}::jsonb)`,
  )
  const sgtins = items.flatMap(({ sgtin }) => sgtin ?? [])
  await tx.query(
    sql`insert into mdlp_document_codes ("idDocument", "sgtin") select ${made.id}, s from unnest(${sgtins}::text[]) s on conflict do nothing`,
  )
  return made as MdlpRow
}

export const content = operation(mdlpCalls.content, async ({ app, records, params }) => {
  assertUnsigned(await records.row(MdlpDocument, params.id))
  return { content: Buffer.from(await xmlOfDocument(app.db, params.id)).toString('base64') }
})

const xmlOfDocument = async (db: Queryable, id: number): Promise<string> =>
  (await db.one<{ xml: string }>(sql`select "xml" from mdlp_bodies where "idDocument" = ${id}`))?.xml ?? ''

function assertUnsigned({ status }: MdlpRow): void {
  if (status !== 'draft')
    throw new HttpError(409, `Документ «${mdlpStatuses[status]}»: подпись ему не нужна`, { code: 'transition' })
}

export const sign = operation(mdlpCalls.sign, async ({ app, records, params, body }) => {
  const before = await records.row(MdlpDocument, params.id)
  if (before.status === 'queued' || before.status === 'processing') return before
  assertUnsigned(before)
  // Verified outside of the transaction: openssl takes time. The XML of a document never changes.
  const checked = await checkSignature(
    app,
    Buffer.from(await xmlOfDocument(app.db, params.id)),
    Buffer.from(body.signature, 'base64'),
  )
  if (checked.state === 'invalid') throw new ValidationError([{ field: 'signature', message: checked.words }])
  return records.tx(async (inside, tx) => {
    const document = await held(inside, tx, params.id)
    if (document.status === 'queued') return document
    assertUnsigned(document)
    await tx.query(sql`update mdlp_bodies set "signature" = ${body.signature} where "idDocument" = ${params.id}`)
    await queueDocument(app, tx, document)
    return inside.asSystem.update(MdlpDocument, params.id, { status: 'queued', errors: null } as never)
  })
})

export const retry = operation(mdlpCalls.retry, async ({ app, records, params }) => {
  const before = await records.row(MdlpDocument, params.id)
  if (before.direction === 'out' && before.status === 'stuck') {
    // It may have arrived: the same message continues, and queries МДЛП first.
    const line = await app.db.one<{ id: number }>(sql`select "id"::float8 as id from exchange_messages
      where "adapter" = 'mdlp' and "idempotencyKey" = ${before.requestId}`)
    if (line) await app.outbox.repeat([line.id])
    return records.row(MdlpDocument, params.id)
  }
  return records.tx(async (inside, tx) => {
    const document = await held(inside, tx, params.id)
    if (document.direction !== 'out' || document.status !== 'failed')
      throw new HttpError(409, 'Повторяют отклонённый или не дошедший исходящий документ', { code: 'transition' })
    const signed = await tx.one(
      sql`select 1 from mdlp_bodies where "idDocument" = ${params.id} and "signature" is not null`,
    )
    // A new request: the previous one has its reply.
    const again = await inside.asSystem.update(MdlpDocument, params.id, {
      status: signed ? 'queued' : 'draft',
      requestId: randomUUID(),
      documentId: null,
      errors: null,
    } as never)
    if (signed) await queueDocument(app, tx, again as MdlpRow)
    return again
  })
})

export const recall = operation(mdlpCalls.recall, ({ app, records, params, body }) =>
  records.tx(async (inside, tx) => {
    const document = await held(inside, tx, params.id)
    if (document.direction === 'out' && ['draft', 'device', 'failed'].includes(document.status)) {
      await dropDocument(inside, document, body.reason)
      return inside.row(MdlpDocument, params.id)
    }
    if (document.direction !== 'out' || !['processed', 'partial'].includes(document.status))
      throw new HttpError(409, 'Отменяют операцию, которую МДЛП принял', { code: 'transition' })
    if (!recalledBy250.has(document.schema))
      throw new HttpError(409, `Операцию ${document.schema} отмена 250 не отзывает: только 431 и 541`, { code: 'mdlp' })
    const known = await tx.one<{ id: number }>(sql`select "id" from mdlp_documents
      where "idAnswerTo" = ${params.id} and "schema" = '250' and "status" not in ('failed', 'cancelled') limit 1`)
    if (known) return inside.row(MdlpDocument, known.id)
    const facts = await tx.one<{ operationId: string | null; place: string | null }>(
      sql`select "facts" ->> 'operationId' as "operationId", "facts" ->> 'receiver' as place from mdlp_bodies where "idDocument" = ${params.id}`,
    )
    return makeOutgoing(app, inside, tx, {
      schema: 250,
      items: [],
      idWarehouse: null,
      partner: document.partner,
      reason: body.reason,
      idAnswerTo: params.id,
      ...(document.idStockDocument !== null && { idStockDocument: document.idStockDocument }),
      recalled: { operationId: facts?.operationId ?? document.documentId ?? '', schema: document.schema },
    })
  }),
)

const schemaSets = new WeakMap<AppContext, Map<string, XsdSchema>>()

/** Validates by the clinic's schema set for the version; without one there are no errors. */
async function faultsBySchema(
  app: AppContext,
  db: Queryable,
  xml: string,
  version: string,
  who: number,
): Promise<XmlFault[]> {
  const stored = await db.one<{ files: Record<string, string>; stamp: string }>(sql`
    select "files", "dateCreate"::text as stamp from mdlp_schema_sets where "version" = ${version}`)
  if (!stored) return []
  const kept = schemaSets.get(app) ?? new Map<string, XsdSchema>()
  schemaSets.set(app, kept)
  const key = `${version} ${stored.stamp}`
  const schema = kept.get(key) ?? {
    main: 'documents.xsd',
    files: Object.fromEntries(Object.entries(stored.files).map(([name, text]) => [name, Buffer.from(text)])),
  }
  kept.clear()
  kept.set(key, schema)
  return xmlOf(app).validate(Buffer.from(xml), schema, { who })
}

const MAX_XSD = 8 * 1024 * 1024

export const schemas = operation(mdlpCalls.schemas, async ({ app, query, request }) => {
  const bytes = request.body as Buffer | undefined
  if (!bytes?.length) throw badRequest('Файл пуст')
  const zip = checkedZip(bytes, { maxBytes: MAX_XSD, maxEntries: 500 })
  const files: Record<string, string> = {}
  for (const [path, content] of zip)
    if (path.endsWith('.xsd')) files[path.split('/').at(-1) as string] = content.toString('utf8').replace(/^\uFEFF/, '')
  if (!files['documents.xsd']) throw badRequest('В архиве нет documents.xsd: нужен набор схем МДЛП')
  const schema = {
    main: 'documents.xsd',
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
  }
  await xmlOf(app)
    .validate(Buffer.from('<documents/>'), schema, { who: 'schemas' })
    .catch((error: Error) => {
      throw badRequest(error.message.slice(0, 300))
    })
  await app.db.query(sql`insert into mdlp_schema_sets ("version", "files") values (${query.version}, ${JSON.stringify(files)}::jsonb)
    on conflict ("version") do update set "files" = excluded."files", "dateCreate" = now()`)
  return { version: query.version, files: Object.keys(files).length }
})

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

export const differences = operation(mdlpCalls.differences, async ({ app, actor }) => {
  return {
    items: await app.db.reads.query<never>(sql`
      select k."id", k."sgtin", p."nameService" as product, k."status" as ours, k."theirStatus" as theirs, w."name" as warehouse
      from mdlp_codes k left join services p on p."id" = k."idProduct" left join warehouses w on w."id" = k."idWarehouse"
      where k."theirStatus" is not null and k."theirStatus" <> k."status" and k."status" <> 'awaiting'
        and (k."idWarehouse" is null or ${seenBy(actor, sql`k."idWarehouse"`)}) order by k."id" desc limit 500`),
  }
})

export const state = operation(mdlpCalls.state, async ({ app }) => {
  const { mdlpMode, mdlpVersion, mdlpPassword, signaturePlugin } = await readCommonSettings(app.db)
  const set = await app.db.one<{ count: number }>(
    sql`select (select count(*)::int from jsonb_object_keys("files")) as count from mdlp_schema_sets where "version" = ${mdlpVersion}`,
  )
  const places = await app.db.query<{ idWarehouse: number; name: string; place: string | null }>(sql`
    select w."id" as "idWarehouse", w."name" || ', ' || f."nameFilial" as name, coalesce(w."mdlpPlace", f."mdlpPlace") as place
    from warehouses w join filials f on f."id" = w."idFilial" where not w."deleted" and w."active" order by 2 limit 200`)
  const session = await app.db.one<{ until: string | null }>(
    sql`select to_json(max("dateUntil")) #>> '{}' as until from mdlp_sessions where "dateUntil" > now()`,
  )
  return {
    mode: mdlpMode,
    version: mdlpVersion || null,
    schemas: set?.count ?? 0,
    places,
    until: session?.until ?? null,
    needsPerson: !mdlpPassword && signaturePlugin !== 'simulator',
  }
})
