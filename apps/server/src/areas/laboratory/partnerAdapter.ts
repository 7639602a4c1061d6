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

/** Operations that every partner's adapter implements. */
export interface PartnerAdapter {
  getCatalog(): Promise<PriceLine[]>
  preanalytics(codes: readonly string[]): Promise<{ code: string; biomaterial: string }[]>
  createOrder(order: PartnerOrder): Promise<{ externalNumber: string }>
  cancelOrder(externalNumber: string): Promise<void>
  getStatus(externalNumber: string): Promise<PartnerResults['state']>
  getResults(externalNumber: string): Promise<PartnerResults>
}

/** A permanent refusal: a retry gives the same result. */
export class PartnerRefusal extends Error {}
