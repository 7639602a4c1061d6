/** Cities of Russia's time zones (IANA tz database): browsers do not include their Russian names. */
const CITIES: Readonly<Record<string, string>> = {
  'Asia/Anadyr': 'Анадырь',
  'Asia/Barnaul': 'Барнаул',
  'Asia/Chita': 'Чита',
  'Asia/Irkutsk': 'Иркутск',
  'Asia/Kamchatka': 'Камчатка',
  'Asia/Khandyga': 'Хандыга',
  'Asia/Krasnoyarsk': 'Красноярск',
  'Asia/Magadan': 'Магадан',
  'Asia/Novokuznetsk': 'Новокузнецк',
  'Asia/Novosibirsk': 'Новосибирск',
  'Asia/Omsk': 'Омск',
  'Asia/Sakhalin': 'Сахалин',
  'Asia/Srednekolymsk': 'Среднеколымск',
  'Asia/Tomsk': 'Томск',
  'Asia/Ust-Nera': 'Усть-Нера',
  'Asia/Vladivostok': 'Владивосток',
  'Asia/Yakutsk': 'Якутск',
  'Asia/Yekaterinburg': 'Екатеринбург',
  'Europe/Astrakhan': 'Астрахань',
  'Europe/Kaliningrad': 'Калининград',
  'Europe/Kirov': 'Киров',
  'Europe/Moscow': 'Москва',
  'Europe/Samara': 'Самара',
  'Europe/Saratov': 'Саратов',
  'Europe/Simferopol': 'Симферополь',
  'Europe/Ulyanovsk': 'Ульяновск',
  'Europe/Volgograd': 'Волгоград',
}

const part = (timeZone: string, timeZoneName: 'shortGeneric' | 'shortOffset', now: Date): string =>
  new Intl.DateTimeFormat('ru', { timeZone, timeZoneName })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** 'Москва (UTC+3)' for an IANA name, with the current offset. */
export function zoneName(timeZone: string, now = new Date()): string {
  const offset = part(timeZone, 'shortOffset', now).replace('GMT', 'UTC')
  const place = CITIES[timeZone] ?? part(timeZone, 'shortGeneric', now)
  return /^GMT/.test(place) ? `${timeZone} (${offset})` : `${place} (${offset})`
}

let known: { value: string; label: string }[] | undefined

/** All zones known to the browser, and the current one in any case; computed once. */
export function zoneOptions(present?: string): { value: string; label: string }[] {
  known ??= Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: zoneName(value) }))
  const own =
    !present || known.some(({ value }) => value === present) ? [] : [{ value: present, label: zoneName(present) }]
  return [...own, ...known].sort((a, b) => a.label.localeCompare(b.label, 'ru'))
}
