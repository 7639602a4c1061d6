import type { AdapterCode } from '@ordinator/model/areas/exchange/exchangeMessage'
import type { AdapterMode, adapterPages, ModeSetting } from '@ordinator/model/areas/exchange/integration'

/** What an area speaks with outside: a card of «Интеграции», and how to ask whether it answers. */
export interface Adapter {
  /** The same between starts: `sms`, `kkt-3`. */
  key: string
  /** Its word in the journal of exchange; absent: it writes no lines there. */
  code?: AdapterCode
  /** What its lines are about, where several adapters share a word. */
  about?: { path: string; id: number }
  /** In Russian. */
  name: string
  mode: AdapterMode
  /** Where it is set up, in Russian: a setting of the server, or a page. */
  setIn: string
  page?: (typeof adapterPages)[number]
  /** The setting of the clinic that switches its mode. */
  modeSetting?: ModeSetting
  /** What else is known of it now, in words: «последний чек в 10:32». */
  note?(): Promise<string | null>
  /** What works and will soon stop, in words with what to do. */
  warnings?(): Promise<readonly string[]>
  /** How many messages wait, where it has a queue. */
  queue?(): Promise<number>
  /** @throws AdapterFault, or a refusal of the house's own, with words for people */
  check(): Promise<void>
  /** Until when the certificates that it shows are good. */
  certificateEnd?(): Promise<Date | undefined>
  /** Being asked leaves no trace there, so that the house may ask by itself. */
  isQuiet?: true
}

/** The other side does not answer, or refuses: in Russian, without secrets and patients' data. */
export class AdapterFault extends Error {
  override name = 'AdapterFault'
}
