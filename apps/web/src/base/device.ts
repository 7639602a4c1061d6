/** Browser and system names from the user agent; for display only. */

const browsers: [RegExp, string][] = [
  [/YaBrowser\//, 'Яндекс Браузер'],
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** 'Chrome, Windows' */
export function deviceName(userAgent: string | null | undefined): string {
  const find = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  return [find(browsers), find(systems)].filter(Boolean).join(', ') || 'Неизвестное устройство'
}

export function isPhone(userAgent: string | null | undefined): boolean {
  return /iPhone|Android.*Mobile|Mobile.*Safari/.test(userAgent ?? '')
}
