/** States of packs after the documents of МДЛП. */
import type { DocumentKind } from '@ordinator/model/areas/warehouse/document'
import { type CodeStatus, MdlpCode, MdlpDocument } from '@ordinator/model/areas/warehouse/mdlp'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

export async function setCodes(
  system: Records,
  sgtins: readonly string[],
  set: { status: CodeStatus; theirStatus?: CodeStatus; idWarehouse?: number | null; idDocument?: number },
): Promise<void> {
  await system.asSystem.updateWhere(MdlpCode, ({ row }) => sql`${row}."sgtin" = any (${sgtins}::text[])`, set)
}

/** The schema for each kind of stock document, and the resulting state of its packs. */
export const schemaOfKind: Partial<Record<DocumentKind, { schema: string; code: CodeStatus }>> = {
  receipt: { schema: '416', code: 'in_circulation' },
  supplierReturn: { schema: '415', code: 'shipped' },
  transfer: { schema: '431', code: 'in_circulation' },
  issue: { schema: '531', code: 'out_of_circulation' },
  sale: { schema: '511', code: 'out_of_circulation' },
  writeOff: { schema: '552', code: 'out_of_circulation' },
}
const codesAfter: Readonly<Record<string, CodeStatus>> = {
  701: 'in_circulation',
  252: 'foreign',
  541: 'destroying',
  10531: 'out_of_circulation',
}
/** State of packs once МДЛП has accepted a document. */ export const codeAfter = (schema: string): CodeStatus =>
  codesAfter[schema] ?? Object.values(schemaOfKind).find((one) => one.schema === schema)?.code ?? 'in_circulation'

/** Cancels a document not accepted by МДЛП: its packs get their former state. */
export async function dropDocument(
  inside: Records,
  { id, schema }: { id: number; schema: string },
  reason: string,
): Promise<void> {
  await inside.asSystem.update(MdlpDocument, id, { status: 'cancelled', errors: [{ message: reason }] })
  await inside.asSystem.updateWhere(
    MdlpCode,
    ({ row }) => sql`${row}."status" = 'awaiting'
      and ${row}."sgtin" in (select "sgtin" from mdlp_document_codes where "idDocument" = ${id})`,
    { status: schema === '416' || schema === '701' ? 'arriving' : 'in_circulation' },
  )
}

/** Cancels the unsigned documents of a stock document when it is unposted. */
export async function dropUnsigned(inside: Records, tx: Tx, idStockDocument: number): Promise<void> {
  const unsigned = await tx.query<{ id: number; schema: string }>(sql`select "id", "schema" from mdlp_documents
    where "idStockDocument" = ${idStockDocument} and "direction" = 'out' and "status" in ('draft', 'device')
      and "schema" <> '701' order by "id" for no key update`)
  for (const one of unsigned) await dropDocument(inside, one, 'Проведение складского документа отменено')
}
