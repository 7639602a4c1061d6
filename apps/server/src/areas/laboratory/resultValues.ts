/**
 * Fates of received values: what a value of a person, a partner or a device does to the current ones in its place. The
 * writing itself is `settleValue`.
 */
import { readValue } from '@ordinator/model/areas/laboratory/reading'
import { isPublished, type ValueSource, wrongTube } from '@ordinator/model/areas/laboratory/states'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { Records } from '#records/records.ts'
import type { Change, Origin, Place, ResultRow } from './change.ts'
import { analytesOf, type Line, linesOf, type Standing } from './judging.ts'
import { rowsAt, settleValues } from './settle.ts'

/** A received value of a line and analyte. */
export interface Given extends Place {
  value: string
  /** Read before, with the words of a device; absent: `value` is read here. */
  reading?: Standing
  /** `value` is the reason why there is no result. */
  noResult?: boolean | undefined
  comment?: string | null | undefined
  idDevice?: number
  idMessage?: number
  deviceFlags?: string | null
  measuredText?: string | null
  said?: string
  reason?: string
  preliminary?: boolean
  /** The device replaces its own former value. */
  corrected?: boolean
  /** Messages with the same bytes: a value that came with one of them is the same measurement. */
  sameMessages?: readonly number[]
  /** The message is read again by a person: what was discarded stays so. */
  isReread?: boolean
}

/**
 * `taken` it becomes current, `beside` a person chooses, `review` an approver of the published one is asked, `late` a
 * preliminary one after the final, `same` it was stored already; not stored: `closed` published, `cancelled`, `aside`
 * no result of this analyte, `tube` of a tube that has no values.
 */
export type Fate = 'taken' | 'beside' | 'review' | 'late' | 'same' | 'closed' | 'cancelled' | 'aside' | 'tube'

/**
 * Stores values. Another value of a device stays beside the pending one; what a person writes decides and replaces all
 * pending ones, in every line of the order that measures the analyte in the same material. The caller has locked the
 * orders.
 * @returns the fate of each value
 */
export async function writeValues(
  records: Records,
  tx: Tx,
  given: readonly Given[],
  by: Extract<ValueSource, 'hand' | 'device' | 'partner'>,
): Promise<Fate[]> {
  const duplicates = by === 'device' ? new Map<string, Place[]>() : await duplicatePlaces(tx, given)
  const all = given.flatMap((one, at) =>
    [{ idItem: one.idItem, idAnalyte: one.idAnalyte }, ...(duplicates.get(keyOf(one)) ?? [])].map((place) => ({
      at,
      one: { ...one, ...place },
    })),
  )
  const lines = await linesOf(tx, [...new Set(all.map(({ one }) => one.idItem))])
  const analytes = await analytesOf(tx, [...new Set(given.map(({ idAnalyte }) => idAnalyte))])
  const fates: Fate[] = []
  await settleValues({ records, tx }, async (settle) => {
    for (const { at, one } of all) {
      const line = lines.get(one.idItem)
      const analyte = analytes.get(one.idAnalyte)
      if (!line || !analyte)
        throw new ValidationError([{ field: 'values', message: 'Такого исследования в заказе нет' }])
      const rows = await rowsAt({ records }, one)
      const fate =
        by === 'device' ? await ofDevice(settle, line, one, rows) : await ofPerson(settle, line, one, rows, by, analyte)
      // The line that was named has the fate.
      fates[at] ??= fate
    }
  })
  return fates
}

const keyOf = ({ idItem, idAnalyte }: Place): string => `${idItem}:${idAnalyte}`

/** Other open lines of the orders that measure the same analytes in the same material. */
async function duplicatePlaces(tx: Tx, given: readonly Place[]): Promise<Map<string, Place[]>> {
  const found = await tx.query<{ idItem: number; idAnalyte: number; idDuplicate: number }>(sql`
    select g."idItem"::int as "idItem", g."idAnalyte"::int as "idAnalyte", t."id" as "idDuplicate"
    from unnest(${given.map(({ idItem }) => idItem)}::bigint[], ${given.map(({ idAnalyte }) => idAnalyte)}::bigint[]) g("idItem", "idAnalyte")
      join laboratory_order_items i on i."id" = g."idItem" join laboratory_samples s on s."id" = i."idSample"
      join laboratory_order_items t on t."idOrder" = i."idOrder" and t."id" <> i."id" and not t."deleted"
        and t."status" not in ('cancelled', 'planned', 'rejected')
      join laboratory_components k on k."idTest" = t."idTest" and k."idAnalyte" = g."idAnalyte" and not k."deleted"
      join laboratory_samples z on z."id" = t."idSample" and z."biomaterial" = s."biomaterial"
        and z."status" not in ('planned', 'rejected', 'disposed')`)
  const asked = new Set(given.map(keyOf))
  return Map.groupBy(
    found
      .map(({ idItem, idAnalyte, idDuplicate }) => ({
        key: keyOf({ idItem, idAnalyte }),
        idItem: idDuplicate,
        idAnalyte,
      }))
      .filter((one) => !asked.has(keyOf(one))),
    ({ key }) => key,
  )
}

type Settle = (change: Change) => Promise<ResultRow>

const wrongLine = (line: Line): 'cancelled' | 'tube' | undefined => {
  if (line.status === 'cancelled') return 'cancelled'
  return line.sampleStatus && wrongTube(line.sampleStatus, true) ? 'tube' : undefined
}

const isEqual = (row: Pick<ResultRow, 'kind' | 'value'>, reading: Standing): boolean =>
  row.kind === reading.kind && row.value === reading.value

const originOf = (given: Given, source: ValueSource): Origin => ({
  source,
  ...{ preliminary: given.preliminary ?? false, said: given.said ?? null, reason: given.reason ?? null },
  ...{ comment: given.comment, idDevice: given.idDevice ?? null, idMessage: given.idMessage ?? null },
  ...{ deviceFlags: given.deviceFlags ?? null, measuredText: given.measuredText ?? null },
})

async function ofPerson(
  settle: Settle,
  line: Line,
  given: Given,
  rows: readonly ResultRow[],
  source: 'hand' | 'partner',
  analyte: Parameters<typeof readValue>[0],
): Promise<Fate> {
  const text = given.value.trim()
  const main = rows.find(({ isMain, status }) => isMain && status !== 'dropped')
  if (line.status === 'cancelled') return 'cancelled'
  if (text === '') {
    if (source === 'hand' && main?.status === 'raw') await settle({ how: 'drop', row: main, why: 'hand' })
    return main ? 'taken' : 'same'
  }
  const wrong = wrongLine(line)
  if (wrong) return wrong
  const reading: Standing | { kind: 'aside' } = given.noResult
    ? { kind: 'none', value: text }
    : readValue(analyte, text)
  if (reading.kind === 'aside') return 'aside'
  const pending = rows.filter(({ status }) => status === 'raw' || status === 'technical')
  if (main && isEqual(main, reading) && !main.preliminary && pending.length <= 1) {
    if (given.comment !== undefined && given.comment !== main.comment)
      await settle({ how: 'comment', row: main, comment: given.comment })
    return 'same'
  }
  const at = { idItem: given.idItem, idAnalyte: given.idAnalyte }
  if (main && isPublished(main.status)) {
    if (source === 'hand') return 'closed'
    // Partners repeat themselves: what waits for the approver, or was left by him, is not asked again.
    const isAsked = rows.some(
      (row) => isEqual(row, reading) && row.source === source && (row.status === 'raw' || row.dropWhy === 'review'),
    )
    return isAsked ? 'same' : askApprover(settle, main, rows, { at, reading, origin: originOf(given, source) })
  }
  for (const row of pending) if (row.id !== main?.id) await settle({ how: 'drop', row, why: 'hand' })
  await settle({ how: 'put', at, reading, origin: originOf(given, source), former: main, replaced: 'hand' })
  return 'taken'
}

async function ofDevice(settle: Settle, line: Line, given: Given, rows: readonly ResultRow[]): Promise<Fate> {
  const reading = given.reading
  if (!reading) throw new Error('A value of a device is read before')
  if (line.status === 'cancelled') return 'cancelled'
  const preliminary = given.preliminary ?? false
  const standing = rows.filter(({ status }) => status !== 'dropped')
  const main = standing.find(({ isMain }) => isMain)
  const stands = standing.some((row) =>
    row.isMain || row.status === 'raw'
      ? isEqual(row, reading) && (row.preliminary === preliminary || preliminary)
      : false,
  )
  if (stands || cameBefore(rows, given, reading)) return 'same'
  const wrong = wrongLine(line)
  if (wrong) return wrong
  const at = { idItem: given.idItem, idAnalyte: given.idAnalyte }
  const put = (more: Partial<Extract<Change, { how: 'put' }>>) =>
    settle({ how: 'put', at, reading, origin: originOf(given, 'device'), former: main, replaced: 'device', ...more })
  if (!main) {
    await put({})
    return 'taken'
  }
  if (preliminary && !main.preliminary) {
    await put({ as: { struck: 'late' } })
    return 'late'
  }
  if (isPublished(main.status))
    return askApprover(settle, main, rows, { at, reading, origin: originOf(given, 'device') })
  if (main.preliminary || (given.corrected && main.idDevice === given.idDevice)) {
    await put({})
    return 'taken'
  }
  await put({ as: 'beside' })
  return 'beside'
}

/** Another value than the published one: it waits beside, and the approver is asked. */
async function askApprover(
  settle: Settle,
  main: ResultRow,
  rows: readonly ResultRow[],
  value: Pick<Extract<Change, { how: 'put' }>, 'at' | 'reading' | 'origin'>,
): Promise<'review'> {
  const waiting = rows.find(({ id, status }) => id === main.review?.idOther && status !== 'dropped')
  if (waiting) await settle({ how: 'drop', row: waiting, why: 'device' })
  const other = await settle({ how: 'put', ...value, as: 'beside' })
  const review = { why: 'device' as const, value: other.value, normText: other.normText, flag: other.flag }
  await settle({ how: 'review', row: main, review: { ...review, idOther: other.id } })
  return 'review'
}

/** The same measurement came before: a repeated or reread message. After «Измерить заново» it is a new one. */
const cameBefore = (rows: readonly ResultRow[], given: Given, reading: Standing): boolean =>
  rows.some(
    (row) =>
      row.idMessage !== null &&
      given.sameMessages?.includes(row.idMessage) === true &&
      isEqual(row, reading) &&
      (row.dropWhy !== 'anew' || given.isReread === true),
  )
