/** Where a lead comes from, told by keywords (spec §9), with the names of the places as people and links write them. */
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
 * The brand that a text names: utm_source, an address, a source's name.
 * @returns undefined when it names none; of several the first of the specification's list
 */
export function brandIn(text: string | null | undefined): Brand | undefined {
  const lower = text?.toLowerCase()
  return lower === undefined
    ? undefined
    : (Object.keys(keywords) as Brand[]).find((brand) => keywords[brand].some((word) => lower.includes(word)))
}

/** What a sender tells of the way of a lead. */
export interface Touch {
  utm?: Readonly<Record<string, string>>
  referrer?: string | null | undefined
  /** Address of the page that the lead was sent from. */
  page?: string | null | undefined
}

/** The brand of a lead: what utm_source says, else where the visitor came from, else the page itself. */
export const brandOf = ({ utm, referrer, page }: Touch): Brand | undefined =>
  brandIn(utm?.utm_source) ?? brandIn(referrer) ?? brandIn(page)

/**
 * The source of a lead: the one whose UTM mark is its utm_source (in any case of letters), else the one of its brand.
 * @param sources in the order in which they are preferred
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
