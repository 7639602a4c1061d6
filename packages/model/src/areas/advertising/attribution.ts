/**
 * The advertising that brought a contact. A touch is one contact with the clinic's advertising; a conversion is an appeal
 * or a booking. The attribution of a conversion is settled once, when it happens, and never changed (umami #3535). First
 * and last touch are kept apart. Pure.
 */

export const touchWays = {
  utm: 'UTM-метка',
  number: 'Набранный номер',
  promo: 'Промокод',
  answer: 'Ответ «откуда узнали»',
  direct: 'Прямой',
} as const
export type TouchWay = keyof typeof touchWays

export const conversionKinds = { appeal: 'Обращение', booking: 'Запись' } as const

/** Days before a conversion within which a touch counts as its last one. */
export const LAST_TOUCH_DAYS = 30
const DAY = 86_400_000

export interface Touch {
  id: number
  /** Milliseconds. */
  at: number
  way: TouchWay
  /** null: no known campaign. */
  idCampaign: number | null
}

export interface Attribution {
  first: Touch | null
  last: Touch | null
}

/**
 * The first touch is the earliest of all, the last one the latest within 30 days before the conversion. Direct touches
 * are ignored: a direct call never replaces advertising (matomo #22347).
 * @param at milliseconds of the conversion; touches after it do not count
 */
export function attribute(touches: readonly Touch[], at: number): Attribution {
  const before = touches
    .filter((touch) => touch.at <= at && touch.way !== 'direct')
    .toSorted((a, b) => a.at - b.at || a.id - b.id)
  const last = before.findLast((touch) => touch.at > at - LAST_TOUCH_DAYS * DAY)
  return { first: before[0] ?? null, last: last ?? null }
}

/** The UTM parameters that are stored; others are dropped. */
export const utmKeys = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'yclid',
  'gclid',
] as const
const MAX_MARK = 200

/** Keeps the known parameters, cut to length; nothing that could identify a person is kept. */
export function cleanUtm(utm: Readonly<Record<string, unknown>> | null | undefined): Record<string, string> {
  const clean: Record<string, string> = {}
  for (const key of utmKeys) {
    const value = utm?.[key]
    if (typeof value === 'string' && value.trim()) clean[key] = value.trim().slice(0, MAX_MARK)
  }
  return clean
}

/** The marks by which a campaign recognizes its touches. */
export interface CampaignMarks {
  id: number
  dateFrom: string
  dateTo: string | null
  utmSource: string | null
  utmMedium: string | null
  utmCampaign: string | null
}

const same = (mark: string | null, value: string | undefined): boolean =>
  mark === null || mark.trim() === '' || mark.trim().toLowerCase() === value?.trim().toLowerCase()

/** The campaign that matches the marks: of those active on that day, the most specific one. */
export function campaignOf(
  utm: Readonly<Record<string, string>>,
  day: string,
  campaigns: readonly CampaignMarks[],
): number | null {
  const marks = ({ utmSource, utmMedium, utmCampaign }: CampaignMarks) =>
    [utmSource, utmMedium, utmCampaign].filter((mark) => mark?.trim()).length
  const fit = campaigns.filter(
    (one) =>
      marks(one) > 0 &&
      day >= one.dateFrom &&
      (one.dateTo === null || day <= one.dateTo) &&
      same(one.utmSource, utm.utm_source) &&
      same(one.utmMedium, utm.utm_medium) &&
      same(one.utmCampaign, utm.utm_campaign),
  )
  return fit.toSorted((a, b) => marks(b) - marks(a) || b.id - a.id)[0]?.id ?? null
}

/** Money and counts of a campaign over a period. Money in kopecks. */
export interface CampaignFacts {
  spend: number
  appeals: number
  bookings: number
  visits: number
  newPatients: number
  paid: number
}

/** Ratios of the campaign; null where the divisor is zero. */
export function returns({ spend, appeals, bookings, visits, newPatients, paid }: CampaignFacts) {
  const per = (count: number) => (count > 0 && spend > 0 ? Math.round(spend / count) : null)
  const share = (part: number, whole: number) => (whole > 0 ? Math.round((part * 1000) / whole) / 10 : null)
  return {
    /** Kopecks per appeal, and per new patient. */
    cpl: per(appeals),
    cac: per(newPatients),
    /** Percent, to one decimal. */
    romi: spend > 0 ? Math.round(((paid - spend) * 1000) / spend) / 10 : null,
    toBooking: share(bookings, appeals),
    toVisit: share(visits, bookings),
  }
}

/** A legal requirement for a medical advertisement; its text says what to do. */
export interface LawCheck {
  rule: 'warning' | 'erid' | 'licence' | 'term'
  message: string
}

interface CreativeFacts {
  name: string
  text: string | null
  isOnline: boolean
  erid: string | null
}

/** 38-ФЗ ст. 24 ч. 7: the warning is mandatory; the wordings that clinics use. */
const WARNING = /противопоказани|необходима\s+консультация|проконсультируйтесь|консультаци[яию]\s+специалист/i

/**
 * The legal obstacles of a campaign.
 * @param licence number of the clinic's licence, from its organization
 */
export function lawChecks(
  campaign: { erid: string | null; contract: boolean; creatives: readonly CreativeFacts[] },
  licence: string | null,
): LawCheck[] {
  const found: LawCheck[] = []
  for (const { name, text, isOnline, erid } of campaign.creatives) {
    if (!WARNING.test(text ?? ''))
      found.push({
        rule: 'warning',
        message: `«${name}»: нет предупреждения о противопоказаниях и консультации специалиста (38-ФЗ, ст. 24)`,
      })
    if (isOnline && !erid?.trim() && !campaign.erid?.trim())
      found.push({ rule: 'erid', message: `«${name}»: интернет-реклама без токена erid (38-ФЗ, ст. 18.1)` })
    if (licence && text && !text.includes(licence))
      found.push({ rule: 'licence', message: `«${name}»: не указана лицензия № ${licence}` })
  }
  if (!licence)
    found.push({ rule: 'licence', message: 'У своей организации не заполнена лицензия на медицинскую деятельность' })
  return found
}
