import type { FieldError } from '../../check.ts'
import { entity, type Row } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { color } from '../../fields/color.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { phone } from '../../fields/phone.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { siteAccess } from './access.ts'
import { SITE_FILES } from './blocks.ts'

/** Fonts available on every device, and the bundled one: nothing is loaded from outside. */
export const siteFonts = {
  system: 'Системный',
  inter: 'Inter',
  serif: 'С засечками',
} as const

/** Theme of the site, and clinic data shown on every page. A single record. */
export const SiteTheme = entity('client/theme', {
  label: ['Оформление сайта', 'оформления сайта', 'оформлений сайта'],
  gender: 'n',
  fields: {
    isActive: boolean({
      label: 'Сайт открыт',
      help: 'Выключено — посетители видят, что сайт закрыт',
      default: false,
    }),
    name: text({ label: 'Название', help: 'Пусто — название клиники', max: 80 }),
    tagline: text({ label: 'Строка под названием', max: 160 }),
    phone: phone({ label: 'Телефон в шапке' }),
    idLogo: ref(SITE_FILES, { label: 'Логотип', as: 'logo', onDelete: 'set null' }),
    footer: text({ label: 'Подвал', help: 'Например: «Имеются противопоказания…»', max: 1000, multiline: true }),
    font: choice(siteFonts, { label: 'Шрифт', default: 'inter' }),
    radius: integer({ label: 'Скругление, пикселей', min: 0, max: 24, default: 10 }),
    accent: color({ label: 'Акцент: кнопки и ссылки', default: '#0b7285' }),
    background: color({ label: 'Фон страницы', default: '#ffffff' }),
    surface: color({ label: 'Фон карточек', default: '#f1f5f6' }),
    ink: color({ label: 'Текст', default: '#1f2933' }),
    hasDark: boolean({ label: 'Тёмная тема', help: 'У кого она включена на устройстве', default: true }),
    darkAccent: color({ label: 'Акцент: кнопки и ссылки', default: '#3bc9db' }),
    darkBackground: color({ label: 'Фон страницы', default: '#16191d' }),
    darkSurface: color({ label: 'Фон карточек', default: '#20252b' }),
    darkInk: color({ label: 'Текст', default: '#e6e9ec' }),
    host: text({
      label: 'Свой домен',
      help: 'clinic.ru: его адрес в сети должен вести на этот сервер. Пусто — сайт стоит по адресу /site',
      max: 253,
      hidden: 'mainSettings',
      rule: (value) =>
        value === '' ||
        /^(?=.{4,253}$)([a-z0-9\u0430-\u044f\u0451](?:[a-z0-9\u0430-\u044f\u0451-]*[a-z0-9\u0430-\u044f\u0451])?\.)+(?:[a-z\u0430-\u044f]{2,}|xn--[a-z0-9-]*[a-z0-9])$/.test(
          value,
        )
          ? undefined
          : 'Домен пишут без https:// и пути: clinic.ru',
    }),
    idIntake: ref('sales-management/intakes', {
      label: 'Куда приходят заявки',
      help: 'Форма из «Приёма заявок»; пусто — первая включённая',
      as: 'intake',
      onDelete: 'set null',
    }),
    dateChange: dateTime({ label: 'Изменено', auto: 'changed' }),
  },
  access: { view: siteAccess.view, update: siteAccess.update },
  title: 'name',
  sort: 'id',
})

type Colours = Pick<
  Row<typeof SiteTheme>,
  'accent' | 'background' | 'surface' | 'ink' | 'darkAccent' | 'darkBackground' | 'darkSurface' | 'darkInk' | 'hasDark'
>

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast ratio from 1 (equal) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Text colour on a background: black or white, by the better contrast. */
export const inkOn = (hex: string): string =>
  contrast(hex, '#ffffff') >= contrast(hex, '#000000') ? '#ffffff' : '#000000'

/** WCAG AA for text of normal size. */
export const READABLE = 4.5

/** Pairs of colours that must contrast: the field with the error first. */
export const colourPairs = [
  ['ink', 'background', 'Текст на фоне страницы'],
  ['ink', 'surface', 'Текст на карточках'],
  ['accent', 'background', 'Ссылки на фоне страницы'],
  ['accent', 'surface', 'Ссылки на карточках'],
  ['darkInk', 'darkBackground', 'Текст на фоне страницы'],
  ['darkInk', 'darkSurface', 'Текст на карточках'],
  ['darkAccent', 'darkBackground', 'Ссылки на фоне страницы'],
  ['darkAccent', 'darkSurface', 'Ссылки на карточках'],
] as const satisfies readonly (readonly [keyof Colours, keyof Colours, string])[]

/** Unreadable colour pairs, as field errors. */
export function colourErrors(colours: Colours): FieldError[] {
  const found = new Map<string, string>()
  for (const [front, back, words] of colourPairs) {
    if (front.startsWith('dark') && !colours.hasDark) continue
    const [one, other] = [colours[front], colours[back]]
    if (!one || !other || found.has(front)) continue
    const is = contrast(one, other)
    if (is < READABLE)
      found.set(front, `${words} не прочитать: контраст ${is.toFixed(1).replace('.', ',')}, нужно не меньше 4,5`)
  }
  return [...found].map(([field, message]) => ({ field, message }))
}
