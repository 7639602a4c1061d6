import { z } from 'zod'
import { isCalendarDate } from '../../fields/dateTime.ts'
import { messages } from '../../messages.ts'
import type { PageKey } from '../../pages.ts'
import type { LaterArea } from '../../waiting.ts'

/** Input of a setting; absent: derived from the value (text, number, switch). */
export type Input =
  | { kind: 'text' | 'lines' | 'day' | 'hours' | 'timeZone' | 'modules' | 'tariff' | 'secret' | 'picture' | 'color' }
  | { kind: 'choice' | 'several'; labels: Readonly<Record<string, string>> }
  | { kind: 'record'; to: string; filter?: Readonly<Record<string, string | number>> }
  /**
   * One `to` record for each `per` record: `by` is the reference back. Values are ids by id; `filter` may have several
   * values.
   */
  | {
      kind: 'recordOf'
      per: string
      to: string
      by: string
      filter?: Readonly<Record<string, string | readonly string[]>>
    }
  /** Switch of one property of an object. */
  | { kind: 'switchOf'; part: string }

export interface Setting<T = unknown> {
  label: string
  help?: string
  /** Synonyms for the search over settings. */
  words?: string
  /** Check of a write; for a secret, of the secret itself. */
  check: z.ZodType
  /** Default value. */
  byDefault: T
  /** Returned with the account to every signed-in user; other settings need `mainSettings`. */
  public?: boolean
  input?: Input
  /** Not used until this area exists, although the rest of the page is; the screen shows that. */
  waits?: LaterArea
  /**
   * For a secret: the setting with its destination. Changing that setting clears the secret, so that it cannot be
   * redirected.
   */
  goesTo?: string
  /** For an address that the server calls: the server's setting that may hold an address of the inner network. */
  calledBy?: string
  /** Full width of the form. */
  wide?: boolean
  /** Shown only while another setting of the page has one of these values. */
  when?: { setting: string; is: readonly string[] }
  /** By value of a choice: our URL path to enter at the provider, with its label. */
  callback?: Readonly<Record<string, { label: string; path: string }>>
}

/** Declares a setting of the clinic. */
export const setting = <T>(own: Omit<Setting<T>, 'check'> & { check: z.ZodType<T> }): Setting<T> => own

/** Declares a write-only secret: the value shows whether it is set. Empty removes it. */
export const secret = (
  own: Pick<Setting, 'label' | 'help' | 'words' | 'goesTo' | 'when'>,
  check: z.ZodType<string> = line(500),
): Setting<boolean> => ({
  ...own,
  check,
  byDefault: false,
  input: { kind: 'secret' },
})

type Groups = Readonly<Record<string, Readonly<Record<string, Setting>>>>

/** A page of settings: `groups` by title, in display order. */
export interface SettingsChild {
  page: PageKey
  /** Not used until this area exists; the screen shows that. */
  waits?: LaterArea
  /** Pages with further setup of the same subject. */
  beside?: readonly PageKey[]
  groups: Groups
}

/** Declares a page of settings. Storage, checks, form, search and history derive from it. */
export const child = <const C extends SettingsChild>(own: C): C => own

export const line = (max: number) =>
  z
    .string(messages.string)
    .trim()
    .max(max, messages.maxLength(max))
    .refine((v) => !v.includes('\0'), messages.nul)
export const whole = (min: number, max: number) =>
  z.int(messages.integer).min(min, messages.min(min)).max(max, messages.max(max))
/** Characters allowed in an HTTP header. */
export const headerText = (max: number) =>
  line(max).refine((v) => /^[\x21-\x7e]*$/.test(v), 'Ключ — латинские буквы, цифры и знаки, без пробелов')
/** One of the keys. */
export const among = <K extends string>(labels: Readonly<Record<K, string>>) =>
  z.enum(Object.keys(labels) as [K, ...K[]], messages.choice)
/** Maximum records in a setting of ids by id. */
const MAX_NAMED = 500
/** Ids by id. */
export const idsById = () =>
  z
    .record(
      z.string().regex(/^[1-9]\d{0,14}$/, messages.reference),
      z.int(messages.integer).positive(messages.reference),
      messages.json,
    )
    .refine((all) => Object.keys(all).length <= MAX_NAMED, messages.json)
/** Several of the keys, each once. */
export const severalOf = <K extends string>(labels: Readonly<Record<K, string>>) =>
  z.array(among(labels), messages.list).refine((all) => new Set(all).size === all.length, 'Указано дважды')
/** Distinct short texts; empty ones are dropped. */
export const lines = (count: number, max: number) =>
  z
    .array(line(max), messages.list)
    .transform((all) => [...new Set(all.filter(Boolean))])
    .refine((all) => all.length <= count, `Не больше ${count} строк`)
/** `YYYY-MM-DD`, or empty. */
export const dayOrNone = () =>
  z
    .string(messages.string)
    .refine(
      (text) =>
        text === '' ||
        (/^\d{4}-\d\d-\d\d$/.test(text) &&
          isCalendarDate(...(text.split('-').map(Number) as [number, number, number]))),
      messages.date,
    )
/** Bytes of an uploaded picture. */
export const MAX_PICTURE = 500_000
/** Id of a picture: SHA-256 of its bytes. */
const PICTURE = /^[\da-f]{64}$/
const GIVEN = /^data:image\/(png|jpeg|webp);base64,[A-Za-z\d+/]+={0,2}$/
export const isGivenPicture = (value: unknown): value is string => typeof value === 'string' && GIVEN.test(value)

/** An existing picture by id, or a new one as a data URL, which the server re-encodes. */
export const picture = () =>
  z
    .string(messages.string)
    .max(MAX_PICTURE * 1.4, `Картинка не больше ${MAX_PICTURE / 1000} кБ`)
    .refine((v) => v === '' || PICTURE.test(v) || isGivenPicture(v), 'Нужна картинка PNG, JPEG или WebP')
/** `#rrggbb`, or empty. */
export const hue = () =>
  z.string(messages.string).refine((v) => v === '' || /^#[\da-f]{6}$/.test(v), 'Цвет — решётка и шесть знаков: #0b7285')
export const webAddress = () =>
  line(500).refine((v) => v === '' || (/^https?:\/\//.test(v) && URL.canParse(v)), messages.url)
