const part = (timeZone: string, timeZoneName: 'shortGeneric' | 'shortOffset', now: Date): string =>
  new Intl.DateTimeFormat('ru', { timeZone, timeZoneName })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** 'Москва (UTC+3)' of an IANA name, as the clocks stand now. */
export function zoneName(timeZone: string, now = new Date()): string {
  const offset = part(timeZone, 'shortOffset', now).replace('GMT', 'UTC')
  const place = part(timeZone, 'shortGeneric', now)
  return /^GMT/.test(place) ? `${timeZone} (${offset})` : `${place} (${offset})`
}

let known: { value: string; label: string }[] | undefined

/** All that the browser knows, and the present one in any case; reckoned once. */
export function zoneOptions(present?: string): { value: string; label: string }[] {
  known ??= Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: zoneName(value) }))
  const own =
    !present || known.some(({ value }) => value === present) ? [] : [{ value: present, label: zoneName(present) }]
  return [...own, ...known].sort((a, b) => a.label.localeCompare(b.label, 'ru'))
}
