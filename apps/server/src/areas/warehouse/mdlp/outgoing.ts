/** Outgoing documents of МДЛП: written from stock documents and validated by the clinic's schemas. */
import { randomUUID } from 'node:crypto'
import { documentKinds, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import {
  type CodeStatus,
  codeStatuses,
  MdlpCode,
  MdlpDocument,
  type MdlpSchema,
} from '@ordinator/model/areas/warehouse/mdlp'
import { mdlpCalls } from '@ordinator/model/areas/warehouse/mdlpCalls'
import type { BodyOf } from '@ordinator/model/call'
import sql from 'sql-template-tag'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { schemaOfKind } from './codes.ts'
import type { MdlpRow } from './documents.ts'
import { faultsBySchema } from './schemaSets.ts'
import { type Destruction, type MdlpItem, writeDocument } from './xml.ts'

export const todayOf = async (tx: Queryable): Promise<string> =>
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
    },
  )
  await inside.asSystem.updateWhere(
    MdlpCode,
    ({ row }) =>
      sql`${row}."sgtin" in (select s from warehouse_lines l, unnest(l."sgtins") s where l."idDocument" = ${idDocument})`,
    { status: 'awaiting' },
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
export async function makeOutgoing(app: AppContext, inside: Records, tx: Tx, making: Making): Promise<MdlpRow> {
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
  })
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
