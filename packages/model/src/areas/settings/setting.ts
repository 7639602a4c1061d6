import { z } from 'zod'
import { isCalendarDate } from '../../fields/dateTime.ts'
import { messages } from '../../messages.ts'
import type { PageKey } from '../../pages.ts'
import type { LaterArea } from '../../waiting.ts'

/** How a setting is asked for; absent: by what its value is (a text, a number, a switch). */
export type Input =
  | { kind: 'text' | 'lines' | 'day' | 'hours' | 'timeZone' | 'modules' | 'tariff' | 'secret' | 'picture' | 'color' }
  | { kind: 'choice' | 'several'; labels: Readonly<Record<string, string>> }
  | { kind: 'record'; to: string; filter?: Readonly<Record<string, string | number>> }
  /**
   * For each record of `per` one of `to` that it holds: `by` is the reference from there. Values are ids by id;
   * `filter` may name several values.
   */
  | {
      kind: 'recordOf'
      per: string
      to: string
      by: string
      filter?: Readonly<Record<string, string | readonly string[]>>
    }
  /** An object of switches that shows the one of this name. */
  | { kind: 'switchOf'; part: string }

export interface Setting<T = unknown> {
  label: string
  help?: string
  /** What else people call it: the search over settings reads it too. */
  words?: string
  /** What a write may hold; of a secret the secret itself. */
  check: z.ZodType
  /** The value until somebody sets another. */
  byDefault: T
  /** Told to every signed-in user with the account; the others only to `mainSettings`. */
  public?: boolean
  input?: Input
  /** Nothing reads it until this area is there, though the rest of its page works; the screen says so. */
  waits?: LaterArea
  /** Of a secret: the setting that says where it goes. Once that changes the secret is forgotten, so that nobody leads it elsewhere. */
  goesTo?: string
  /** Takes the whole width of a form. */
  wide?: boolean
  /** Asked for only while another setting of the page has one of these values. */
  when?: { setting: string; is: readonly string[] }
  /** By the value of a choice: the path of ours that is entered on the other side, and what it is for. */
  callback?: Readonly<Record<string, { label: string; path: string }>>
}

/** One setting of the clinic. */
export const setting = <T>(own: Omit<Setting<T>, 'check'> & { check: z.ZodType<T> }): Setting<T> => own

/** What is written and never told again: the value is whether there is one. Empty takes it away. */
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

/** A page of settings: `groups` by their titles, in the order of the screen. */
export interface SettingsChild {
  page: PageKey
  /** Nothing reads it until this area is there; the screen says so. */
  waits?: LaterArea
  /** Pages that set up the rest of the same subject. */
  beside?: readonly PageKey[]
  groups: Groups
}

/** Declares a page of settings. What is stored, checked, shown, sought and told of changes follows from it. */
export const child = <const C extends SettingsChild>(own: C): C => own

export const line = (max: number) =>
  z
    .string(messages.string)
    .trim()
    .max(max, messages.maxLength(max))
    .refine((v) => !v.includes('\0'), messages.nul)
export const whole = (min: number, max: number) =>
  z.int(messages.integer).min(min, messages.min(min)).max(max, messages.max(max))
/** What a header of HTTP holds. */
export const headerText = (max: number) =>
  line(max).refine((v) => /^[\x21-\x7e]*$/.test(v), 'Ключ — латинские буквы, цифры и знаки, без пробелов')
/** One of the labels. */
export const among = <K extends string>(labels: Readonly<Record<K, string>>) =>
  z.enum(Object.keys(labels) as [K, ...K[]], messages.choice)
/** Most records that one setting names by another. */
const MAX_NAMED = 500
/** Ids by ids: of records each with one of its own. */
export const idsById = () =>
  z
    .record(
      z.string().regex(/^[1-9]\d{0,14}$/, messages.reference),
      z.int(messages.integer).positive(messages.reference),
      messages.json,
    )
    .refine((all) => Object.keys(all).length <= MAX_NAMED, messages.json)
/** Several of the labels, each once. */
export const severalOf = <K extends string>(labels: Readonly<Record<K, string>>) =>
  z.array(among(labels), messages.list).refine((all) => new Set(all).size === all.length, 'Указано дважды')
/** Short texts, each once; an empty one is left out. */
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
/** Bytes of a picture as it is given. */
export const MAX_PICTURE = 500_000
/** What a picture is known by: SHA-256 of its bytes. */
const PICTURE = /^[\da-f]{64}$/
const GIVEN = /^data:image\/(png|jpeg|webp);base64,[A-Za-z\d+/]+={0,2}$/
export const isGivenPicture = (value: unknown): value is string => typeof value === 'string' && GIVEN.test(value)

/** A picture that stands there by its number, or a new one as a data address, which the server draws anew and numbers. */
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
