import { Switch } from '@mantine/core'
import type { AnyFilter } from '@ordinator/model/client'
import { mark } from '#base/addressValues.ts'
import type { FilterKind } from './filters.ts'

interface Options {
  /** Label in the panel, where there is more room. */
  panel?: string
  /** Adds a toggle beside the panel. */
  toggle?: boolean
}

/** On or off: `flag('Только мои', ({ idUser }: Asker) => ({ idUser }))`. */
export function flag<Q = unknown>(
  label: string,
  is: AnyFilter | ((context: Q) => AnyFilter),
  { panel = label, toggle = false }: Options = {},
): FilterKind<{ '': true }, object, Q, unknown> {
  return {
    label,
    parts: { '': mark },
    conditions: (_, { context }) => [typeof is === 'function' ? is(context) : is],
    text: () => label,
    input: ({ value, onChange, inline }) => (
      <Switch
        label={inline ? label : panel}
        aria-label={panel}
        checked={value[''] === true}
        onChange={(event) => onChange({ '': event.currentTarget.checked || undefined })}
      />
    ),
    toggle: toggle ? { label, value: { '': true } } : undefined,
  }
}
