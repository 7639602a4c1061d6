/** What a device has said, whatever it speaks. */

export interface Measurement {
  /** Number of the tube as the device has read it; undefined: it names none. */
  tube: string | undefined
  /** By which its analyte is looked for in the device's codes, the most telling first. */
  codes: string[]
  /** As it came, without blanks around. */
  value: string
  /** '' : the device sends none. */
  unit: string
  /** The device's own words of it, never the norm's. */
  flags: string | null
  /** By the clock of the device, as it is written. */
  at: string | null
  /** Not a preliminary one. */
  final: boolean
}

export interface ControlMeasurement extends Measurement {
  lot: string | null
  level: string | null
  name: string | null
}

/** A tube of which the device asks what to do. */
export interface Asked {
  barcode: string
  /** What the answer must name: the id of the message. */
  id: string | null
}

export interface DeviceMessage {
  kind: 'results' | 'control' | 'calibration' | 'query' | 'other'
  results: Measurement[]
  controls: ControlMeasurement[]
  queries: Asked[]
}
