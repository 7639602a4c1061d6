import { useMediaQuery } from '@mantine/hooks'
import type { ComponentType, ReactNode } from 'react'
import bar from '#kit/FilterBar.module.css'
import { FilterChipLine, FilterPanelButton, FilterSearch, FilterToggle } from '#kit/FilterBar.tsx'
import panel from '#kit/FilterPanel.module.css'
import { ToolsSlot } from '#kit/ToolsSlot.tsx'
import { useNamedOf } from '../fields/RefSelect.tsx'
import {
  type FilterInputProps,
  type Filters,
  filterValuesOf,
  inContext,
  isOn,
  type Placed,
  patchOf,
  removalPatchOf,
} from './filters.ts'
import { pathOf } from './ref.tsx'

interface Props<V extends object, U> {
  filters: Filters<V, never, U>
  values: NoInfer<V>
  onChange: (patch: Partial<NoInfer<V>>, options?: { replace?: boolean }) => void
  /** Context that inputs and chips need from the screen. */
  context?: NoInfer<U>
}

const useIsPhone = () => useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false

/** The line above a list: search, panel, toggles, chips; `children` at the right end. */
export function FilterBar<V extends object, U>(props: Props<V, U> & { children?: ReactNode }) {
  const { filters, values, onChange, children } = props
  const phone = useIsPhone()
  const reset = () => onChange(filters.none as Partial<V>)
  return (
    <div className={bar.filters}>
      <div className={bar.line}>
        <Search {...props} />
        <FilterPanelButton count={filters.count(values)} phone={phone} onReset={reset}>
          <div className={panel.grid}>
            <Inputs {...props} inline={false} />
          </div>
        </FilterPanelButton>
        {!phone && filters.all.map((one) => <Toggle key={one.name} {...props} one={one} />)}
        <span className={bar.space} />
        {children}
        <ToolsSlot className={bar.tools} />
      </div>
      <FilterChipLine chips={useChips(props)} onOff={(off) => onChange(off as Partial<V>)} onReset={reset} />
    </div>
  )
}

/** Maximum fields below the search on a phone; more would leave no room for the list. */
const MOST_ON_PHONE = 2

/** All filters side by side, in the toolbar of a list. Many of them become a panel on a phone. */
export function FilterFields<V extends object, U>(props: Props<V, U>) {
  const isPanel = useIsPhone() && props.filters.all.filter(({ kind }) => kind.input).length > MOST_ON_PHONE
  return (
    <>
      <Search {...props} />
      {isPanel ? <FilterButton {...props} /> : <Inputs {...props} inline />}
    </>
  )
}

/** All filters behind a small button, with the active ones below. */
export function FilterButton<V extends object, U>(props: Props<V, U>) {
  const { filters, values, onChange } = props
  const reset = () => onChange(filters.none as Partial<V>)
  const chips = useChips(props)
  return (
    <>
      <FilterPanelButton label="Отбор" count={filters.count(values)} phone onReset={reset}>
        <div className={panel.grid}>
          <Inputs {...props} inline={false} />
        </div>
      </FilterPanelButton>
      {chips.length > 0 && (
        <div className={bar.below}>
          <FilterChipLine chips={chips} onOff={(off) => onChange(off as Partial<V>)} onReset={reset} />
        </div>
      )}
    </>
  )
}

function Search<V extends object, U>({ filters, values, onChange }: Props<V, U>) {
  const one = filters.all.find(({ kind }) => kind.search)
  if (!one?.kind.search) return null
  return (
    <FilterSearch
      {...one.kind.search}
      label={one.label}
      value={filterValuesOf(one, values)[''] as string | undefined}
      onChange={(text) => onChange(patchOf(one, { '': text }) as Partial<V>, { replace: true })}
    />
  )
}

function Inputs<V extends object, U>({
  filters,
  values,
  onChange,
  context,
  inline,
}: Props<V, U> & { inline: boolean }) {
  return filters.all.map((one) => {
    const Input = one.kind.input as ComponentType<FilterInputProps<object, U | undefined>> | undefined
    return (
      Input && (
        <Input
          key={one.name}
          label={one.label}
          f={one.f}
          value={filterValuesOf(one, values)}
          onChange={(patch) => onChange(patchOf(one, patch) as Partial<V>)}
          context={context}
          inline={inline}
        />
      )
    )
  })
}

function Toggle<V extends object, U>({ one, values, onChange }: Props<V, U> & { one: Placed }) {
  const { toggle } = one.kind
  if (!toggle) return null
  const set = patchOf(one, toggle.value)
  const now = values as Record<string, unknown>
  return (
    <FilterToggle
      on={Object.entries(set).every(([key, value]) => now[key] === value)}
      label={toggle.label}
      onChange={(on) => onChange((on ? { ...removalPatchOf(one), ...set } : removalPatchOf(one)) as Partial<V>)}
    />
  )
}

function useChips<V extends object, U>({ filters, values, context }: Props<V, U>) {
  const on = filters.all
    .map((one) => ({ one, value: filterValuesOf(one, values) }))
    .filter(({ one, value }) => isOn(one, value))
  const named = useNamedOf(on.map(({ one, value }) => ({ to: pathOf(one.f), ids: one.kind.ids?.(value) ?? [] })))
  return on.map(({ one, value }, at) => ({
    text: one.kind.text(value, { ...inContext(one, context), named: named[at] ?? [] }),
    off: removalPatchOf(one),
  }))
}
