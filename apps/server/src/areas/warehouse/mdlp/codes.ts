/** What becomes of packs in МДЛП by the documents that tell of them. */
import type { DocumentKind } from '@ordinator/model/areas/warehouse/document'
import { type CodeStatus, MdlpCode } from '@ordinator/model/areas/warehouse/mdlp'
import sql from 'sql-template-tag'
import type { Records } from '../../../records/records.ts'

export async function setCodes(
  system: Records,
  sgtins: readonly string[],
  set: { status: CodeStatus; theirStatus?: CodeStatus; idWarehouse?: number | null; idDocument?: number },
): Promise<void> {
  await system.asSystem.updateWhere(MdlpCode, ({ row }) => sql`${row}."sgtin" = any (${sgtins}::text[])`, set as never)
}

/** Which schema tells of a document of stock, and what becomes of its packs. */
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
/** What becomes of packs once МДЛП has taken a document. */ export const codeAfter = (schema: string): CodeStatus =>
  codesAfter[schema] ?? Object.values(schemaOfKind).find((one) => one.schema === schema)?.code ?? 'in_circulation'
