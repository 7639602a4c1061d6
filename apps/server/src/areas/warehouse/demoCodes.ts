/** Marking codes of the demo warehouse. */

import { MdlpCode, MdlpDocument } from '@ordinator/model/areas/warehouse/mdlp'
import { schemes } from '@ordinator/model/identifiers'
import sql from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import type { SystemRecords } from '#records/records.ts'

export const nothing = { pastHooks: 'the demo makes whole documents' }

export interface Good {
  id: number
  price: number
  isDrug: boolean
  isMarked: boolean
  gtin: string | null
}

export const todayOf = async (tx: Tx) =>
  (await tx.one<{ day: string }>(sql`select ${clinicToday}::text as day`))?.day ?? ''

const states = [
  'arriving',
  'in_circulation',
  'in_circulation',
  'in_transit',
  'shipped',
  'out_of_circulation',
  'awaiting',
  'destroying',
  'foreign',
] as const

export async function makeCodes(
  system: SystemRecords,
  tx: Tx,
  goods: readonly Good[],
  idWarehouse: number,
  keeper: number,
): Promise<void> {
  const marked = goods.filter(({ isMarked }) => isMarked)
  if (marked.length === 0) return
  const sgtinOf = (n: number) =>
    `${marked[n % marked.length]?.gtin}${`Sn${String(n).padStart(4, '0')}AbCdEfGhI`.slice(0, 13)}`
  await system.createMany(
    MdlpCode,
    Array.from({ length: 48 }, (_, n) => {
      const status = states[n % states.length] ?? 'in_circulation'
      return {
        sgtin: sgtinOf(n),
        sscc: n % 6 === 1 ? schemes.sscc.sample(1) : null,
        gtin: marked[n % marked.length]?.gtin ?? '',
        idProduct: marked[n % marked.length]?.id ?? null,
        series: `A${100 + n}`,
        expiry: '2028-03-31',
        status,
        // One in twelve has another state in МДЛП.
        theirStatus: n % 12 === 1 ? ('out_of_circulation' as const) : status === 'awaiting' ? null : status,
        idWarehouse: status === 'arriving' || status === 'foreign' ? null : idWarehouse,
      }
    }),
  )
  const today = await todayOf(tx)
  const document = async (body: object, from: number, to: number) => {
    const made = await system.create(MdlpDocument, { docDate: today, ...body })
    await tx.query(
      sql`insert into mdlp_bodies ("idDocument", "xml", "facts") values (${made.id}, '<documents version="1.37"/>', ${JSON.stringify({ sender: schemes.mdlpPlace.sample(77), receiver: schemes.mdlpPlace.sample(0) })}::jsonb)`,
    )
    const packs = Array.from({ length: to - from }, (_, n) => sgtinOf(from + n))
    await tx.query(
      sql`insert into mdlp_document_codes ("idDocument", "sgtin", "price") select ${made.id}, s, 312.4 from unnest(${packs}::text[]) s`,
    )
  }
  await document(
    {
      schema: '601',
      direction: 'in',
      status: 'incoming',
      documentId: 'demo-601-1',
      partner: 'АО «Медснаб Волга»',
      number: 'УПД-4471',
    },
    0,
    8,
  )
  await document(
    {
      schema: '601',
      direction: 'in',
      status: 'incoming',
      documentId: 'demo-601-2',
      partner: 'ООО «Фармоптторг»',
      number: 'УПД-190',
    },
    8,
    11,
  )
  await document(
    {
      schema: '531',
      direction: 'out',
      status: 'processed',
      documentId: 'demo-531-1',
      requestId: 'demo-531-1',
      number: 'М-17',
      idAuthor: keeper,
    },
    16,
    20,
  )
  await document(
    { schema: '431', direction: 'out', status: 'draft', requestId: 'demo-431-1', number: 'М-24', idAuthor: keeper },
    24,
    27,
  )
  await document(
    {
      schema: '10531',
      direction: 'out',
      status: 'device',
      requestId: 'demo-10531-1',
      number: 'М-25',
      idAuthor: keeper,
    },
    28,
    30,
  )
  await document(
    {
      schema: '552',
      direction: 'out',
      status: 'failed',
      requestId: 'demo-552-1',
      number: 'М-21',
      idAuthor: keeper,
      errors: [{ sgtin: sgtinOf(21), message: 'КИЗ уже выведен из оборота' }],
    },
    21,
    22,
  )
}
