import type { AdapterCode } from '@ordinator/model/areas/exchange/exchangeMessage'
import type { AdapterMode, adapterPages, ModeSetting } from '@ordinator/model/areas/exchange/integration'

/** An outside system an area connects to: its card in «Интеграции» and its health check. */
export interface Adapter {
  /** Stable across restarts: `sms`, `kkt-3`. */
  key: string
  /** Its code in the exchange journal; absent: it writes no journal lines. */
  code?: AdapterCode
  /** The record its journal lines refer to, where several adapters share a code. */
  about?: { path: string; id: number }
  /** In Russian. */
  name: string
  mode: AdapterMode
  /** Where it is configured, in Russian: a server setting, or a page. */
  setIn: string
  page?: (typeof adapterPages)[number]
  /** The clinic setting that switches its mode. */
  modeSetting?: ModeSetting
  /** Extra status text, in Russian: «последний чек в 10:32». */
  note?(): Promise<string | null>
  /** Warnings about failures to come, in Russian, with what to do. */
  warnings?(): Promise<readonly string[]>
  /** Number of queued messages, for adapters with a queue. */
  queue?(): Promise<number>
  /**
   * Health check.
   * @returns the system's message, in Russian, shown until the next check: «На счёте 1 200 ₽»
   * @throws AdapterFault, or an HttpError with a message for people
   */
  check(): Promise<string | undefined> | Promise<void>
  /** Expiry date of the certificates it presents. */
  certificateEnd?(): Promise<Date | undefined>
  /** The check leaves no trace in the outside system, so the server may run it periodically. */
  isQuiet?: true
}

/** The outside system does not answer or refuses. The message is Russian, without secrets or patients' data. */
export class AdapterFault extends Error {
  override name = 'AdapterFault'
}
