/**
 * Partner simulator: accepts an order once by its key, returns a part of the results first and all later, sometimes
 * refuses a tube, repeats itself or does not reply. Its behaviour depends only on the order number, so that tests and
 * the demo can choose: a number ending in 7 gets a refused tube, one ending in 9 no reply the first time.
 */
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import {
  type PartnerAdapter,
  type PartnerOrder,
  PartnerRefusal,
  type PartnerResults,
  PartnerSilence,
} from './partnerAdapter.ts'

interface Kept {
  order: PartnerOrder
  /** Number of state queries: a part is ready at the first, all at the second. */
  asked: number
}

/** Stored in this process only: it is a simulator. */
const orders = new Map<string, Kept>()
const silent = new Set<string>()
const MOST = 5_000

const numberOf = (key: string): string => {
  let hash = 7
  for (const char of key) hash = (hash * 31 + (char.codePointAt(0) as number)) % 900_000
  return `P${100_000 + hash}`
}

export function simulatedPartner(idLaboratory: number, db: Queryable): PartnerAdapter {
  return {
    price: {
      async getCatalog() {
        const own = await db.query<{ code: string; name: string; cost: number; termDays: number }>(sql`
          select "labCode" as code, "name", coalesce("cost", 300)::float8 as cost, coalesce("termDays", 2) as "termDays"
          from laboratory_catalog where "idLaboratory" = ${idLaboratory} and "labCode" is not null and not "deleted" order by "id"`)
        // A new price list: a third has higher prices, and there is a new test.
        const dearer = own.map((line, at) => (at % 3 === 0 ? { ...line, cost: Math.round(line.cost * 1.08) } : line))
        return [...dearer, { code: `NEW-${idLaboratory}`, name: 'Новое исследование партнёра', cost: 540, termDays: 3 }]
      },
      preanalytics: async (codes) => codes.map((code) => ({ code, biomaterial: 'serum' })),
    },
    async createOrder(order) {
      const number = numberOf(order.key)
      if (order.samples.some(({ codes }) => codes.length === 0)) throw new PartnerRefusal('В заказе нет исследований')
      if (order.samples.some(({ barcode }) => barcode.endsWith('9')) && !silent.has(order.key)) {
        silent.add(order.key)
        throw new PartnerSilence('no answer')
      }
      if (orders.size > MOST) orders.clear()
      if (!orders.has(number)) orders.set(number, { order, asked: 0 })
      return { externalNumber: number }
    },
    async cancelOrder(number) {
      if (!orders.delete(number)) throw new PartnerRefusal('Такого заказа нет')
    },
    polled: {
      async getStatus(number) {
        const kept = orders.get(number)
        // After a restart the order is unknown: it stays accepted, without results.
        if (!kept) return 'accepted'
        kept.asked++
        return kept.asked > 1 ? 'done' : 'part'
      },
      async getResults(number): Promise<PartnerResults> {
        const kept = orders.get(number)
        if (!kept) throw new PartnerRefusal('Такого заказа нет')
        const refused = kept.order.samples.filter(({ barcode }) => barcode.endsWith('7'))
        const good = kept.order.samples.filter(({ barcode }) => !barcode.endsWith('7'))
        const codes = good.flatMap((sample) => sample.codes)
        const answered = kept.asked > 1 ? codes : codes.slice(0, Math.ceil(codes.length / 2))
        const values = await db.query<{ code: string; analyte: string; unit: string; value: string }>(sql`
          select coalesce(t."labCode", t."code", t."id"::text) as code, a."code" as analyte, coalesce(a."unit", '') as unit,
            case when a."type" = 'enum' then coalesce((select c.one ->> 'value' from jsonb_array_elements(a."choices") with ordinality c(one, at)
                where (c.one ->> 'normal')::boolean order by c.at limit 1), '')
              when a."type" = 'number' then round(coalesce((n."low" + n."high") / 2, n."high" * 0.6, n."low" * 1.4, 1), coalesce(a."decimals", 2))::text
              else coalesce(n."text", 'не обнаружено') end as value
          from laboratory_catalog t join laboratory_components k on k."idTest" = t."id" and not k."deleted"
            join laboratory_analytes a on a."id" = k."idAnalyte" and a."formula" is null
            left join lateral (select * from laboratory_norms n where n."idAnalyte" = a."id" and not n."deleted" order by n."id" limit 1) n on true
          where t."idLaboratory" = ${idLaboratory} and coalesce(t."labCode", t."code", t."id"::text) = any (${answered}::text[]) and not t."deleted"`)
        return {
          state: kept.asked > 1 ? 'done' : 'part',
          values,
          rejected: refused.map(({ barcode }) => ({ barcode, reason: 'hemolysis' as const })),
          ...(kept.asked > 1 && { paper: paperOf(number) }),
        }
      },
    },
  }
}

/** A PDF page with the order number. */
function paperOf(number: string): Uint8Array {
  const text = `BT /F1 16 Tf 56 780 Td (Partner laboratory, order ${number}: results) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.4\n'
  const starts = objects.map((body, at) => {
    const start = pdf.length
    pdf += `${at + 1} 0 obj\n${body}\nendobj\n`
    return `${String(start).padStart(10, '0')} 00000 n \n`
  })
  const xref = pdf.length
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${starts.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`
  return Buffer.from(pdf, 'latin1')
}
