/** Interface of a partner laboratory, independent of its protocol. */
import type { RejectReason } from '@ordinator/model/areas/laboratory/states'

export interface PriceLine {
  code: string
  name: string
  cost: number
  termDays: number
}

export interface PartnerValue {
  /** The partner's code of the test, and of the analyte within it. */
  code: string
  analyte: string
  value: string
  unit: string
  /** It cannot be obtained; `value` has the partner's words. */
  noResult?: true
}

export interface PartnerResults {
  state: 'accepted' | 'part' | 'done' | 'rejected'
  values: PartnerValue[]
  /** Tubes that the partner refuses. */
  rejected: { barcode: string; reason: RejectReason }[]
  /** Its own document, PDF, once all results are ready. */
  paper?: Uint8Array | undefined
}

export interface PartnerOrder {
  /** Our key: an order repeated with it is the same order there. */
  key: string
  samples: { barcode: string; codes: string[] }[]
  patient: { sex: string | null; birthday: string | null }
}

/** A report that a partner has sent by itself. */
export interface Incoming {
  /** Of the order there, or the bar code of one of its tubes. */
  number: string
  results: PartnerResults
}

/**
 * A partner's exchange. Failures are of three kinds: PartnerRefusal and PartnerSilence are the partner's; any other
 * exception is our own.
 */
export interface PartnerAdapter {
  createOrder(order: PartnerOrder): Promise<{ externalNumber: string }>
  cancelOrder(externalNumber: string): Promise<void>
  /** For partners that are asked about each order. */
  polled?: {
    getStatus(externalNumber: string): Promise<PartnerResults['state']>
    getResults(externalNumber: string): Promise<PartnerResults>
  }
  /**
   * For partners that send reports by themselves: passes each of what has arrived, oldest first, and puts it away once
   * `take` has committed it (`taken`); what `take` does not recognize is put aside (`unknown`), the rest stays (`later`).
   */
  collect?(take: (report: Incoming) => Promise<'taken' | 'unknown' | 'later'>): Promise<void>
  /** Absent: the price list is loaded from a file in the catalogue. */
  price?: {
    getCatalog(): Promise<PriceLine[]>
    preanalytics(codes: readonly string[]): Promise<{ code: string; biomaterial: string }[]>
  }
}

/** A permanent refusal: a retry gives the same result. */
export class PartnerRefusal extends Error {}

/** No answer, a broken connection, a folder that is not there: a retry may succeed. */
export class PartnerSilence extends Error {}
