/** Writer and reader of МДЛП documents in XML (XSD 1.37; elements are ordered). */
import type { MdlpSchema } from '@ordinator/model/areas/warehouse/mdlp'
import { all, one, valueAt } from '#platform/xml/tree.ts'
import type { XmlNode } from '#platform/xml/xml.ts'

/** A pack or a box, with rubles as decimals. */
export interface MdlpItem {
  sgtin?: string
  sscc?: string
  cost?: string | null
  vat?: string | null
}

/** Content of an outgoing document, by the names of the schemas. */
export interface Outgoing {
  schema: MdlpSchema
  version: string
  /** Our place, and that of the other side. */
  place: string
  partner?: string | null
  /** ISO with offset. */
  at: string
  number?: string | null
  /** `YYYY-MM-DD` */
  date?: string | null
  reason?: string | null
  items: readonly MdlpItem[]
  /** For 250: the recalled operation, and its schema. */
  recalled?: { operationId: string; schema: string }
  /** For 541. */
  destruction?: Destruction
}

export interface Destruction {
  /** The destroying organization: the address as a GUID of ФИАС, ИНН and КПП. */
  fias: string
  inn: string
  kpp: string
  actNumber: string
  /** `YYYY-MM-DD` */
  actDate: string
  /** `destruction_type_enum` and `reason_for_destruction_type_enum`. */
  ground: string
  reason?: string | undefined
}

const escaped = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const tag = (name: string, value: string | null | undefined): string =>
  value === null || value === undefined || value === '' ? '' : `<${name}>${escaped(value)}</${name}>`
const dotted = (day: string | null | undefined): string | undefined => day?.split('-').reverse().join('.')
const code = ({ sgtin, sscc }: MdlpItem): string => tag('sgtin', sgtin) || tag('sscc', sscc)
const coded = ({ sgtin, sscc }: MdlpItem): string =>
  sgtin ? tag('sgtin', sgtin) : `<sscc_detail>${tag('sscc', sscc)}</sscc_detail>`
const priced = (item: MdlpItem): string =>
  `<union>${coded(item)}${tag('cost', item.cost ?? '0.00')}${tag('vat_value', item.vat ?? '0.00')}</union>`

const destroyer = ({ fias, inn, kpp }: Destruction): string =>
  `<destruction_org>${tag('fias_addr', fias)}<ul>${tag('inn', inn)}${tag('kpp', kpp)}</ul></destruction_org>`

type Writer = (of: Outgoing) => [root: string, body: string]

/** Withdrawal «по иным причинам» of a clinic: 14, other reasons of the enumeration of base_types.xsd. */
const OTHER_REASONS = '9'
/** Own funds; a contract of sale. */
const SOURCE = '1'
const CONTRACT = '1'

const writers: Partial<Record<MdlpSchema, Writer>> = {
  701: (of) => [
    'accept',
    `${tag('subject_id', of.place)}${tag('counterparty_id', of.partner)}${tag('operation_date', of.at)}<order_details>${of.items.map(code).join('')}</order_details>`,
  ],
  252: (of) => [
    'refusal_receiver',
    `${tag('subject_id', of.place)}${tag('operation_date', of.at)}${tag('shipper_id', of.partner)}${tag('reason', of.reason)}<order_details>${of.items.map(code).join('')}</order_details>`,
  ],
  415: (of) => [
    'move_order',
    `${tag('subject_id', of.place)}${tag('receiver_id', of.partner)}${tag('operation_date', of.at)}${tag('doc_num', of.number)}${tag('doc_date', dotted(of.date))}${tag('turnover_type', '2')}${tag('source', SOURCE)}${tag('contract_type', CONTRACT)}<order_details>${of.items.map(priced).join('')}</order_details>`,
  ],
  416: (of) => [
    'receive_order',
    `${tag('subject_id', of.place)}${tag('shipper_id', of.partner)}${tag('operation_date', of.at)}${tag('doc_num', of.number)}${tag('doc_date', dotted(of.date))}${tag('receive_type', '1')}${tag('source', SOURCE)}${tag('contract_type', CONTRACT)}<order_details>${of.items.map(priced).join('')}</order_details>`,
  ],
  431: (of) => [
    'move_place',
    `${tag('subject_id', of.place)}${tag('receiver_id', of.partner)}${tag('operation_date', of.at)}${tag('doc_num', of.number)}${tag('doc_date', dotted(of.date))}<order_details>${of.items.map(code).join('')}</order_details>`,
  ],
  531: (of) => [
    'health_care',
    `${tag('subject_id', of.place)}${tag('operation_date', of.at)}${tag('doc_date', dotted(of.date))}${tag('doc_num', of.number)}<order_details>${of.items.map((item) => `<union>${code(item)}</union>`).join('')}</order_details>`,
  ],
  511: (of) => [
    'retail_sale',
    `${tag('subject_id', of.place)}${tag('operation_date', of.at)}<sales><union>${of.items.map((item) => `<detail>${code(item)}${tag('cost', item.cost ?? '0.00')}${tag('vat_value', item.vat ?? '0.00')}</detail>`).join('')}<sale_docs>${tag('doc_type', '1')}${tag('doc_number', of.number)}${tag('doc_date', dotted(of.date))}</sale_docs></union></sales>`,
  ],
  250: (of) => [
    'recall',
    `${tag('subject_id', of.place)}${tag('operation_date', of.at)}${tag('operation_id', of.recalled?.operationId)}${tag('recall_action_id', of.recalled?.schema)}${tag('reason', of.reason)}`,
  ],
  541: (of) => [
    'move_destruction',
    `${tag('subject_id', of.place)}${tag('operation_date', of.at)}${of.destruction ? destroyer(of.destruction) : ''}${tag('doc_num', of.number)}${tag('doc_date', dotted(of.date))}${tag('act_number', of.destruction?.actNumber)}${tag('act_date', dotted(of.destruction?.actDate))}<order_details>${of.items.map((item) => `<detail>${code(item)}${tag('destruction_type', of.destruction?.ground)}${tag('reason_for_destruction', of.destruction?.reason)}</detail>`).join('')}</order_details>`,
  ],
  552: (of) => [
    'withdrawal',
    `${tag('subject_id', of.place)}${tag('operation_date', of.at)}${tag('doc_num', of.number)}${tag('doc_date', dotted(of.date))}${tag('withdrawal_type', OTHER_REASONS)}<order_details>${of.items.map(code).join('')}</order_details>`,
  ],
  912: (of) => [
    'unit_unpack',
    `${tag('subject_id', of.place)}${tag('operation_date', of.at)}${of.items.map((item) => tag('sscc', item.sscc)).join('')}`,
  ],
}

/** @throws Error for a schema that is not supported */
export function writeDocument(of: Outgoing): string {
  const writer = writers[of.schema]
  if (!writer) throw new Error(`schema ${of.schema} is not written`)
  const [root, body] = writer(of)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<documents version="${escaped(of.version)}"><${root} action_id="${of.schema}">${body}</${root}></documents>`
}

/** An incoming notice of shipment (601). */
export interface Shipment {
  /** The sender's place and ours. */
  sender: string
  receiver: string
  number: string | null
  date: string | null
  items: ShippedItem[]
}

/** A pack, or a box with prices of its contents; rubles as decimals. */
export interface ShippedItem {
  sgtin?: string
  sscc?: string
  cost: string | null
  vat: string | null
  /** For a box: by GTIN and series; empty if all cost the same. */
  prices: { gtin: string; cost: string | null; vat: string | null }[]
}

/** @throws Error if it is not a 601 */
export function readShipment(root: XmlNode): Shipment {
  const node = one(root, 'move_order_notification')
  if (!node) throw new Error('no 601')
  const date = valueAt(node, 'doc_date')?.split('.').reverse().join('-') ?? null
  return {
    sender: valueAt(node, 'subject_id') ?? '',
    receiver: valueAt(node, 'receiver_id') ?? '',
    number: valueAt(node, 'doc_num') ?? null,
    date,
    items: all(node, 'order_details/union').map((union) => {
      const sgtin = valueAt(union, 'sgtin')
      const sscc = valueAt(union, 'sscc_detail/sscc')
      return {
        ...(sgtin && { sgtin }),
        ...(sscc && { sscc }),
        cost: valueAt(union, 'cost') ?? null,
        vat: valueAt(union, 'vat_value') ?? null,
        prices: all(union, 'sscc_detail/detail').map((detail) => ({
          gtin: valueAt(detail, 'gtin') ?? '',
          cost: valueAt(detail, 'cost') ?? null,
          vat: valueAt(detail, 'vat_value') ?? null,
        })),
      }
    }),
  }
}

/** The report of a disposal registrar (10531): its number and packs. @throws Error if it is another document */
export function readDisposal(root: XmlNode): { number: string | null; date: string | null; sgtins: string[] } {
  const node = one(root, 'skzkm_health_care')
  if (!node) throw new Error('no 10531')
  return {
    number: valueAt(node, 'doc_num') ?? null,
    date: valueAt(node, 'doc_date')?.split('.').reverse().join('-') ?? null,
    sgtins: all(node, 'order_details/union').flatMap((union) => valueAt(union, 'sgtin') ?? []),
  }
}

export interface Ticket {
  result: 'accepted' | 'partial' | 'rejected'
  /** The id that a later 250 refers to. */
  operationId: string | null
  errors: { sgtin?: string; message: string }[]
}

/** The receipt of our document (200). */
export function readTicket(root: XmlNode): Ticket {
  const node = one(root, 'result') ?? root
  const result = valueAt(node, 'operation_result') ?? ''
  return {
    operationId: valueAt(node, 'operation_id') ?? null,
    result: /^Accepted/i.test(result) ? 'accepted' : /^Part/i.test(result) ? 'partial' : 'rejected',
    errors: all(node, 'errors').map((error) => {
      const about = valueAt(error, 'object_id')
      return {
        ...(about && { sgtin: about }),
        message: (valueAt(error, 'error_desc') ?? valueAt(error, 'error_code') ?? 'Ошибка').slice(0, 500),
      }
    }),
  }
}
