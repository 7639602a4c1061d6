/** Source of a lead by keywords (spec §9), in usual spellings. */
const keywords = {
  yandex: ['yandex', 'яндекс', '//ya.ru'],
  google: ['google', 'гугл'],
  telegram: ['telegram', 'телеграм', '//t.me'],
  whatsapp: ['whatsapp', 'ватсап', '//wa.me'],
  '2gis': ['2gis', '2гис'],
  site: ['site', 'сайт'],
  booklet: ['booklet', 'буклет'],
} as const satisfies Record<string, readonly string[]>

export type Brand = keyof typeof keywords

export const brandNames: Record<Brand, string> = {
  yandex: 'Яндекс',
  google: 'Google',
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
  '2gis': '2ГИС',
  site: 'Сайт',
  booklet: 'Буклет',
}

/**
 * Brand named in a text: utm_source, a URL, a source's name.
 * @returns undefined if none; of several, the first of the specification's list
 */
export function brandIn(text: string | null | undefined): Brand | undefined {
  const lower = text?.toLowerCase()
  return lower === undefined
    ? undefined
    : (Object.keys(keywords) as Brand[]).find((brand) => keywords[brand].some((word) => lower.includes(word)))
}

/** Data of a lead's origin. */
export interface Touch {
  utm?: Readonly<Record<string, string>>
  referrer?: string | null | undefined
  /** URL of the page with the form. */
  page?: string | null | undefined
}

/** Brand of a lead: by utm_source, else the referrer, else the page. */
export const brandOf = ({ utm, referrer, page }: Touch): Brand | undefined =>
  brandIn(utm?.utm_source) ?? brandIn(referrer) ?? brandIn(page)

/**
 * Source of a lead: with its utm_source as UTM mark (case-insensitive), else of its brand.
 * @param sources in order of preference
 */
export function sourceOf<S extends { name: string; UTM: string | null }>(
  touch: Touch,
  sources: readonly S[],
): S | undefined {
  const mark = touch.utm?.utm_source?.trim().toLowerCase()
  const brand = brandOf(touch)
  return (
    (mark ? sources.find(({ UTM }) => UTM?.trim().toLowerCase() === mark) : undefined) ??
    (brand &&
      (sources.find(({ UTM }) => brandIn(UTM) === brand) ?? sources.find(({ name }) => brandIn(name) === brand)))
  )
}
