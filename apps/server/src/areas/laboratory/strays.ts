/** «Неразобранное»: parts of device messages that are no results, put aside with a reason. */
import { type LabDevice, LabStray, type StrayReason } from '@ordinator/model/areas/laboratory/device'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

/** A message that is being read, in its transaction. */
export interface MessageWork {
  records: Records
  tx: Tx
  device: Row<typeof LabDevice>
  /** Its id in the log. */
  id: number
  /** Ids of messages with the same bytes. */
  same: readonly number[]
  /** A person has it read again. */
  isReread: boolean
}

interface StrayWords {
  barcode?: string | undefined
  code?: string | undefined
  value?: string | undefined
  unit?: string | undefined
  note?: string | undefined
  /** Id of the mapped code, if it is known. */
  idCode?: number | undefined
  preliminary?: boolean
}

export interface AddedStray {
  id: number
  isOpen: boolean
  /** False: it was put aside with the same bytes before. */
  isNew: boolean
}

const cut = (text: string | undefined, most: number): string | null =>
  text === undefined || text === '' ? null : text.replaceAll('\0', '').toWellFormed().slice(0, most)

/** Puts a value aside; the same one of a repeated message is stored once. */
export async function addStray(
  { records, tx, device, id: idMessage, same }: MessageWork,
  reason: StrayReason,
  { barcode, code, value, unit, note, idCode, preliminary }: StrayWords,
): Promise<AddedStray> {
  // Pieces without a tube or a code are counted in one row.
  if (!barcode && !code && (reason === 'broken' || reason === 'unfinished')) {
    const [counted] = await records.asSystem.updateWhere(
      LabStray,
      ({ row }) => sql`${row}."id" = (select max(s."id") from laboratory_strays s where s."idDevice" = ${device.id}
        and s."reason" = ${reason} and s."status" = 'open' and s."barcode" is null and s."code" is null)`,
      { times: raw('"times" + 1'), idMessage },
      { pastHooks: 'Only the count of pieces' },
    )
    if (counted) return { id: counted.id, isOpen: true, isNew: false }
  }
  const words = { barcode: cut(barcode, 64), code: cut(code, 64), value: cut(value, 1000), unit: cut(unit, 64) }
  const before = same.length
    ? await tx.one<{ id: number; status: string }>(sql`select "id", "status" from laboratory_strays
        where "idDevice" = ${device.id} and "idMessage" = any (${same}::int[]) and "barcode" is not distinct from ${words.barcode}
          and "code" is not distinct from ${words.code} and "value" is not distinct from ${words.value} order by "status" = 'open' desc, "id" limit 1`)
    : undefined
  const set = { reason, note: cut(note, 500), idCode: idCode ?? null, preliminary: preliminary ?? false }
  if (before) {
    if (before.status === 'open') await records.asSystem.update(LabStray, before.id, set)
    return { id: before.id, isOpen: before.status === 'open', isNew: false }
  }
  const made = await records.asSystem.create(LabStray, { idDevice: device.id, ...words, ...set, idMessage })
  return { id: made.id, isOpen: true, isNew: true }
}

/** Closes what was put aside of the same bytes and is in a line since. */
export async function closePlaced(
  { records, device, same }: MessageWork,
  { barcode, code, value }: Pick<StrayWords, 'barcode' | 'code' | 'value'>,
): Promise<void> {
  if (same.length === 0) return
  await records.asSystem.updateWhere(
    LabStray,
    ({
      row,
    }) => sql`${row}."idDevice" = ${device.id} and ${row}."idMessage" = any (${same}::bigint[]) and ${row}."status" = 'open'
      and ${row}."barcode" is not distinct from ${cut(barcode, 64)} and ${row}."code" is not distinct from ${cut(code, 64)}
      and ${row}."value" is not distinct from ${cut(value, 1000)}`,
    { status: 'done' },
  )
}

/** Closes the open strays of a reread message that are none any more. */
export const closeStrays = ({ records, id }: MessageWork, openStrays: readonly number[]): Promise<unknown> =>
  records.asSystem.updateWhere(
    LabStray,
    ({ row }) =>
      sql`${row}."idMessage" = ${id} and ${row}."status" = 'open' and ${row}."id" <> all (${openStrays}::bigint[])`,
    { status: 'done' },
  )
