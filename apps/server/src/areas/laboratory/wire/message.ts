/** A parsed device message, independent of the protocol. */

export interface Measurement {
  /** Tube number as read by the device; undefined if absent. */
  tube: string | undefined
  /** Names to look up in the device's codes, the most specific first. */
  codes: string[]
  /** As received, trimmed. */
  value: string
  /** '' : the device sends none. */
  unit: string
  /** The device's own flags, not those of our norm. */
  flags: string | null
  /** By the device's clock, unparsed. */
  at: string | null
  /** False if preliminary. */
  final: boolean
}

export interface ControlMeasurement extends Measurement {
  lot: string | null
  level: string | null
  name: string | null
}

/** A tube queried by the device. */
export interface Asked {
  barcode: string
  /** Id of the message, for the reply. */
  id: string | null
}

export interface DeviceMessage {
  kind: 'results' | 'control' | 'calibration' | 'query' | 'other'
  results: Measurement[]
  controls: ControlMeasurement[]
  queries: Asked[]
}
