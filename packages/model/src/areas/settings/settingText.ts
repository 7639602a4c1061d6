import { formatDay } from '../../format.ts'
import { moduleLabels, tariffLabels } from '../../tariff.ts'
import { type CommonSettingName, commonSettings } from './commonSettings.ts'
import type { Input } from './setting.ts'

const NOTHING = 'не задано'

/** Display text of a setting's value; null is the default. */
export function settingText(name: CommonSettingName, value: unknown): string {
  const { byDefault, input } = commonSettings[name]
  const text = textOf(value ?? byDefault, input)
  return value === null && text !== NOTHING ? `${text} (изначально)` : text
}

function textOf(value: unknown, input: Input | undefined): string {
  if (input?.kind === 'picture') return value ? 'картинка' : NOTHING
  if (input?.kind === 'secret') return value ? 'задан' : NOTHING
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return NOTHING
  if (typeof value === 'boolean') return value ? 'включено' : 'выключено'
  const labels: Readonly<Record<string, string>> | undefined =
    input?.kind === 'modules'
      ? moduleLabels
      : input?.kind === 'tariff'
        ? tariffLabels
        : input && 'labels' in input
          ? input.labels
          : undefined
  const one = (key: unknown) => labels?.[String(key)] ?? String(key)
  if (Array.isArray(value)) return value.map(one).join(', ')
  if (input?.kind === 'hours') {
    const { start, end } = value as { start: string; end: string }
    return `${start}–${end}`
  }
  if (input?.kind === 'switchOf') return textOf((value as Record<string, unknown>)[input.part], undefined)
  if (input?.kind === 'record') return `№ ${value}`
  if (input?.kind === 'recordOf') {
    const all = Object.entries(value as Record<string, number>)
    return all.length ? all.map(([of, id]) => `№ ${of}: № ${id}`).join(', ') : NOTHING
  }
  if (input?.kind === 'day') return formatDay(String(value))
  return one(value)
}
