import type { Entity } from '@ordinator/model/entity'
import { useCallback, useMemo } from 'react'
import { type SetAddressOptions, useAddress } from '#base/address.ts'
import { useActor } from '#base/session.ts'
import { conditionText } from './conditions.ts'
import {
  type ListDefaults,
  type ListState,
  readListState,
  type Search,
  standardState,
  writeListState,
} from './listState.ts'

export interface ListController {
  state: ListState
  /** Any change except of the page resets to the first page. */
  set(patch: Partial<ListState>, options?: SetAddressOptions): void
  /** Resets search and conditions to the defaults. */
  reset(): void
  /** True when the list is filtered beyond its defaults. */
  isNarrowed: boolean
}

export interface ListStateOptions {
  defaults?: ListDefaults
  /** Prefix of the parameters, for pages with several lists. */
  prefix?: string
}

/** List state in the URL: Back works, and a link shows the same list. */
export function useListState(entity: Entity, { defaults = {}, prefix = '' }: ListStateOptions = {}): ListController {
  const actor = useActor()
  const [search, setSearch] = useAddress<Search>(asRead)
  // biome-ignore lint/correctness/useExhaustiveDependencies: defaults and prefix are constants of their screen
  const state = useMemo(() => readListState(entity, search, defaults, prefix, actor), [entity, search, actor])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const set = useCallback(
    (patch: Partial<ListState>, options?: SetAddressOptions) => {
      const next = { ...state, ...patch, page: patch.page ?? 1 }
      setSearch(writeListState(next, defaults, prefix), options)
    },
    [state, setSearch],
  )
  const base = standardState(defaults)
  return {
    state,
    set,
    reset: () => set({ search: base.search, conditions: base.conditions, view: '' }),
    isNarrowed:
      state.search !== base.search ||
      state.conditions.map(conditionText).join() !== base.conditions.map(conditionText).join(),
  }
}

const asRead = (search: Search) => search
