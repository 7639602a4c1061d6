/** What a partner laboratory is asked, whatever its program speaks. */
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
  /** Its own paper, PDF, once all is ready. */
  paper?: Uint8Array | undefined
}

export interface PartnerOrder {
  /** Ours: the same order sent again by it is the same one there. */
  key: string
  samples: { barcode: string; codes: string[] }[]
  patient: { sex: string | null; birthday: string | null }
}

/** What every partner's program must do, whatever it speaks. */
export interface PartnerAdapter {
  getCatalog(): Promise<PriceLine[]>
  preanalytics(codes: readonly string[]): Promise<{ code: string; biomaterial: string }[]>
  createOrder(order: PartnerOrder): Promise<{ externalNumber: string }>
  cancelOrder(externalNumber: string): Promise<void>
  getStatus(externalNumber: string): Promise<PartnerResults['state']>
  getResults(externalNumber: string): Promise<PartnerResults>
}

/** The other side refused, for good: asking again would get the same. */
export class PartnerRefusal extends Error {}
