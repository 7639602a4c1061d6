/** A parsed device message, independent of the protocol. */

/**
 * A device's status of a value: `final`, `preliminary` (a final one follows), `corrected` (replaces its own),
 * `impossible` (cannot be obtained, cancelled, aborted), `withdrawn` (its former value was wrong).
 */
export type Reported = 'final' | 'preliminary' | 'corrected' | 'impossible' | 'withdrawn'

export interface Measurement {
  /** Tube number as read by the device; undefined if absent. */
  tube: string | undefined
  /** Names to look up in the device's codes, the most specific first. */
  codes: string[]
  /** As received, trimmed. */
  value: string
  /** '' : the device sends none. */
  unit: string
  /** Spellings of the unit to compare: the whole field, and its first component. */
  units: string[]
  /** The device's own flags, not those of our norm. */
  flags: string | null
  /** By the device's clock, unparsed. */
  at: string | null
  reported: Reported
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

/**
 * The unit of a field: a bare `^` inside a unit (`10^9/L`) is common although it separates components, so the whole field
 * and its first component are both spellings of it.
 * @param whole unescaped field @param first its first component, unescaped
 */
export const unitOf = (whole: string, first: string): Pick<Measurement, 'unit' | 'units'> => ({
  unit: /^[x×*]?\d+$/i.test(first) ? whole : first,
  units: [...new Set([whole, first])],
})
